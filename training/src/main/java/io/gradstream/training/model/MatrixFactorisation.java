// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.model;

import io.gradstream.training.Examples;
import io.gradstream.training.Loss;
import io.gradstream.training.ScalarModel;
import io.gradstream.training.form.ExampleRule;

/**
 * The worker's part of matrix factorisation with biases (Koren, Bell and Volinsky, "Matrix Factorization Techniques for
 * Recommender Systems", Computer 2009): a row of one bias and {@code factors} factors for each user and each item, half
 * the squared error.
 * <p>
 * An example is a rating: two entries of value 1, the user and the item, and as label how the user rated it. A rating
 * is predicted as mean + bias of the user + bias of the item + product of their factors. Decay is weight decay for each
 * rating: {@code decay / 2} times the sum of squares of both rows.
 */
public final class MatrixFactorisation extends ScalarModel
{
    private final double mean;
    private final int factors;
    private final double decay;
    private final double initialDeviation;

    /**
     * A model without a batch.
     *
     * @param mean             of the ratings, or another constant; the same at each worker, and when the model is used.
     * @param factors          number of factors, at least 1.
     * @param decay            at least 0.
     * @param initialDeviation of new rows, above 0: the gradient of factors that are all 0 is 0.
     * @throws IllegalArgumentException if an argument is out of range, or an example is no rating.
     */
    public MatrixFactorisation(
        final Examples examples,
        final double mean,
        final int factors,
        final double decay,
        final double initialDeviation)
    {
        super(examples, Loss.SQUARED);
        Factors.check(factors, decay, initialDeviation);
        if (!Double.isFinite(mean))
        {
            throw new IllegalArgumentException("invalid mean=" + mean + ": must be finite");
        }
        checkRatings(examples);
        this.mean = mean;
        this.factors = factors;
        this.decay = decay;
        this.initialDeviation = initialDeviation;
    }

    @Override
    public int dim()
    {
        return 1 + factors;
    }

    @Override
    public double initialDeviation()
    {
        return initialDeviation;
    }

    @Override
    protected double score(final int example, final int firstPlace, final float[] rows)
    {
        final int user = place(firstPlace) * (1 + factors);
        final int item = place(firstPlace + 1) * (1 + factors);
        double score = mean + rows[user] + rows[item];
        for (int f = 1; f <= factors; f++)
        {
            score += (double)rows[user + f] * rows[item + f];
        }
        return score;
    }

    @Override
    protected void accumulate(
        final int example, final int firstPlace, final double slope, final float[] rows, final double[] sums)
    {
        final int user = place(firstPlace) * (1 + factors);
        final int item = place(firstPlace + 1) * (1 + factors);
        sums[user] += slope + decay * rows[user];
        sums[item] += slope + decay * rows[item];
        for (int f = 1; f <= factors; f++)
        {
            sums[user + f] += slope * rows[item + f] + decay * rows[user + f];
            sums[item + f] += slope * rows[user + f] + decay * rows[item + f];
        }
    }

    private static void checkRatings(final Examples examples)
    {
        for (int example = 0; example < examples.size(); example++)
        {
            final int first = examples.firstEntry(example);
            if (examples.endEntry(example) - first != 2 ||
                examples.value(first) != 1.0f || examples.value(first + 1) != 1.0f)
            {
                throw new IllegalArgumentException("invalid example=" + example + ": " + ExampleRule.NO_RATING);
            }
        }
    }
}
