// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.world;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A history in words, for the reader of a failing seed; empty unless asked for. */
public final class Journal
{
    private final EventQueue events;
    private final boolean isOn;
    private final List<String> lines = new ArrayList<>();

    Journal(final EventQueue events, final boolean isOn)
    {
        this.events = events;
        this.isOn = isOn;
    }

    public boolean isOn()
    {
        return isOn;
    }

    public void note(final String who, final String what, final Object... values)
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

    public List<String> lines()
    {
        return lines;
    }
}
