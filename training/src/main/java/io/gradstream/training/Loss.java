// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import java.util.Locale;

/** The loss that is minimised by a model with one score for each example. */
public enum Loss
{
    /** Negative log likelihood of a label 0 or 1, in nats; the score is the log odds of 1. */
    LOGISTIC
    {
        @Override
        double loss(final double score, final float target)
        {
            return Logistic.loss(score, (int)target);
        }

        @Override
        double slope(final double score, final float target)
        {
            return Logistic.sigmoid(score) - target;
        }

        @Override
        double prediction(final double score)
        {
            return Logistic.sigmoid(score);
        }
    },

    /** Half the squared error; the score is the number predicted. */
    SQUARED
    {
        @Override
        double loss(final double score, final float target)
        {
            return (score - target) * (score - target) / 2.0;
        }

        @Override
        double slope(final double score, final float target)
        {
            return score - target;
        }

        @Override
        double prediction(final double score)
        {
            return score;
        }
    };

    /** In lower case. */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    abstract double loss(double score, float target);

    /** Derivative of the loss by the score. */
    abstract double slope(double score, float target);

    abstract double prediction(double score);

    void check(final Examples examples)
    {
        if (LOGISTIC == this && !examples.isOfClasses(2))
        {
            throw new IllegalArgumentException("invalid labels: must be 0 or 1 for the logistic loss");
        }
    }
}
