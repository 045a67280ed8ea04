// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

/**
 * A model whose score is the sum of the example's values, each times the weight of its feature. Weights begin as zeros.
 */
public abstract class LinearModel extends ScalarModel
{
    /**
     * A model without a batch.
     *
     * @throws IllegalArgumentException if the loss cannot be had with the labels.
     */
    protected LinearModel(final Examples examples, final Loss loss)
    {
        super(examples, loss);
    }

    @Override
    public final int dim()
    {
        return 1;
    }

    @Override
    public final double initialDeviation()
    {
        return 0.0;
    }

    @Override
    protected final double score(final int example, final int firstPlace, final float[] weights)
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
    protected final void accumulate(
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
