// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.metric;

import io.gradstream.training.Logistic;

/**
 * Mean negative log likelihood of the labels, in nats. A single score is the log odds of label 1; of one score for each
 * class the softmax is the classes' probabilities.
 */
public final class LogLoss extends MeanMetric
{
    /** Of no examples. */
    public LogLoss()
    {
        super("log-loss");
    }

    @Override
    public boolean isHigherBetter()
    {
        return false;
    }

    @Override
    double term(final double[] scores, final int at, final int count, final float target)
    {
        return 1 == count ?
            Logistic.loss(scores[at], (int)target) : Logistic.loss(scores, at, count, (int)target);
    }
}
