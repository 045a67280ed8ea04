/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.console;

/**
 * Writes JSON, one value behind the other; what is not finite is null. Of {@code <}, {@code >} and {@code &} it writes
 * the escapes, so that no text can end an element of a page.
 */
final class JsonWriter
{
    private static final String HEX = "0123456789abcdef";
    private static final char FIRST_PRINTABLE = ' ';
    private static final char LINE_SEPARATOR = '\u2028';
    private static final char PARAGRAPH_SEPARATOR = '\u2029';
    private static final int NIBBLE_BITS = 4;
    private static final int NIBBLE = 0xF;

    private final StringBuilder text = new StringBuilder();
    private boolean isFirst = true;

    JsonWriter beginObject()
    {
        return begin('{');
    }

    JsonWriter endObject()
    {
        return end('}');
    }

    JsonWriter beginArray()
    {
        return begin('[');
    }

    JsonWriter endArray()
    {
        return end(']');
    }

    JsonWriter name(final String name)
    {
        string(name);
        text.append(':');
        isFirst = true;
        return this;
    }

    JsonWriter value(final String value)
    {
        string(value);
        return this;
    }

    JsonWriter value(final long value)
    {
        separate();
        text.append(value);
        return this;
    }

    JsonWriter value(final double value)
    {
        separate();
        if (Double.isFinite(value))
        {
            text.append((float)value);
        }
        else
        {
            text.append("null");
        }
        return this;
    }

    JsonWriter value(final boolean value)
    {
        separate();
        text.append(value);
        return this;
    }

    JsonWriter nullValue()
    {
        separate();
        text.append("null");
        return this;
    }

    @Override
    public String toString()
    {
        return text.toString();
    }

    private JsonWriter begin(final char bracket)
    {
        separate();
        text.append(bracket);
        isFirst = true;
        return this;
    }

    private JsonWriter end(final char bracket)
    {
        text.append(bracket);
        isFirst = false;
        return this;
    }

    private void separate()
    {
        if (!isFirst)
        {
            text.append(',');
        }
        isFirst = false;
    }

    private void string(final String value)
    {
        separate();
        text.append('"');
        for (int i = 0; i < value.length(); i++)
        {
            final char c = value.charAt(i);
            switch (c)
            {
                case '"', '\\' -> text.append('\\').append(c);
                case '<', '>', '&', LINE_SEPARATOR, PARAGRAPH_SEPARATOR -> escape(c);
                default ->
                {
                    if (c < FIRST_PRINTABLE || Character.isSurrogate(c))
                    {
                        escape(c);
                    }
                    else
                    {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }

    private void escape(final char c)
    {
        text.append("\\u");
        for (int shift = Character.SIZE - NIBBLE_BITS; shift >= 0; shift -= NIBBLE_BITS)
        {
            text.append(HEX.charAt(c >> shift & NIBBLE));
        }
    }
}
