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
import io.gradstream.perf.measure.CpuTimes;
import io.gradstream.perf.measure.InterruptedRunException;
import io.gradstream.perf.measure.MachineLoad;
import io.gradstream.perf.report.RunOptions;

import java.io.IOException;
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
        final MachineLoad.Meter machine = new MachineLoad.Meter();
        final long beginCpuNs = CpuTimes.ownNs();
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

        // a server that was killed takes its processor time with it: only the sum of all processes is known
        return TrainingRate.of(
            total() - beginExamples, elapsedNs, CpuTimes.ownNs() - beginCpuNs, Double.NaN, machine.read());
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
}
