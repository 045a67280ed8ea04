// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.metric;

/** Root of the mean squared error (RMSE) of numbers predicted, in the unit of the labels. */
public final class RootMeanSquare extends MeanMetric
{
    /** Of no examples. */
    public RootMeanSquare()
    {
        super("rmse");
    }

    @Override
    public boolean isHigherBetter()
    {
        return false;
    }

    @Override
    double term(final double[] scores, final int at, final int count, final float target)
    {
        return (scores[at] - target) * (scores[at] - target);
    }

    @Override
    double ofMean(final double mean)
    {
        return StrictMath.sqrt(mean);
    }
}
