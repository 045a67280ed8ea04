// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.codecs.RecoveryMode;
import io.gradstream.launcher.ClusterPlan;
import io.gradstream.launcher.LocalCluster;
import io.gradstream.launcher.ServerDriver;
import io.gradstream.launcher.ServerPlan;
import io.gradstream.launcher.WorkerPlan;
import io.gradstream.launcher.process.StatusLine;
import io.gradstream.perf.load.MeasuredCluster;
import io.gradstream.perf.measure.Await;
import io.gradstream.perf.measure.InterruptedRunException;
import io.gradstream.perf.report.RunOptions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Trains on one cluster, in windows without and with faults of one kind in turns. */
final class GoodputLoop
{
    /** More than anybody waits for: the time ends it. */
    private static final int PASSES = 10_000;
    private static final int BATCH = 64;
    private static final int RESTARTS = 100;
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long WHOLE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(180);
    private static final long NS_PER_TICK = TimeUnit.SECONDS.toNanos(1) / 100;
    /** Fields of /proc/self/stat after the name: user and system time of children that have ended. */
    private static final int CHILDREN_USER = 13;
    private static final int CHILDREN_SYSTEM = 14;

    private final RunOptions settings;
    private final RecoveryMode mode;
    private final GoodputFault fault;
    private final long everyNs;
    private final long stopMs;
    private final long[] examples = new long[GoodputRun.PROCESSES];
    private final boolean[] hasBegun = new boolean[GoodputRun.PROCESSES];
    private final List<TrainingRate> undisturbed = new ArrayList<>();
    private final List<TrainingRate> disturbed = new ArrayList<>();
    private LocalCluster cluster;
    private int struck;

    GoodputLoop(
        final RunOptions settings, final RecoveryMode mode, final GoodputFault fault, final long everyNs,
        final long stopMs)
    {
        this.settings = settings;
        this.mode = mode;
        this.fault = fault;
        this.everyNs = everyNs;
        this.stopMs = stopMs;
    }

    /**
     * Train through all windows.
     *
     * @throws IllegalStateException if a process fails, or the cluster does not become whole again.
     */
    void run() throws IOException
    {
        final WorkerPlan workers = new WorkerPlan(GoodputRun.PROCESSES, List.of(
            "--workers=" + GoodputRun.PROCESSES, "--examples=" + GoodputRun.EXAMPLES,
            "--features=" + GoodputRun.FEATURES, "--passes=" + PASSES, "--batch=" + BATCH,
            "--seed=" + TrainingRun.SEED), mode.ackLevel(), 0);
        final ServerPlan servers = new ServerPlan(settings.profileName(), ServerDriver.INTERNAL, ServerPlan.RECOVERY,
            mode.label(), mode.isReplicated() ? 2 : 1, ServerPlan.DEFAULT);
        final ClusterPlan plan = ClusterPlan.local(GoodputRun.PROCESSES, 1, GoodputRun.PARTITIONS,
            GoodputRun.FEATURES, servers, workers).restarts(RESTARTS).withOwnProcesses();
        try (MeasuredCluster measured = MeasuredCluster.start(settings, plan))
        {
            cluster = measured.processes();
            cluster.startWorkers();
            Await.until("each worker to train", START_TIMEOUT_NS,
                () -> Arrays.stream(examples).allMatch((done) -> done > 0), this::poll);
            Await.rest(settings.warmupNs(), this::poll);
            for (int window = 0; window < settings.windows(); window++)
            {
                undisturbed.add(window(Long.MAX_VALUE));
                disturbed.add(window(0));
                Await.until("all to be whole again", WHOLE_TIMEOUT_NS, this::isWhole, this::poll);
            }
        }
    }

    List<TrainingRate> undisturbed()
    {
        return undisturbed;
    }

    List<TrainingRate> disturbed()
    {
        return disturbed;
    }

    /** Number of faults in all windows. */
    int struck()
    {
        return struck;
    }

    private TrainingRate window(final long firstFaultNs) throws IOException
    {
        final long beginCpuNs = cpuNs();
        final long beginNs = System.nanoTime();
        final long beginExamples = total();
        long dueNs = firstFaultNs;
        long elapsedNs = 0;
        while (elapsedNs < settings.windowNs())
        {
            if (elapsedNs >= dueNs && isWhole())
            {
                fault.strike(cluster, struck, stopMs);
                struck++;
                Arrays.fill(hasBegun, false);
                dueNs = elapsedNs + Math.max(everyNs, fault.isKill() ? 0 : TimeUnit.MILLISECONDS.toNanos(stopMs));
            }
            poll();
            InterruptedRunException.check();
            elapsedNs = System.nanoTime() - beginNs;
        }

        return TrainingRate.of(total() - beginExamples, elapsedNs, cpuNs() - beginCpuNs);
    }

    private boolean isWhole()
    {
        boolean areWorkersBegun = true;
        for (int slot = 0; slot < hasBegun.length; slot++)
        {
            areWorkersBegun &= hasBegun[slot];
        }
        return areWorkersBegun && cluster.isWhole() && cluster.areCoordinatorsWhole();
    }

    private void poll()
    {
        cluster.poll(this::onLine);
        cluster.idle();
    }

    private void onLine(final int slot, final StatusLine line)
    {
        if (line.is(StatusLine.PROGRESS))
        {
            examples[slot] = Math.max(examples[slot], line.number("examples"));
            hasBegun[slot] = true;
        }
        else if (line.is(StatusLine.RESULT))
        {
            throw new IllegalStateException("worker " + slot + " has done all its " + PASSES +
                " passes before the time was over: use fewer --windows");
        }
    }

    private long total()
    {
        return Arrays.stream(examples).sum();
    }

    /** Of this process, and of its children, those that were killed too. */
    private static long cpuNs() throws IOException
    {
        final String stat = Files.readString(Path.of("/proc/self/stat"));
        final String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return ClusterLoop.cpuNs() +
            (Long.parseLong(fields[CHILDREN_USER]) + Long.parseLong(fields[CHILDREN_SYSTEM])) * NS_PER_TICK;
    }
}
