// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Batches that take longer than others, at random but the same in each run with a seed.
 *
 * @param factor      as long as others they take, 1 to {@link #MAX_FACTOR}.
 * @param probability of each batch of each worker, 0 to 1.
 * @param only        worker whose batches they are, or {@link #EVERY_WORKER}.
 * @param seed        of the choice.
 */
public record Stragglers(double factor, double probability, int only, long seed)
{
    /** In place of one worker. */
    public static final int EVERY_WORKER = -1;
    /** Largest factor. */
    public static final double MAX_FACTOR = 1_000;

    private static final Pattern TEXT = Pattern.compile("([^:@]+):([^:@]+)(?:@(\\d{1,9}))?");

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one cannot be.
     */
    public Stragglers
    {
        if (!(factor >= 1 && factor <= MAX_FACTOR && probability >= 0 && probability <= 1) || only < EVERY_WORKER)
        {
            throw new IllegalArgumentException("invalid stragglers=" + factor + ':' + probability + '@' + only +
                ": must be a factor of 1 to " + (int)MAX_FACTOR + ", a probability of 0 to 1 and a worker");
        }
    }

    /** Of every worker. */
    public Stragglers(final double factor, final double probability, final long seed)
    {
        this(factor, probability, EVERY_WORKER, seed);
    }

    /**
     * As a text says.
     *
     * @param text FACTOR:PROBABILITY or FACTOR:PROBABILITY@WORKER, or null for none.
     * @param seed of the choice.
     * @throws IllegalArgumentException if it is none.
     */
    public static Stragglers parse(final String text, final long seed)
    {
        if (null == text)
        {
            return new Stragglers(1, 0, seed);
        }
        final Matcher matcher = TEXT.matcher(text);
        try
        {
            if (matcher.matches())
            {
                return new Stragglers(Double.parseDouble(matcher.group(1)), Double.parseDouble(matcher.group(2)),
                    null == matcher.group(3) ? EVERY_WORKER : Integer.parseInt(matcher.group(3)), seed);
            }
        }
        catch (final IllegalArgumentException ignore)
        {
            // told below
        }
        throw new IllegalArgumentException("invalid stragglers=" + text + ": must be FACTOR:PROBABILITY, such as" +
            " 4:0.1, with a factor of 1 to " + (int)MAX_FACTOR + " and a probability of 0 to 1; 4:0.1@2 is for" +
            " worker 2 alone");
    }

    /** How many times as long a batch of a worker takes: 1 for most. */
    public double factor(final int worker, final long batch)
    {
        final boolean isOneOfThem = EVERY_WORKER == only || worker == only;
        return isOneOfThem && new SeededRandom(SeededRandom.seed(seed, worker, batch)).nextDouble() < probability ?
            factor : 1;
    }
}
