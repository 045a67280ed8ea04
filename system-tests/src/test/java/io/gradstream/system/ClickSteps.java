// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.gradstream.codecs.TableSpec;
import io.gradstream.training.BatchSchedule;
import io.gradstream.training.ClickLog;
import io.gradstream.training.Evaluation;
import io.gradstream.training.Examples;
import io.gradstream.training.LinearModel;
import io.gradstream.training.Loss;
import io.gradstream.worker.Table;

import java.util.Arrays;

/** Steps of a training on generated clicks, each of one batch, and the quality of the model that they make. */
final class ClickSteps
{
    private static final ClickLog.Spec DATA = ClickLog.Spec.defaults(17).withExamples(20_000).withFeatures(4_096);
    private static final String FUNCTION = "ftrl/1 alpha=0.1 beta=1.0 l1=0.1 l2=1.0";
    private static final int BATCH = 64;
    private static final int ROWS_AT_ONCE = 1_024;

    /** A table of a model that is trained under faults. */
    static final TableSpec MODEL = TableSpec.sparse(1, "model", 1, FUNCTION);
    /** A table of a model that is trained without any. */
    static final TableSpec UNDISTURBED = TableSpec.sparse(2, "undisturbed", 1, FUNCTION);

    private final ClickLog log = new ClickLog(DATA);
    private final Examples examples = log.train(0, 1);
    private final LinearModel regression = new LinearModel(examples, Loss.LOGISTIC);
    private final BatchSchedule schedule = new BatchSchedule(DATA.seed(), 0, examples.size(), BATCH);
    private int pass = -1;
    private float[] weights = new float[0];
    private float[] gradient = new float[0];

    /** Batches of a pass. */
    int batchCount()
    {
        return schedule.batchCount();
    }

    /** Pull what a batch needs of a model, and push its gradient. */
    void step(final Table table, final int ofPass, final int batch)
    {
        if (pass != ofPass)
        {
            schedule.startPass(ofPass);
            pass = ofPass;
        }
        final int keyCount =
            regression.select(schedule.order(), schedule.batchOffset(batch), schedule.batchLength(batch));
        if (weights.length < keyCount)
        {
            weights = new float[2 * keyCount];
            gradient = new float[2 * keyCount];
        }
        table.pullAndAwait(regression.keys(), keyCount, weights);
        regression.gradient(weights, gradient);
        table.push(regression.keys(), 0, keyCount, gradient);
    }

    /** All parameters of a model. */
    float[] parameters(final Table table)
    {
        final float[] parameters = new float[DATA.features()];
        final long[] keys = new long[ROWS_AT_ONCE];
        final float[] values = new float[ROWS_AT_ONCE];
        for (int begin = 0; begin < parameters.length; begin += ROWS_AT_ONCE)
        {
            final int first = begin;
            final int count = Math.min(ROWS_AT_ONCE, parameters.length - begin);
            Arrays.setAll(keys, (i) -> first + i);
            table.pullAndAwait(keys, count, values);
            System.arraycopy(values, 0, parameters, begin, count);
        }

        return parameters;
    }

    /** The quality of a model, by examples that were not trained on. */
    Evaluation evaluate(final float[] parameters)
    {
        return Evaluation.of(log.test(), parameters);
    }
}
