// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.Arrays;

/** How long the last pieces of work took. */
final class PieceDurations
{
    /** Most that are kept. */
    static final int CAPACITY = 32;

    private final long[] ring = new long[CAPACITY];
    private long count;

    /** Take what several pieces took together, which are as many as {@code pieces}. */
    void add(final long durationMs, final int pieces)
    {
        for (int i = 0; i < pieces; i++)
        {
            add(Math.max(0, durationMs / pieces));
        }
    }

    void add(final long durationMs)
    {
        ring[(int)(count++ % CAPACITY)] = durationMs;
    }

    boolean isEmpty()
    {
        return 0 == count;
    }

    /** The middle one of those kept, in milliseconds. */
    long median()
    {
        final long[] sorted = kept();
        Arrays.sort(sorted);

        return sorted[sorted.length / 2];
    }

    /** Those kept, the oldest first. */
    long[] kept()
    {
        final long[] kept = new long[(int)Math.min(count, CAPACITY)];
        for (int i = 0; i < kept.length; i++)
        {
            kept[i] = ring[(int)((count - kept.length + i) % CAPACITY)];
        }

        return kept;
    }

    void clear()
    {
        count = 0;
    }
}
