// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.codecs.Check;
import io.gradstream.codecs.TableSpec;
import io.gradstream.perf.load.ClientTransceiver;
import io.gradstream.perf.load.CpuLoad;
import io.gradstream.perf.load.LoadLoop;
import io.gradstream.perf.load.MeasuredCluster;
import io.gradstream.perf.measure.InterruptedRunException;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.measure.Transceiver;
import io.gradstream.perf.report.Bound;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.perf.report.TargetLine;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.session.AckLevel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** T5: updates of single floats by their keys, of the same keys with each push, and of random rows of a large table. */
@Command(name = "sparse", description = {
    "Measure updates of single floats: the same 1,024 keys with each push, and random rows of a large table.",
    "About 30 s."})
public final class SparseRun extends Measurement
{
    private static final String ID = "T5";
    private static final double MIN_SAME_KEYS = 60;
    private static final double MIN_RANDOM_ROWS = 10;
    private static final double MILLION = 1e6;

    private static final int KEYS = 1024;
    private static final int SMALL_ROWS = 16 * KEYS;
    private static final int RANDOM_KEYS = 1 << 20;
    private static final int MAX_ROWS = 100_000_000;
    private static final String FUNCTION = "sgd/1 rate=0.001";

    @Option(names = "--rows", defaultValue = "1000000", paramLabel = "N",
        description = "Rows of the large table. Default: ${DEFAULT-VALUE}.")
    private int rows;

    public SparseRun()
    {
        super(new RunOptions(5, 1, RunOptions.NONE));
    }

    @Override
    protected void check()
    {
        super.check();
        Check.range("--rows", rows, SMALL_ROWS, MAX_ROWS);
    }

    @Override
    public List<TargetLine> measure() throws IOException
    {
        final List<TargetLine> lines = new ArrayList<>();
        try (MeasuredCluster cluster = MeasuredCluster.start(settings, MeasuredCluster.plan(settings, 1, rows)))
        {
            final GradstreamClient client = cluster.connect(0, AckLevel.APPLIED);
            final Table small = client.createTable(TableSpec.dense(0, "small", SMALL_ROWS, 1, FUNCTION));
            fill(client, small);
            final long[] sameKeys = LongStream.range(0, KEYS).map((key) -> key * SMALL_ROWS / KEYS).toArray();
            lines.add(line("1,024 keys of one float a push, the same each time, depth 8", "M keys/s",
                millions(cluster, ClientTransceiver.keyPushes(client, small, sameKeys, KEYS)), MIN_SAME_KEYS));
            lines.add(line("1,024 rows of one float a push as a range, depth 8", "M keys/s",
                millions(cluster, ClientTransceiver.pushes(client, small, KEYS)), MIN_SAME_KEYS));

            final Table large = client.createTable(TableSpec.dense(1, "large", rows, 1, FUNCTION));
            fill(client, large);
            final Transceiver random =
                ClientTransceiver.keyPushes(client, large, PowerLawKeys.of(RANDOM_KEYS, rows), KEYS);
            final CpuLoad.Meter meter = new CpuLoad.Meter(List.of(cluster.serverPid()));
            final Summary updates = millions(cluster, random);
            final double cores = meter.read().servers().get(0);
            lines.add(line(rows + " rows, power-law keys, depth 8", "M/s/core",
                Summary.of(updates.windows().stream()
                    .mapToDouble((window) -> window / cores).toArray()), MIN_RANDOM_ROWS));
        }

        return lines;
    }

    private static TargetLine line(final String measure, final String unit, final Summary ours, final double least)
    {
        return TargetLine.target(ID, measure, unit, ours, Double.NaN, Bound.atLeast(least), "");
    }

    /** Rows are made by their first update. */
    private static void fill(final GradstreamClient client, final Table table)
    {
        final float[] zeros = new float[SMALL_ROWS];
        for (long begin = 0; begin < table.spec().rows(); begin += SMALL_ROWS)
        {
            table.pushRange(begin, (int)Math.min(SMALL_ROWS, table.spec().rows() - begin), zeros);
            InterruptedRunException.check();
        }
        client.awaitAll();
    }

    private Summary millions(final MeasuredCluster cluster, final Transceiver load)
    {
        final LoadLoop loop = cluster.loop(load);
        loop.flatOut(MeasuredCluster.DEPTH, settings.windowNs(), Long.MAX_VALUE);
        return settings.each((window) -> loop.flatOut(MeasuredCluster.DEPTH, settings.windowNs(), Long.MAX_VALUE)
            .transfersPerSecond() * KEYS / MILLION);
    }
}
