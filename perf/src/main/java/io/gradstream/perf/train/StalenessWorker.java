// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.codecs.TableSpec;
import io.gradstream.training.BatchSchedule;
import io.gradstream.training.Examples;
import io.gradstream.training.LinearModel;
import io.gradstream.training.Loss;
import io.gradstream.training.Stragglers;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.ClientStats;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker on a thread of its own that trains until it is told to stop. Each batch takes the time that is set for it.
 */
final class StalenessWorker implements Runnable
{
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private final int slot;
    private final ClientContext context;
    private final TableSpec spec;
    private final Examples examples;
    private final BatchSchedule schedule;
    private final Stragglers stragglers;
    private final long stepNs;
    private final Thread thread;
    private volatile boolean isStopped;
    private volatile boolean isReady;
    private volatile boolean isBegun;
    private final AtomicLong iterations = new AtomicLong();
    private final AtomicLong waitedNs = new AtomicLong();
    private volatile long trainedNs;
    private volatile ClientStats stats;
    private volatile Throwable failure;

    StalenessWorker(
        final int slot,
        final ClientContext context,
        final TableSpec spec,
        final Examples examples,
        final BatchSchedule schedule,
        final Stragglers stragglers,
        final long stepNs)
    {
        this.slot = slot;
        this.context = context;
        this.spec = spec;
        this.examples = examples;
        this.schedule = schedule;
        this.stragglers = stragglers;
        this.stepNs = stepNs;
        thread = new Thread(this, "staleness-" + slot);
        thread.setDaemon(true);
        thread.start();
    }

    /** True if the worker is connected. */
    boolean isReady()
    {
        check();
        return isReady;
    }

    /** Go on to the first batch. */
    void begin()
    {
        isBegun = true;
    }

    void stop()
    {
        isStopped = true;
    }

    void join(final long timeoutMs) throws InterruptedException
    {
        thread.join(timeoutMs);
        check();
        if (thread.isAlive())
        {
            throw new IllegalStateException("worker " + slot + " does not end within " + timeoutMs + " ms");
        }
    }

    void check()
    {
        if (null != failure)
        {
            throw new IllegalStateException("worker " + slot + " cannot go on", failure);
        }
    }

    long iterations()
    {
        return iterations.get();
    }

    /** Share of the worker's time in which it waited for slower workers. */
    double waitRatio()
    {
        return (double)waitedNs.get() / Math.max(1, trainedNs);
    }

    /** The counts of the worker's client, once the worker has ended. */
    ClientStats stats()
    {
        return stats;
    }

    @Override
    public void run()
    {
        try (GradstreamClient client = GradstreamClient.connect(context))
        {
            final Table table = client.createTable(spec);
            isReady = true;
            while (!isBegun && !isStopped)
            {
                idle(client);
            }
            final long beganNs = System.nanoTime();
            train(client, table);
            trainedNs = System.nanoTime() - beganNs;
            client.finish();
            client.awaitAll();
            stats = client.stats();
        }
        catch (final RuntimeException | Error ex)
        {
            failure = ex;
        }
    }

    private void train(final GradstreamClient client, final Table table)
    {
        final LinearModel model = new LinearModel(examples, Loss.LOGISTIC);
        for (int pass = 0; !isStopped; pass++)
        {
            schedule.startPass(pass);
            for (int batch = 0; batch < schedule.batchCount() && !isStopped; batch++)
            {
                final int keyCount =
                    model.select(schedule.order(), schedule.batchOffset(batch), schedule.batchLength(batch));
                step(client, table, model, keyCount);
            }
        }
    }

    private void step(
        final GradstreamClient client, final Table table, final LinearModel model, final int keyCount)
    {
        final float[] weights = new float[keyCount];
        final float[] gradient = new float[keyCount];
        final long askedNs = System.nanoTime();
        final long ticket = table.pull(model.keys(), keyCount, weights);
        client.await(ticket);
        final long beganNs = System.nanoTime();
        waitedNs.addAndGet(Math.min(client.heldNs(ticket), beganNs - askedNs));
        model.gradient(weights, gradient);
        final long endNs = beganNs + (long)(stragglers.factor(slot, iterations.get()) * stepNs);
        while (System.nanoTime() - endNs < 0 && !isStopped)
        {
            idle(client);
        }
        table.push(model.keys(), 0, keyCount, gradient);
        client.clock();
        iterations.incrementAndGet();
    }

    private static void idle(final GradstreamClient client)
    {
        if (0 == client.poll())
        {
            LockSupport.parkNanos(PARK_NS);
        }
    }
}
