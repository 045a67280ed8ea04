// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

/**
 * The random numbers of the training job: SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
 * Generators", OOPSLA 2014), written out so that they are the same on each JDK.
 * <p>
 * {@link #seed(long, long, long)} makes a seed out of coordinates such as (seed, pass, worker) without any state, so
 * that each stream can be started anywhere on its own.
 */
final class SeededRandom
{
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
    private static final double UNIT = 0x1.0p-53;

    private long state;

    SeededRandom(final long seed)
    {
        state = seed;
    }

    static long mix(final long value)
    {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    static long seed(final long seed, final long first, final long second)
    {
        final long inner = mix(seed + GOLDEN_GAMMA) ^ first;
        return mix(mix(inner + GOLDEN_GAMMA) ^ second);
    }

    void reset(final long seed)
    {
        state = seed;
    }

    long nextLong()
    {
        state += GOLDEN_GAMMA;
        return mix(state);
    }

    /**
     * Uniform over {@code 0 .. bound - 1}, without bias (Lemire, "Fast Random Integer Generation in an Interval",
     * 2019).
     */
    int nextInt(final int bound)
    {
        long product = (nextLong() >>> 32) * bound;
        long low = product & 0xFFFF_FFFFL;
        if (low < bound)
        {
            final long threshold = (1L << 32) % bound;
            while (low < threshold)
            {
                product = (nextLong() >>> 32) * bound;
                low = product & 0xFFFF_FFFFL;
            }
        }

        return (int)(product >>> 32);
    }

    /** Uniform over [0, 1) in steps of 2^-53. */
    double nextDouble()
    {
        return (nextLong() >>> 11) * UNIT;
    }

    /** Standard normal by Box and Muller (1958). Takes two numbers from the stream, and returns one. */
    double nextGaussian()
    {
        final double radius = StrictMath.sqrt(-2.0 * StrictMath.log(1.0 - nextDouble()));
        return radius * StrictMath.cos(2.0 * StrictMath.PI * nextDouble());
    }
}
