// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.metric;

/**
 * The rule that ends training before its last pass, once a number of values in a row have not been better.
 * <p>
 * Better is by more than {@code minDelta} than the best so far. A value that is not a number is never better.
 */
public final class EarlyStopping
{
    private final int patience;
    private final double minDelta;
    private final boolean isHigherBetter;
    private double best;
    private int bestIndex = -1;
    private int index = -1;

    /**
     * A rule that has seen no value.
     *
     * @param patience       number of values in a row that are not better after which the rule says stop, at least 1.
     * @param minDelta       at least 0.
     * @param isHigherBetter true for an accuracy, false for a loss.
     * @throws IllegalArgumentException if an argument is out of range.
     */
    public EarlyStopping(final int patience, final double minDelta, final boolean isHigherBetter)
    {
        if (patience < 1)
        {
            throw new IllegalArgumentException("invalid patience=" + patience + ": must be at least 1");
        }
        if (!(minDelta >= 0.0 && minDelta < Double.POSITIVE_INFINITY))
        {
            throw new IllegalArgumentException("invalid minDelta=" + minDelta + ": must be at least 0");
        }

        this.patience = patience;
        this.minDelta = minDelta;
        this.isHigherBetter = isHigherBetter;
        best = isHigherBetter ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }

    /** Take the value of one more pass, and say what it means for training. */
    public Verdict onValue(final double value)
    {
        index++;
        if (isHigherBetter ? value > best + minDelta : value < best - minDelta)
        {
            best = value;
            bestIndex = index;
            return Verdict.IMPROVED;
        }
        return index - bestIndex >= patience ? Verdict.STOP : Verdict.WAIT;
    }

    /** The best value, infinitely bad before the first. */
    public double best()
    {
        return best;
    }

    /** Index of the best value, counted from 0; -1 before the first. */
    public int bestIndex()
    {
        return bestIndex;
    }

    /** The meaning of a value for training. */
    public enum Verdict
    {
        /** It is the best so far: keep the model. */
        IMPROVED,
        /** It is not, but one of the next may be. */
        WAIT,
        /** It is time to stop. */
        STOP
    }
}
