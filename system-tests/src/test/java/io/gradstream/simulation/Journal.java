// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
