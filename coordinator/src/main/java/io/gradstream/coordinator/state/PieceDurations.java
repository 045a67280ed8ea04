// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.Arrays;

/** How long each batch of the last pieces of work took. */
final class PieceDurations
{
    /** Most that are kept. */
    static final int CAPACITY = 32;

    private final long[] ring = new long[CAPACITY];
    private long count;

    /** Take what several pieces took together. */
    void add(final long durationMs, final long batches, final int pieces)
    {
        for (int i = 0; i < pieces; i++)
        {
            add(Math.max(0, durationMs) * 1_000 / batches);
        }
    }

    void add(final long batchUs)
    {
        ring[(int)(count++ % CAPACITY)] = batchUs;
    }

    boolean isEmpty()
    {
        return 0 == count;
    }

    /** The time in milliseconds that so many batches usually take, by the middle one of those kept. */
    long usualMs(final long batches)
    {
        final long[] sorted = kept();
        Arrays.sort(sorted);

        return (long)((double)sorted[sorted.length / 2] * batches / 1_000);
    }

    /** Those kept in microseconds, the oldest first. */
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
