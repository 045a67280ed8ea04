// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.metric;

import io.gradstream.training.Evaluation;

import java.util.Arrays;

/**
 * Area under the ROC curve (AUC), exact: the share of (positive, negative) pairs in which the positive has the higher
 * score, a tie counting half. Keeps 8 bytes for each example; NaN when one of the labels does not occur.
 */
public final class AreaUnderCurve implements Metric
{
    private static final int INITIAL_LENGTH = 1024;

    private double[] positives = new double[INITIAL_LENGTH];
    private double[] negatives = new double[INITIAL_LENGTH];
    private int positiveCount;
    private int negativeCount;

    @Override
    public String name()
    {
        return "auc";
    }

    @Override
    public boolean isHigherBetter()
    {
        return true;
    }

    @Override
    public void add(final double[] scores, final int at, final int count, final float target)
    {
        if (count != 1)
        {
            throw new IllegalArgumentException("invalid count=" + count + ": the area is of one score an example");
        }

        final double score = MeanMetric.checkScore(scores[at]);
        if (1.0f == target)
        {
            positives = withRoom(positives, positiveCount);
            positives[positiveCount++] = score;
        }
        else
        {
            negatives = withRoom(negatives, negativeCount);
            negatives[negativeCount++] = score;
        }
    }

    @Override
    public long count()
    {
        return (long)positiveCount + negativeCount;
    }

    @Override
    public double value()
    {
        return 0 == count() ? Double.NaN : Evaluation.auc(positives, positiveCount, negatives, negativeCount);
    }

    @Override
    public String undefined()
    {
        if (0 == count())
        {
            return Metric.super.undefined();
        }
        return positiveCount > 0 && negativeCount > 0 ? null :
            "all " + count() + " labels are " + (positiveCount > 0 ? 1 : 0);
    }

    private static double[] withRoom(final double[] scores, final int count)
    {
        return count < scores.length ? scores : Arrays.copyOf(scores, 2 * count);
    }
}
