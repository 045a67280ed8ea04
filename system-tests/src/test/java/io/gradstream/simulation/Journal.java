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
package io.gradstream.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Who did what and when, in words, for whoever reads a failing seed; empty unless asked for.
 */
final class Journal
{
    private final EventQueue events;
    private final boolean isOn;
    private final List<String> lines = new ArrayList<>();

    Journal(final EventQueue events, final boolean isOn)
    {
        this.events = events;
        this.isOn = isOn;
    }

    boolean isOn()
    {
        return isOn;
    }

    void note(final String who, final String what, final Object... values)
    {
        if (isOn)
        {
            final StringBuilder line = new StringBuilder(
                String.format(Locale.ROOT, "%11.3f ms  %-10s %s", events.nowNs() / 1e6, who, what));
            for (final Object value : values)
            {
                line.append(' ').append(value);
            }
            lines.add(line.toString());
        }
    }

    List<String> lines()
    {
        return lines;
    }
}
