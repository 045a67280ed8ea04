// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.perf.report.RunOptions;
import io.gradstream.training.BatchSchedule;
import io.gradstream.training.RatingLog;

import java.util.Random;

/**
 * Matrix factorisation in one thread: the loop of a worker and the arithmetic of a server, with nothing between them.
 */
final class PlainFactors
{
    /** Of the sums of a batch, so it is small: popular items occur often in each. */
    static final float RATE = 0.05f;
    /** Standard deviation of factors at the beginning: products far below the ratings, gradients that move them. */
    static final float INITIAL_DEVIATION = 0.2f;

    private final float[][] rows;
    private final FactorBatch batch;
    private final BatchSchedule schedule;
    private final int ratingCount;

    /** Train rows, those of users, then of items, which change. */
    PlainFactors(final float[][] rows, final RatingLog ratings, final int batchSize)
    {
        this.rows = rows;
        batch = new FactorBatch(ratings);
        schedule = new BatchSchedule(TrainingRun.SEED, 0, ratings.size(), batchSize);
        ratingCount = ratings.size();
    }

    /** Train whole passes for as long as the options say. */
    static TrainingRate run(final RunOptions settings, final RatingLog ratings, final int batchSize)
    {
        final float[][] rows = initialRows(ratings);
        return new Passes(new PlainFactors(rows, ratings, batchSize)::trainPass)
            .evaluatedBy(() -> HeldOutRatings.error(ratings.spec(), rows))
            .measure(settings, ratings.size(), Passes::threadCpuNs, () -> 0, () -> {});
    }

    /** Normal, and always the same. */
    static float[][] initialRows(final RatingLog ratings)
    {
        final Random random = new Random(TrainingRun.SEED);
        final float[][] rows = new float[FactorBatch.rows(ratings)][FactorBatch.RANK];
        for (final float[] row : rows)
        {
            for (int k = 0; k < row.length; k++)
            {
                row[k] = (float)(INITIAL_DEVIATION * random.nextGaussian());
            }
        }

        return rows;
    }

    /** Train all ratings once; returns the mean squared error of each batch before it was applied. */
    double trainPass(final int pass)
    {
        schedule.startPass(pass);
        double loss = 0.0;
        for (int i = 0; i < schedule.batchCount(); i++)
        {
            batch.select(schedule.order(), schedule.batchOffset(i), schedule.batchLength(i));
            loss += batch.computeAt(rows);
            update();
        }

        return loss / ratingCount;
    }

    /** As {@code sgd} does. */
    private void update()
    {
        final long[] keys = batch.keys();
        final float[] gradients = batch.gradients();
        for (int i = 0; i < batch.keyCount(); i++)
        {
            final float[] row = rows[(int)keys[i]];
            for (int k = 0; k < FactorBatch.RANK; k++)
            {
                row[k] -= RATE * gradients[i * FactorBatch.RANK + k];
            }
        }
    }
}
