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
package io.gradstream.perf;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes maps, lists, numbers and texts as JSON on one line. A number that is not finite is null.
 */
final class Json
{
    private final StringBuilder text = new StringBuilder();

    private Json()
    {
    }

    static String write(final Map<String, ?> object)
    {
        final Json json = new Json();
        json.value(object);
        return json.text.toString();
    }

    private void value(final Object value)
    {
        if (value instanceof Map<?, ?> map)
        {
            object(map);
        }
        else if (value instanceof List<?> list)
        {
            array(list);
        }
        else if (value instanceof Double number)
        {
            text.append(Double.isFinite(number) ? String.format(Locale.ROOT, "%.3f", number) : "null");
        }
        else if (value instanceof Number || value instanceof Boolean)
        {
            text.append(value);
        }
        else
        {
            quote(String.valueOf(value));
        }
    }

    private void object(final Map<?, ?> map)
    {
        String separator = "{";
        for (final Map.Entry<?, ?> entry : map.entrySet())
        {
            text.append(separator);
            quote(String.valueOf(entry.getKey()));
            text.append(':');
            value(entry.getValue());
            separator = ",";
        }
        text.append(map.isEmpty() ? "{}" : "}");
    }

    private void array(final List<?> list)
    {
        text.append('[');
        for (int i = 0; i < list.size(); i++)
        {
            text.append(0 == i ? "" : ",");
            value(list.get(i));
        }
        text.append(']');
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
