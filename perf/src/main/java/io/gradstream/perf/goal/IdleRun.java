// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.codecs.TableSpec;
import io.gradstream.perf.load.CpuLoad;
import io.gradstream.perf.load.MeasuredCluster;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.Bound;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.perf.report.TargetLine;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.session.AckLevel;
import picocli.CommandLine.Command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * T16: the cost of a server, a coordinator and a media driver while nothing happens, and the time until the first pull
 * after that is answered.
 */
@Command(name = "idle", description = {
    "Measure what idle processes cost, and the first answer to a pull after a second without one.",
    "About 45 s."})
public final class IdleRun extends Measurement
{
    private static final String ID = "T16";
    /** Most of a core, in percent. */
    private static final double MAX_SERVER = 3;
    private static final double MAX_COORDINATOR = 2;
    private static final double MAX_DRIVER = 2;
    private static final double MAX_ANSWER_US = 1_000;

    /** For compilers and elections. */
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(20);
    /** Of a window at least, since the system counts processor time in hundredths of a second. */
    private static final long MIN_WINDOW_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int TRIES = 20;
    private static final int WARM_UP_PULLS = 2_000;
    private static final TableSpec TABLE = TableSpec.dense(0, "idle", 64, 1024, "sgd/1 rate=0.001");

    public IdleRun()
    {
        super(new RunOptions(5, 1, RunOptions.NONE));
    }

    @Override
    public List<TargetLine> measure() throws IOException
    {
        final List<TargetLine> lines = new ArrayList<>();
        try (MeasuredCluster cluster = MeasuredCluster.start(
            settings, MeasuredCluster.plan(settings, 1, TABLE.rows()).withOwnProcesses()))
        {
            final List<Long> pids = List.of(cluster.serverPid(), cluster.processes().coordinatorPid(0),
                cluster.processes().workersDriverPid());
            cluster.rest(SETTLE_NS);
            final double[][] percents = new double[pids.size()][settings.windows()];
            for (int window = 0; window < settings.windows(); window++)
            {
                final CpuLoad.Meter meter = new CpuLoad.Meter(pids);
                cluster.rest(Math.max(MIN_WINDOW_NS, settings.windowNs()));
                final List<Double> cores = meter.read().servers();
                for (int i = 0; i < pids.size(); i++)
                {
                    percents[i][window] = 100 * cores.get(i);
                }
            }
            lines.add(cpu("server with driver and Archive", percents[0], MAX_SERVER));
            lines.add(cpu("coordinator", percents[1], MAX_COORDINATOR));
            lines.add(cpu("media driver in a process of its own", percents[2], MAX_DRIVER));
            lines.add(TargetLine.target(ID, "first answer to a pull after 1 s", "us", firstAnswers(cluster),
                Double.NaN, Bound.atMost(MAX_ANSWER_US), ""));
        }

        return lines;
    }

    private TargetLine cpu(final String what, final double[] percents, final double most)
    {
        return TargetLine.target(ID, what + ", idle, profile " + settings.profileName(), "% core",
            Summary.of(percents), Double.NaN, Bound.atMost(most), "");
    }

    private Summary firstAnswers(final MeasuredCluster cluster)
    {
        final GradstreamClient client = cluster.connect(0, AckLevel.APPLIED);
        final Table table = client.createTable(TABLE);
        final float[] row = new float[TABLE.dim()];
        for (int i = 0; i < WARM_UP_PULLS; i++)
        {
            table.pullRangeAndAwait(0, 1, row);
        }
        final double[] us = new double[TRIES];
        for (int i = 0; i < TRIES; i++)
        {
            cluster.idle(client, PAUSE_NS);
            final long beginNs = System.nanoTime();
            table.pullRangeAndAwait(0, 1, row);
            us[i] = (System.nanoTime() - beginNs) / 1e3;
        }

        return Summary.of(us);
    }
}
