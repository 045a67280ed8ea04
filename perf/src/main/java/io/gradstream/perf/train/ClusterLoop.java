// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.launcher.ClusterPlan;
import io.gradstream.launcher.LocalCluster;
import io.gradstream.launcher.ServerPlan;
import io.gradstream.launcher.WorkerPlan;
import io.gradstream.launcher.process.StatusLine;
import io.gradstream.perf.load.MeasuredCluster;
import io.gradstream.perf.measure.Await;
import io.gradstream.perf.measure.CpuTimes;
import io.gradstream.perf.measure.MachineLoad;
import io.gradstream.perf.report.RunOptions;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Trains on a local cluster of processes, for as long as the options say, and stops it. */
final class ClusterLoop
{
    /** More than anybody waits for: the time ends it. */
    private static final int PASSES = 10_000;
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    private final TrainingRun training;
    private final TrainingSetup setup;
    private final int batch;
    /** Examples that each worker has trained on, as it last said. */
    private final long[] examples;

    ClusterLoop(final TrainingRun training, final TrainingSetup setup, final int batch)
    {
        this.training = training;
        this.setup = setup;
        this.batch = batch;
        examples = new long[setup.servers()];
    }

    /**
     * Train.
     *
     * @throws IllegalStateException if a process fails, or a worker does not begin.
     */
    TrainingRate run() throws IOException
    {
        final RunOptions settings = training.settings();
        final WorkerPlan workers = new WorkerPlan(setup.servers(), List.of(
            "--workers=" + setup.servers(), "--examples=" + training.examples(), "--features=" + training.features(),
            "--passes=" + PASSES, "--batch=" + batch, "--seed=" + TrainingRun.SEED),
            setup.mode().isReplicated() ? "replicated" : "recorded", 0);
        final ServerPlan servers = new ServerPlan(settings.profileName(), setup.driver(), ServerPlan.RECOVERY,
            setup.mode().label(), setup.mode().isReplicated() ? 2 : 1, ServerPlan.DEFAULT);
        final ClusterPlan plan = ClusterPlan.local(
            setup.servers(), 1, TrainingRun.PARTITIONS, training.features(), servers, workers);
        try (MeasuredCluster measured = MeasuredCluster.start(settings, plan))
        {
            final LocalCluster cluster = measured.processes();
            cluster.startWorkers();
            Await.until("each worker to train: " + setup.title(), START_TIMEOUT_NS,
                () -> Arrays.stream(examples).allMatch((done) -> done > 0), () -> poll(cluster));
            Await.rest(settings.warmupNs(), () -> poll(cluster));
            final MachineLoad.Meter machine = new MachineLoad.Meter();
            final long beginServersNs = CpuTimes.ofNs(measured.serverPids());
            final long beginCpuNs = CpuTimes.ownNs();
            final long beginNs = System.nanoTime();
            final long beginExamples = total();
            Await.rest(settings.windowNs(), () -> poll(cluster));

            return TrainingRate.of(total() - beginExamples, System.nanoTime() - beginNs,
                CpuTimes.ownNs() - beginCpuNs, CpuTimes.ofNs(measured.serverPids()) - beginServersNs, machine.read());
        }
    }

    private void poll(final LocalCluster cluster)
    {
        cluster.poll(this::onLine);
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
        return Arrays.stream(examples).sum();
    }
}
