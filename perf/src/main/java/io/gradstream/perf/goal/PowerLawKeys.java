// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import java.util.Random;

/**
 * Random keys of a dense table, of which few are frequent and most are rare: the n-th most frequent one appears in
 * proportion to 1/n. Frequent keys are scattered over the whole table.
 */
final class PowerLawKeys
{
    private static final long SEED = 1;
    /** A prime: below a multiple of it, multiplication gives each key once. */
    private static final long SCATTER = 2_654_435_761L;

    private PowerLawKeys()
    {
    }

    /**
     * Always the same.
     *
     * @param count of keys.
     * @param rows  of the table, below 2^31.
     */
    static long[] of(final int count, final long rows)
    {
        final Random random = new Random(SEED);
        final long[] keys = new long[count];
        final double logRows = Math.log(rows);
        for (int i = 0; i < count; i++)
        {
            final long rank = Math.min(rows, (long)Math.exp(random.nextDouble() * logRows)) - 1;
            keys[i] = rank * SCATTER % rows;
        }

        return keys;
    }
}
