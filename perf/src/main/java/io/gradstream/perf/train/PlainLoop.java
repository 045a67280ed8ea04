// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.training.Examples;
import io.gradstream.training.LocalFtrl;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * The loop of a worker and the arithmetic of a server in one thread, with nothing between them.
 */
final class PlainLoop
{
    private static final double ALPHA = 1.0;
    private static final double BETA = 1.0;
    private static final double L1 = 0.001;

    private final LocalFtrl model;
    private final Examples examples;
    private final int batch;

    private PlainLoop(final int features, final Examples examples, final int batch)
    {
        model = new LocalFtrl(features, ALPHA, BETA, L1, 0);
        this.examples = examples;
        this.batch = batch;
    }

    /** Train whole passes for as long as the settings say. */
    static Pace run(final TrainingSettings settings, final Examples examples, final int batch)
    {
        final PlainLoop loop = new PlainLoop(settings.features(), examples, batch);
        loop.trainFor(settings.warmUpSeconds());
        final long beginCpuNs = cpuNs();
        final long beginNs = System.nanoTime();
        final int passes = loop.trainFor(settings.windowSeconds());

        return Pace.of((double)examples.size() * passes, System.nanoTime() - beginNs, cpuNs() - beginCpuNs);
    }

    private int trainFor(final int seconds)
    {
        final long beginNs = System.nanoTime();
        int passes = 0;
        while (System.nanoTime() - beginNs < TimeUnit.SECONDS.toNanos(seconds))
        {
            model.train(examples, batch, 1, passes++);
        }

        return passes;
    }

    /** Of the calling thread. */
    static long cpuNs()
    {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
