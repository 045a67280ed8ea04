// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.jmh;

/** Cheap keys without a pattern that a processor could guess: a 64-bit linear congruential generator (Knuth, MMIX). */
final class RandomKeys
{
    private static final long MULTIPLIER = 6364136223846793005L;
    private static final long INCREMENT = 1442695040888963407L;

    private long state = 1;

    /** The next key, below a bound of at most 2^31 - 1. */
    int next(final int bound)
    {
        state = state * MULTIPLIER + INCREMENT;
        return (int)((state >>> 33) * bound >>> 31);
    }
}
