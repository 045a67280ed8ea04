// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

/**
 * Batches that take longer than others, at random but the same in each run with a seed.
 *
 * @param factor      as long as others they take, 1 to {@link #MAX_FACTOR}.
 * @param probability of each batch of each worker, 0 to 1.
 * @param seed        of the choice.
 */
public record Stragglers(double factor, double probability, long seed)
{
    /** Largest factor. */
    public static final double MAX_FACTOR = 1_000;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one cannot be.
     */
    public Stragglers
    {
        if (!(factor >= 1 && factor <= MAX_FACTOR && probability >= 0 && probability <= 1))
        {
            throw new IllegalArgumentException("invalid stragglers=" + factor + ':' + probability +
                ": must be a factor of 1 to " + (int)MAX_FACTOR + " and a probability of 0 to 1");
        }
    }

    /**
     * As a text says.
     *
     * @param text FACTOR:PROBABILITY, or null for none.
     * @param seed of the choice.
     * @throws IllegalArgumentException if it is none.
     */
    public static Stragglers parse(final String text, final long seed)
    {
        if (null == text)
        {
            return new Stragglers(1, 0, seed);
        }
        final String[] parts = text.split(":", -1);
        try
        {
            if (2 == parts.length)
            {
                return new Stragglers(Double.parseDouble(parts[0]), Double.parseDouble(parts[1]), seed);
            }
        }
        catch (final IllegalArgumentException ignore)
        {
            // told below
        }
        throw new IllegalArgumentException("invalid stragglers=" + text + ": must be FACTOR:PROBABILITY, such as" +
            " 4:0.1, with a factor of 1 to " + (int)MAX_FACTOR + " and a probability of 0 to 1");
    }

    /** How many times as long a batch of a worker takes: 1 for most. */
    public double factor(final int worker, final long batch)
    {
        return new SeededRandom(SeededRandom.seed(seed, worker, batch)).nextDouble() < probability ? factor : 1;
    }
}
