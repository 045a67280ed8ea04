// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.model;

import io.gradstream.training.Model;

/**
 * Computes what a model makes of each example of a set, batch after batch, with rows that are fetched for each. The
 * scores of an example depend on its rows alone, not on the batch.
 */
public final class Scoring
{
    /** Examples whose rows are fetched together. */
    static final int BATCH = 1024;

    private final Model model;
    private final int exampleCount;
    private final int[] order = new int[BATCH];
    private final double[] scores;
    private float[] rows = new float[0];

    /**
     * Scoring of a set.
     *
     * @param model        of the examples.
     * @param exampleCount number of them.
     */
    public Scoring(final Model model, final int exampleCount)
    {
        this.model = model;
        this.exampleCount = exampleCount;
        scores = new double[BATCH * model.scoreCount()];
    }

    /**
     * Score all examples.
     *
     * @throws IllegalStateException if a score is not a number.
     */
    public void forEach(final RowSource source, final Listener listener)
    {
        for (int begin = 0; begin < exampleCount; begin += BATCH)
        {
            final int length = Math.min(BATCH, exampleCount - begin);
            for (int i = 0; i < length; i++)
            {
                order[i] = begin + i;
            }
            final int keyCount = model.select(order, 0, length);
            final int valueCount = Math.multiplyExact(keyCount, model.dim());
            if (rows.length < valueCount)
            {
                rows = new float[valueCount];
            }
            if (keyCount > 0)
            {
                source.fetch(model.keys(), keyCount, rows);
            }
            model.scores(rows, scores);
            for (int i = 0; i < length; i++)
            {
                listener.onScores(begin + i, scores, i * model.scoreCount());
            }
        }
    }

    /** Is told the scores of each example. */
    @FunctionalInterface
    public interface Listener
    {
        /**
         * An example is scored.
         *
         * @param scores of which those from {@code at} on are the example's; not to be kept.
         */
        void onScores(int example, double[] scores, int at);
    }
}
