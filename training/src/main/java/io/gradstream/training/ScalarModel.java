// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

/** A model of one score for each example, whose gradient is the slope of the loss times that of the score. */
public abstract class ScalarModel extends SparseModel
{
    private final Loss loss;

    /**
     * A model without a batch.
     *
     * @throws IllegalArgumentException if the loss cannot be had with the labels.
     */
    protected ScalarModel(final Examples examples, final Loss loss)
    {
        super(examples);
        this.loss = loss;
        loss.check(examples);
    }

    @Override
    public final int scoreCount()
    {
        return 1;
    }

    @Override
    public final void predict(final double[] scores, final int at)
    {
        scores[at] = loss.prediction(scores[at]);
    }

    @Override
    protected final double addGradient(
        final int example, final int firstPlace, final float[] rows, final double[] sums)
    {
        final float target = examples().target(example);
        final double score = checkScore(score(example, firstPlace, rows), example);
        accumulate(example, firstPlace, loss.slope(score, target), rows, sums);
        return loss.loss(score, target);
    }

    @Override
    protected final void score(
        final int example, final int firstPlace, final float[] rows, final double[] scores, final int at)
    {
        scores[at] = checkScore(score(example, firstPlace, rows), example);
    }

    /** Compute the score of one example. */
    protected abstract double score(int example, int firstPlace, float[] rows);

    /** Add the gradient of one example whose score was just computed, by the slope of the loss by the score. */
    protected abstract void accumulate(int example, int firstPlace, double slope, float[] rows, double[] sums);
}
