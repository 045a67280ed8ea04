// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.launcher.ClusterPlan;
import io.gradstream.launcher.LocalCluster;
import io.gradstream.launcher.RunDirectory;
import io.gradstream.launcher.ServerPlan;
import io.gradstream.launcher.WorkerPlan;
import io.gradstream.launcher.process.StatusLine;
import io.gradstream.perf.measure.InterruptedRunException;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Trains on a local cluster of processes, for as long as the settings say, and stops it.
 */
final class ClusterLoop
{
    /** More than anybody waits for: the time ends it. */
    private static final int PASSES = 10_000;
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    private final TrainingSettings settings;
    private final Shape shape;
    private final int batch;
    /** Examples that each worker has trained on, as it last said. */
    private final long[] examples;

    ClusterLoop(final TrainingSettings settings, final Shape shape, final int batch)
    {
        this.settings = settings;
        this.shape = shape;
        this.batch = batch;
        examples = new long[shape.servers()];
    }

    /**
     * Train.
     *
     * @throws IllegalStateException if a process fails, or a worker does not begin.
     */
    Pace run() throws IOException
    {
        final String profile = settings.profile().name().toLowerCase(Locale.ROOT);
        final WorkerPlan workers = new WorkerPlan(shape.servers(), List.of(
            "--workers=" + shape.servers(), "--examples=" + settings.examples(), "--features=" + settings.features(),
            "--passes=" + PASSES, "--batch=" + batch, "--seed=" + TrainingSettings.SEED),
            shape.mode().isReplicated() ? "replicated" : "recorded", 0);
        final ServerPlan servers = new ServerPlan(profile, shape.driver(), "needed", shape.mode().label(),
            shape.mode().isReplicated() ? 1 : 0, ServerPlan.SHARED);
        final ClusterPlan plan = ClusterPlan.local(
            shape.servers(), 1, TrainingSettings.PARTITIONS, settings.features(), servers, workers);
        try (RunDirectory directory = RunDirectory.create(null);
            LocalCluster cluster = new LocalCluster(plan, directory))
        {
            cluster.startHosts();
            cluster.startWorkers();
            awaitBegin(cluster);
            follow(cluster, settings.warmUpSeconds());
            final long beginCpuNs = cpuNs();
            final long beginNs = System.nanoTime();
            final long beginExamples = total();
            follow(cluster, settings.windowSeconds());

            return Pace.of(total() - beginExamples, System.nanoTime() - beginNs, cpuNs() - beginCpuNs);
        }
    }

    private void awaitBegin(final LocalCluster cluster)
    {
        final long beginNs = System.nanoTime();
        while (!haveAllBegun())
        {
            if (System.nanoTime() - beginNs > START_TIMEOUT_NS)
            {
                throw new IllegalStateException("a worker has trained on nothing after " +
                    TimeUnit.NANOSECONDS.toSeconds(START_TIMEOUT_NS) + " s: " + shape.title());
            }
            poll(cluster);
        }
    }

    private boolean haveAllBegun()
    {
        boolean haveAll = true;
        for (final long done : examples)
        {
            haveAll &= done > 0;
        }

        return haveAll;
    }

    private void follow(final LocalCluster cluster, final int seconds)
    {
        final long beginNs = System.nanoTime();
        while (System.nanoTime() - beginNs < TimeUnit.SECONDS.toNanos(seconds))
        {
            poll(cluster);
        }
    }

    private void poll(final LocalCluster cluster)
    {
        cluster.poll(this::onLine);
        if (Thread.interrupted())
        {
            throw new InterruptedRunException();
        }
        cluster.idle();
    }

    void onLine(final int slot, final StatusLine line)
    {
        if (line.is(StatusLine.PROGRESS))
        {
            examples[slot] = line.number("examples");
        }
        else if (line.is(StatusLine.RESULT))
        {
            throw new IllegalStateException(
                "worker " + slot + " has done all its " + PASSES + " passes before the time was over: more --examples");
        }
    }

    long total()
    {
        long total = 0;
        for (final long done : examples)
        {
            total += done;
        }

        return total;
    }

    /** Of this process, which has the coordinator and the workers' driver, and of those it started. */
    static long cpuNs()
    {
        return Stream.concat(Stream.of(ProcessHandle.current()), ProcessHandle.current().descendants())
            .mapToLong((process) -> process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L)).sum();
    }
}
