// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

/**
 * Splits a data set into a training part and a test part. Each example's part follows from (seed, its index) alone, so
 * processes that read the same files agree without communicating.
 */
public final class HoldOut
{
    /** Largest share that may be held out. */
    public static final double MAX_SHARE = 0.9;

    private static final long STREAM = 0x484F_4C44L;

    private final double share;
    private final long seed;

    /**
     * A split.
     *
     * @param share of the examples that is held out, above 0 and at most {@link #MAX_SHARE}.
     * @throws IllegalArgumentException if the share is out of range.
     */
    public HoldOut(final double share, final long seed)
    {
        if (!(share > 0 && share <= MAX_SHARE))
        {
            throw new IllegalArgumentException("invalid share=" + share + ": must be above 0 and at most " + MAX_SHARE);
        }
        this.share = share;
        this.seed = seed;
    }

    /**
     * The part that models are trained on.
     *
     * @return a copy of the examples that are not held out, in their order; the feature count is that of the whole set.
     */
    public Examples trainingPart(final Examples examples)
    {
        return part(examples, false);
    }

    /**
     * The part that models are tested on.
     *
     * @return a copy of the examples held out, in their order; the feature count is that of the whole set.
     */
    public Examples testPart(final Examples examples)
    {
        return part(examples, true);
    }

    private Examples part(final Examples examples, final boolean isHeldOut)
    {
        return examples.select((example) -> isHeldOut == isHeldOut(example));
    }

    private boolean isHeldOut(final int example)
    {
        return new SeededRandom(SeededRandom.seed(seed, STREAM, example)).nextDouble() < share;
    }
}
