// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train.progress;

/**
 * How many examples a second are trained on: over the last interval that was long enough, and before the first one
 * since the beginning.
 */
public final class ExamplesRate
{
    private static final double MS_PER_S = 1000.0;

    private final long minIntervalMs;
    private long beganMs;
    private long examplesBefore;
    private boolean isMeasured;
    private double perSecond;

    /**
     * Nothing is measured yet.
     *
     * @param minIntervalMs an interval that is shorter says nothing.
     */
    public ExamplesRate(final long minIntervalMs)
    {
        this.minIntervalMs = minIntervalMs;
    }

    /** Training begins. */
    public void onBegan(final long nowMs)
    {
        beganMs = nowMs;
    }

    /**
     * The rate now.
     *
     * @param examples so far.
     * @param nowMs    of a clock that does not go back.
     */
    public double of(final long examples, final long nowMs)
    {
        final long elapsedMs = nowMs - beganMs;
        final boolean isLongEnough = elapsedMs >= minIntervalMs;
        if (isLongEnough || !isMeasured && elapsedMs > 0)
        {
            perSecond = (examples - examplesBefore) * MS_PER_S / elapsedMs;
        }
        if (isLongEnough)
        {
            isMeasured = true;
            beganMs = nowMs;
            examplesBefore = examples;
        }
        return perSecond;
    }
}
