// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

/**
 * The worker's part of sparse linear or logistic regression: one weight for each feature, which begins as zero. The
 * score of an example is the sum of its values, each times the weight of its feature.
 * <p>
 * There is no intercept of its own: data that need one carry a feature that is always 1.
 */
public final class LinearModel extends ScalarModel
{
    /**
     * A model without a batch.
     *
     * @throws IllegalArgumentException if the loss cannot be had with the labels.
     */
    public LinearModel(final Examples examples, final Loss loss)
    {
        super(examples, loss);
    }

    @Override
    public int dim()
    {
        return 1;
    }

    @Override
    public double initialDeviation()
    {
        return 0.0;
    }

    @Override
    protected double score(final int example, final int firstPlace, final float[] weights)
    {
        final Examples examples = examples();
        final int first = examples.firstEntry(example);
        double score = 0.0;
        for (int entry = first; entry < examples.endEntry(example); entry++)
        {
            score += (double)weights[place(firstPlace + entry - first)] * examples.value(entry);
        }
        return score;
    }

    @Override
    protected void accumulate(
        final int example, final int firstPlace, final double slope, final float[] weights, final double[] sums)
    {
        final Examples examples = examples();
        final int first = examples.firstEntry(example);
        for (int entry = first; entry < examples.endEntry(example); entry++)
        {
            sums[place(firstPlace + entry - first)] += slope * examples.value(entry);
        }
    }
}
