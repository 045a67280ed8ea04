// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.model;

import io.gradstream.training.Examples;
import io.gradstream.training.Loss;
import io.gradstream.training.ScalarModel;

import java.util.Arrays;

/**
 * The worker's part of a factorisation machine of second order (Rendle, "Factorization Machines", ICDM 2010): a row of
 * one weight and {@code factors} factors for each feature.
 * <p>
 * The score is the sum of {@code w_i x_i} over features and of {@code <v_i, v_j> x_i x_j} over pairs of them, computed
 * in time linear in entries and factors (his lemma 3.1). There is no intercept of its own: data that need one carry a
 * feature that is always 1, whose factors then add to the weights of all others. Decay is weight decay for each
 * occurrence of a feature: {@code decay / 2} times the sum of squares of its row.
 */
public final class FactorisationMachine extends ScalarModel
{
    private final int factors;
    private final double decay;
    private final double initialDeviation;
    /** Of the example, for each factor: sum of {@code v x} over its entries. */
    private final double[] factorSums;

    /**
     * A model without a batch.
     *
     * @param factors          number of factors, at least 1.
     * @param decay            at least 0.
     * @param initialDeviation of new rows, above 0: the gradient of factors that are all 0 is 0.
     * @throws IllegalArgumentException if an argument is out of range, or the loss cannot be had with the labels.
     */
    public FactorisationMachine(
        final Examples examples,
        final Loss loss,
        final int factors,
        final double decay,
        final double initialDeviation)
    {
        super(examples, loss);
        Factors.check(factors, decay, initialDeviation);
        this.factors = factors;
        this.decay = decay;
        this.initialDeviation = initialDeviation;
        factorSums = new double[factors];
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
        final Examples examples = examples();
        Arrays.fill(factorSums, 0.0);
        double linear = 0.0;
        double squares = 0.0;
        final int first = examples.firstEntry(example);
        for (int entry = first; entry < examples.endEntry(example); entry++)
        {
            final int at = place(firstPlace + entry - first) * (1 + factors);
            final double value = examples.value(entry);
            linear += rows[at] * value;
            for (int f = 0; f < factors; f++)
            {
                final double product = rows[at + 1 + f] * value;
                factorSums[f] += product;
                squares += product * product;
            }
        }

        double squaresOfSums = 0.0;
        for (int f = 0; f < factors; f++)
        {
            squaresOfSums += factorSums[f] * factorSums[f];
        }
        return linear + (squaresOfSums - squares) / 2.0;
    }

    @Override
    protected void accumulate(
        final int example, final int firstPlace, final double slope, final float[] rows, final double[] sums)
    {
        final Examples examples = examples();
        final int first = examples.firstEntry(example);
        for (int entry = first; entry < examples.endEntry(example); entry++)
        {
            final int at = place(firstPlace + entry - first) * (1 + factors);
            final double value = examples.value(entry);
            sums[at] += slope * value + decay * rows[at];
            for (int f = 0; f < factors; f++)
            {
                final double factor = rows[at + 1 + f];
                sums[at + 1 + f] += slope * value * (factorSums[f] - factor * value) + decay * factor;
            }
        }
    }
}
