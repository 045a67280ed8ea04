// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.training.BatchSchedule;
import io.gradstream.training.ClickLog;
import io.gradstream.training.Evaluation;
import io.gradstream.training.Examples;
import io.gradstream.training.LinearModel;
import io.gradstream.training.Loss;
import org.agrona.concurrent.SleepingIdleStrategy;

/**
 * One worker that trains a model while faults strike, and afterwards takes the same steps again, undisturbed, into
 * another table. It alone writes both, so that they must agree to the bit.
 */
final class ModelTraining implements AutoCloseable
{
    /**
     * What came of it.
     *
     * @param steps      taken under faults, and once more without.
     * @param differing  parameters whose bits are not those of the undisturbed run.
     * @param model      quality of the model trained under faults.
     * @param undisturbed quality of the other one.
     */
    record Result(int steps, long differing, Evaluation model, Evaluation undisturbed)
    {
    }

    private static final String FUNCTION = "ftrl/1 alpha=0.1 beta=1.0 l1=0.1 l2=1.0";
    private static final TableSpec MODEL = TableSpec.sparse(1, "model", 1, FUNCTION);
    private static final TableSpec UNDISTURBED = TableSpec.sparse(2, "undisturbed", 1, FUNCTION);
    private static final ClickLog.Spec DATA = ClickLog.Spec.defaults(17).withExamples(20_000).withFeatures(4_096);
    private static final int BATCH = 64;
    private static final long PACE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final int ROWS_AT_ONCE = 1_024;
    private static final long STOP_TIMEOUT_MS = 120_000;

    private final ClientContext context;
    private final ClickLog log = new ClickLog(DATA);
    private final Examples examples = log.train(0, 1);
    private final LinearModel regression = new LinearModel(examples, Loss.LOGISTIC);
    private final BatchSchedule schedule = new BatchSchedule(DATA.seed(), 0, examples.size(), BATCH);
    private final Thread thread;
    private float[] weights = new float[0];
    private float[] gradient = new float[0];
    private volatile Result result;
    private volatile RuntimeException failure;
    private volatile boolean isStopping;
    private volatile boolean isClosed;

    private ModelTraining(final ClientContext context)
    {
        this.context = context;
        thread = new Thread(this::run, "training");
        thread.setDaemon(true);
    }

    /** Start training on a slot that nobody else holds. */
    static ModelTraining start(final int slot, final FaultCluster cluster)
    {
        final ModelTraining training = new ModelTraining(
            cluster.clientContext().slot(slot).idleStrategy(new SleepingIdleStrategy(PARK_NS)));
        training.thread.start();
        return training;
    }

    /** Take no more steps under faults, train again without, and compare. */
    Result finish(final FaultCluster cluster)
    {
        isStopping = true;
        cluster.await("the undisturbed model is trained", STOP_TIMEOUT_MS, () -> !thread.isAlive());
        if (null != failure)
        {
            throw new AssertionError("training cannot go on", failure);
        }

        return result;
    }

    @Override
    public void close()
    {
        isClosed = true;
        isStopping = true;
        try
        {
            thread.join(STOP_TIMEOUT_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void run()
    {
        try (GradstreamClient client = GradstreamClient.connect(context))
        {
            final Table model = client.createTable(MODEL);
            int steps = 0;
            while (!isStopping)
            {
                step(model, steps++);
                LockSupport.parkNanos(PACE_NS);
            }
            client.awaitAll();

            final Table undisturbed = client.createTable(UNDISTURBED);
            for (int i = 0; i < steps && !isClosed; i++)
            {
                step(undisturbed, i);
            }
            client.awaitAll();
            result = compare(steps, parameters(model), parameters(undisturbed));
        }
        catch (final RuntimeException ex)
        {
            failure = ex;
        }
    }

    private void step(final Table table, final int step)
    {
        final int batch = step % schedule.batchCount();
        if (0 == batch)
        {
            schedule.startPass(step / schedule.batchCount());
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

    private static float[] parameters(final Table table)
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

    private Result compare(final int steps, final float[] model, final float[] undisturbed)
    {
        long differing = 0;
        for (int i = 0; i < model.length; i++)
        {
            differing += Float.floatToRawIntBits(model[i]) == Float.floatToRawIntBits(undisturbed[i]) ? 0 : 1;
        }
        final Examples test = log.test();

        return new Result(steps, differing, Evaluation.of(test, model), Evaluation.of(test, undisturbed));
    }
}
