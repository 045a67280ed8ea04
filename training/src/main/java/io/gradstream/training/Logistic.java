// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import io.gradstream.training.Evaluation.Weights;

/**
 * The logistic function and its loss, and those of many classes, computed with {@link StrictMath} so that they are the
 * same everywhere.
 */
public final class Logistic
{
    /** Scores are clipped to plus and minus this, where the probability is within 1e-15 of 0 or 1. */
    static final double MAX_SCORE = 35.0;

    private Logistic()
    {
    }

    static double clip(final double score)
    {
        return Math.max(-MAX_SCORE, Math.min(MAX_SCORE, score));
    }

    static double sigmoid(final double score)
    {
        return 1.0 / (1.0 + StrictMath.exp(-clip(score)));
    }

    /**
     * Negative log likelihood of a label, in nats.
     *
     * @param score log odds of label 1.
     * @param label 0 or 1.
     */
    public static double loss(final double score, final int label)
    {
        final double clipped = clip(score);
        final double margin = 1 == label ? clipped : -clipped;
        final double tail = StrictMath.log1p(StrictMath.exp(-Math.abs(margin)));
        return margin < 0 ? tail - margin : tail;
    }

    /**
     * Negative log likelihood of a class, in nats.
     *
     * @param scores of examples.
     * @param at     where those of the example begin, one for each class.
     * @param label  index of the class.
     */
    public static double loss(final double[] scores, final int at, final int classes, final int label)
    {
        final double max = max(scores, at, classes);
        double sum = 0.0;
        for (int c = 0; c < classes; c++)
        {
            sum += StrictMath.exp(scores[at + c] - max);
        }
        return StrictMath.log(sum) - (scores[at + label] - max);
    }

    /**
     * Make the probabilities of classes of their scores, in their place.
     *
     * @param scores of examples.
     * @param at     where those of the example begin, one for each class.
     */
    public static void softmax(final double[] scores, final int at, final int classes)
    {
        final double max = max(scores, at, classes);
        double sum = 0.0;
        for (int c = 0; c < classes; c++)
        {
            scores[at + c] = StrictMath.exp(scores[at + c] - max);
            sum += scores[at + c];
        }
        for (int c = 0; c < classes; c++)
        {
            scores[at + c] /= sum;
        }
    }

    /** Taken off all scores, which changes no probability, the highest leaves none whose exponential overflows. */
    private static double max(final double[] scores, final int at, final int classes)
    {
        double max = scores[at];
        for (int c = 1; c < classes; c++)
        {
            max = Math.max(max, scores[at + c]);
        }
        return max;
    }

    static double score(final Examples examples, final int example, final Weights weights)
    {
        double score = 0.0;
        for (int entry = examples.firstEntry(example); entry < examples.endEntry(example); entry++)
        {
            score += (double)weights.weight(examples.feature(entry)) * examples.value(entry);
        }
        return score;
    }
}
