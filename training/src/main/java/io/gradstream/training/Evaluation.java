// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import java.util.Arrays;

/**
 * The quality of a linear model's predictions for a data set.
 * <p>
 * A score above 0 predicts label 1. The area under the ROC curve is exact: the share of (positive, negative) pairs in
 * which the positive has the higher score, a tie counting half (the Mann-Whitney statistic).
 *
 * @param examples number of examples.
 * @param accuracy share of labels predicted rightly, 0 to 1.
 * @param logLoss  mean negative log likelihood in nats.
 * @param auc      area under the ROC curve, 0 to 1; NaN when one of the labels does not occur.
 */
public record Evaluation(int examples, double accuracy, double logLoss, double auc)
{
    /**
     * Evaluate weights kept in an array. Features beyond its end weigh 0.
     *
     * @param examples to predict, at least one.
     * @param weights  of features 0 and up.
     * @throws IllegalArgumentException if there are no examples.
     * @throws IllegalStateException    if a score is not a number.
     */
    public static Evaluation of(final Examples examples, final float[] weights)
    {
        return of(examples, Weights.of(weights));
    }

    /**
     * Evaluate weights.
     *
     * @param examples to predict, at least one.
     * @throws IllegalArgumentException if there are no examples.
     * @throws IllegalStateException    if a score is not a number.
     */
    public static Evaluation of(final Examples examples, final Weights weights)
    {
        final int size = examples.size();
        if (0 == size)
        {
            throw new IllegalArgumentException("no examples to evaluate: name a test set that holds some");
        }

        final double[] scores = new double[size];
        long right = 0;
        double loss = 0.0;
        for (int example = 0; example < size; example++)
        {
            final double score = Logistic.score(examples, example, weights);
            if (Double.isNaN(score))
            {
                throw new IllegalStateException("score is not a number: example=" + example);
            }

            scores[example] = score;
            right += (score > 0.0) == (1 == examples.label(example)) ? 1 : 0;
            loss += Logistic.loss(score, examples.label(example));
        }

        return new Evaluation(size, (double)right / size, loss / size, auc(examples, scores));
    }

    private static double auc(final Examples examples, final double[] scores)
    {
        final double[] positives = new double[scores.length];
        final double[] negatives = new double[scores.length];
        int positiveCount = 0;
        int negativeCount = 0;
        for (int example = 0; example < scores.length; example++)
        {
            if (1 == examples.label(example))
            {
                positives[positiveCount++] = scores[example];
            }
            else
            {
                negatives[negativeCount++] = scores[example];
            }
        }

        return auc(positives, positiveCount, negatives, negativeCount);
    }

    /**
     * Area under the ROC curve of scores.
     *
     * @param positives scores of examples labelled 1; they are sorted.
     * @param negatives scores of the others; they are sorted.
     * @return 0 to 1; NaN when there are no positives or no negatives, and so no pairs.
     */
    public static double auc(
        final double[] positives, final int positiveCount, final double[] negatives, final int negativeCount)
    {
        if (0 == positiveCount || 0 == negativeCount)
        {
            return Double.NaN;
        }

        // zeros of both signs, which the sort tells apart, are compared as equal
        Arrays.sort(positives, 0, positiveCount);
        Arrays.sort(negatives, 0, negativeCount);
        final long halfPairs = halfPairsWon(positives, positiveCount, negatives, negativeCount);
        return halfPairs / (2.0 * positiveCount * negativeCount);
    }

    /** Twice the pairs a positive wins, plus the pairs that tie: whole numbers, so that the order does not matter. */
    private static long halfPairsWon(
        final double[] positives, final int positiveCount, final double[] negatives, final int negativeCount)
    {
        long halfPairs = 0;
        int below = 0;
        int notAbove = 0;
        for (int i = 0; i < positiveCount; i++)
        {
            while (below < negativeCount && negatives[below] < positives[i])
            {
                below++;
            }
            while (notAbove < negativeCount && negatives[notAbove] <= positives[i])
            {
                notAbove++;
            }
            halfPairs += (long)below + notAbove;
        }

        return halfPairs;
    }

    /** The weight of each feature of a linear model, however it is kept. */
    @FunctionalInterface
    public interface Weights
    {
        /**
         * The weight of a feature.
         *
         * @param feature id, which is the key of its row.
         * @return its weight, 0 if the model does not know the feature.
         */
        float weight(long feature);

        /**
         * Weights in an array under their feature ids. Features beyond its end weigh 0.
         *
         * @param weights of features 0 and up; read in place, not copied.
         */
        static Weights of(final float[] weights)
        {
            return (feature) -> feature < weights.length ? weights[(int)feature] : 0.0f;
        }
    }
}
