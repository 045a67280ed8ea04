// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.metric;

/** A metric that is the mean of a number for each example, or a function of it: nothing but a sum is kept. */
abstract class MeanMetric implements Metric
{
    private final String name;
    private double sum;
    private long count;

    MeanMetric(final String name)
    {
        this.name = name;
    }

    @Override
    public final String name()
    {
        return name;
    }

    @Override
    public final void add(final double[] scores, final int at, final int count, final float target)
    {
        for (int i = 0; i < count; i++)
        {
            checkScore(scores[at + i]);
        }
        sum += term(scores, at, count, target);
        this.count++;
    }

    @Override
    public final long count()
    {
        return count;
    }

    @Override
    public final double value()
    {
        return ofMean(sum / count);
    }

    static double checkScore(final double score)
    {
        if (Double.isNaN(score))
        {
            throw new IllegalStateException("score is not a number");
        }
        return score;
    }

    abstract double term(double[] scores, int at, int count, float target);

    double ofMean(final double mean)
    {
        return mean;
    }
}
