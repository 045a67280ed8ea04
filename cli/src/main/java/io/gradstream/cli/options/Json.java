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
package io.gradstream.cli.options;

import java.util.List;
import java.util.Locale;

/**
 * Writes one JSON object, fields in the order they are added.
 */
public final class Json
{
    private final StringBuilder text = new StringBuilder("{");

    public Json field(final String name, final String value)
    {
        name(name);
        quote(value);
        return this;
    }

    public Json field(final String name, final long value)
    {
        name(name);
        text.append(value);
        return this;
    }

    /**
     * A number with six digits, or null where it is not finite, which JSON cannot say.
     */
    public Json field(final String name, final double value)
    {
        name(name);
        text.append(Double.isFinite(value) ? String.format(Locale.ROOT, "%.6f", value) : "null");
        return this;
    }

    public Json field(final String name, final List<? extends Number> values)
    {
        name(name);
        text.append(values.toString().replace(" ", ""));
        return this;
    }

    public Json field(final String name, final boolean value)
    {
        name(name);
        text.append(value);
        return this;
    }

    /**
     * Objects that are complete but for their {@link #end()}.
     */
    public Json objects(final String name, final List<Json> objects)
    {
        name(name);
        text.append('[');
        for (int i = 0; i < objects.size(); i++)
        {
            text.append(0 == i ? "" : ",").append(objects.get(i).end());
        }
        text.append(']');
        return this;
    }

    /**
     * An object that is complete but for its {@link #end()}.
     */
    public Json object(final String name, final Json object)
    {
        name(name);
        text.append(object.end());
        return this;
    }

    public Json nothing(final String name)
    {
        name(name);
        text.append("null");
        return this;
    }

    public String end()
    {
        return text.append('}').toString();
    }

    private void name(final String name)
    {
        text.append(text.length() > 1 ? "," : "");
        quote(name);
        text.append(':');
    }

    private void quote(final String value)
    {
        text.append('"');
        for (int i = 0; i < value.length(); i++)
        {
            final char c = value.charAt(i);
            if (c < ' ' || '"' == c || '\\' == c)
            {
                text.append(String.format("\\u%04x", (int)c));
            }
            else
            {
                text.append(c);
            }
        }
        text.append('"');
    }
}
