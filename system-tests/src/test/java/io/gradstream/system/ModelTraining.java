// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.training.Evaluation;
import org.agrona.concurrent.SleepingIdleStrategy;

/**
 * One worker that trains a model while faults strike, and afterwards takes the same steps again, undisturbed, into
 * another table. It alone writes both, so that they must agree to the bit.
 */
final class ModelTraining implements AutoCloseable
{
    /**
     * The outcome of a training.
     *
     * @param steps      taken under faults, and once more without.
     * @param differing  parameters whose bits are not those of the undisturbed run.
     * @param model      quality of the model trained under faults.
     * @param undisturbed quality of the other one.
     */
    record Result(int steps, long differing, Evaluation model, Evaluation undisturbed)
    {
    }

    private static final long PACE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long STOP_TIMEOUT_MS = 120_000;
    private static final int STEPS_OF_A_WAIT = 1_000;

    private final ClientContext context;
    private final ClickSteps clicks = new ClickSteps();
    private final Thread thread;
    private volatile Result result;
    private volatile int undisturbedSteps;
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
        while (thread.isAlive())
        {
            final int wanted = undisturbedSteps + STEPS_OF_A_WAIT;
            cluster.await("the undisturbed model is trained by " + STEPS_OF_A_WAIT + " steps more", STOP_TIMEOUT_MS,
                () -> !thread.isAlive() || undisturbedSteps >= wanted);
        }
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
            final Table model = client.createTable(ClickSteps.MODEL);
            int steps = 0;
            while (!isStopping)
            {
                step(model, steps++);
                LockSupport.parkNanos(PACE_NS);
            }
            client.awaitAll();

            final Table undisturbed = client.createTable(ClickSteps.UNDISTURBED);
            for (int i = 0; i < steps && !isClosed; i++)
            {
                step(undisturbed, i);
                undisturbedSteps = i + 1;
            }
            client.awaitAll();
            result = compare(steps, clicks.parameters(model), clicks.parameters(undisturbed));
        }
        catch (final RuntimeException ex)
        {
            failure = ex;
        }
    }

    private void step(final Table table, final int step)
    {
        clicks.step(table, step / clicks.batchCount(), step % clicks.batchCount());
    }

    private Result compare(final int steps, final float[] model, final float[] undisturbed)
    {
        long differing = 0;
        for (int i = 0; i < model.length; i++)
        {
            differing += Float.floatToRawIntBits(model[i]) == Float.floatToRawIntBits(undisturbed[i]) ? 0 : 1;
        }

        return new Result(steps, differing, clicks.evaluate(model), clicks.evaluate(undisturbed));
    }
}
