// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.metric;

/**
 * Share of labels predicted rightly. A single score above 0 predicts label 1. If there is one score for each class, the
 * highest predicts its class; among equal scores, the first does.
 */
public final class Accuracy extends MeanMetric
{
    /** Of no examples. */
    public Accuracy()
    {
        super("accuracy");
    }

    @Override
    public boolean isHigherBetter()
    {
        return true;
    }

    @Override
    double term(final double[] scores, final int at, final int count, final float target)
    {
        int predicted = 0;
        if (1 == count)
        {
            predicted = scores[at] > 0.0 ? 1 : 0;
        }
        for (int c = 1; c < count; c++)
        {
            predicted = scores[at + c] > scores[at + predicted] ? c : predicted;
        }
        return predicted == target ? 1.0 : 0.0;
    }
}
