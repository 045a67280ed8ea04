// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.codecs.Check;
import io.gradstream.codecs.TableSpec;
import io.gradstream.perf.load.ClientTransceiver;
import io.gradstream.perf.load.CostMeter;
import io.gradstream.perf.load.LoadLoop;
import io.gradstream.perf.load.MeasuredCluster;
import io.gradstream.perf.measure.Sample;
import io.gradstream.perf.measure.Series;
import io.gradstream.perf.measure.Summary;
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

/**
 * T11: goodput with more workers, partitions, tables and rows, compared with goodput with one or few, and memory for a
 * row.
 */
@Command(name = "growth", description = {
    "Measure pushes of 1 and 8 workers, and to 1 and 64 partitions, 1 and 64 tables, 10,000 and more rows.",
    "About 90 s."})
public final class GrowthRun extends Measurement
{
    private static final String ID = "T11";
    private static final double MIN_RATIO = 0.9;
    private static final double MAX_MEMORY_RATIO = 1.25;
    private static final int MANY_WORKERS = 8;
    private static final int MANY_PARTITIONS = 64;
    private static final int MANY_TABLES = 64;
    private static final int FEW_ROWS = 10_000;
    private static final int MAX_ROWS = 100_000_000;
    private static final String FUNCTION = "sgd/1 rate=0.001";
    /** Rows of the tables of workers, partitions and tables, 4 KiB each. */
    private static final int ROWS = 1024;
    private static final int DIM = 1024;
    /** Of the tables with few and many rows, 256 bytes each. */
    private static final int SMALL_DIM = 64;
    private static final int ROWS_EACH = MeasuredCluster.TRANSFER_BYTES / (DIM * Float.BYTES);
    private static final int SMALL_ROWS_EACH = MeasuredCluster.TRANSFER_BYTES / (SMALL_DIM * Float.BYTES);
    /** After which a window ends early: all of it goes to disk. */
    private static final long WINDOW_TRANSFERS = (256L << 20) / MeasuredCluster.TRANSFER_BYTES;
    /** Windows until compilers have done most at both ends. */
    private static final int WARM_UPS = 4;
    private static final int FEW_ROWS_TABLE = MANY_TABLES;
    private static final int MANY_ROWS_TABLE = MANY_TABLES + 1;

    @Option(names = "--rows", defaultValue = "1000000", paramLabel = "N",
        description = "Rows of 256 bytes of the large table. Default: ${DEFAULT-VALUE}.")
    private int rows;

    private final List<TargetLine> lines = new ArrayList<>();
    private MeasuredCluster cluster;

    public GrowthRun()
    {
        super(new RunOptions(5, 1, RunOptions.NONE));
    }

    @Override
    protected void check()
    {
        super.check();
        Check.range("--rows", rows, 2 * FEW_ROWS, MAX_ROWS);
    }

    @Override
    public List<TargetLine> measure() throws IOException
    {
        lines.clear();
        final Summary one;
        try (MeasuredCluster onePartition = MeasuredCluster.start(settings, MeasuredCluster.plan(settings, 1, rows)))
        {
            cluster = onePartition;
            final GradstreamClient client = cluster.connect(0, AckLevel.APPLIED);
            final LoadLoop base = load(client);
            one = goodput(base, MeasuredCluster.DEPTH, new CostMeter(List.of()));
            workers(client, one);
            tables(base, client);
            rows(client);
        }
        try (MeasuredCluster manyPartitions =
            MeasuredCluster.start(settings, MeasuredCluster.plan(settings, MANY_PARTITIONS, ROWS)))
        {
            cluster = manyPartitions;
            final CostMeter costs = new CostMeter(cluster.serverPids());
            add("1 -> 64 partitions",
                goodput(load(cluster.connect(0, AckLevel.APPLIED)), MeasuredCluster.DEPTH, costs), one, costs,
                "One cluster after the other.");
        }

        return List.copyOf(lines);
    }

    /** One after the other: a worker that is there and is not polled would be in the way. */
    private void workers(final GradstreamClient first, final Summary one)
    {
        final List<GradstreamClient> others = new ArrayList<>();
        for (int slot = 1; slot < MANY_WORKERS; slot++)
        {
            others.add(cluster.connect(slot, AckLevel.APPLIED));
        }
        final List<ClientTransceiver> loads = new ArrayList<>(List.of(pushes(first)));
        others.forEach((client) -> loads.add(pushes(client)));
        final CostMeter costs = new CostMeter(cluster.serverPids());
        add("1 -> 8 workers, depth 8 each",
            goodput(cluster.loop(new SeveralWorkers(loads)), MANY_WORKERS * MeasuredCluster.DEPTH, costs), one, costs,
            "All workers on one thread of this process.");
        others.forEach(cluster::disconnect);
    }

    private void tables(final LoadLoop base, final GradstreamClient client)
    {
        final List<Table> tables = new ArrayList<>();
        for (int number = 0; number < MANY_TABLES; number++)
        {
            tables.add(table(client, number));
        }
        compare("1 -> 64 tables", base, cluster.loop(ClientTransceiver.pushes(client, tables, ROWS_EACH)));
    }

    private void rows(final GradstreamClient client) throws IOException
    {
        final ProcessGauge server = new ProcessGauge(cluster.serverPid());
        final LoadLoop few = cluster.loop(smallRows(client, FEW_ROWS_TABLE, FEW_ROWS));
        fill(few, FEW_ROWS);
        server.liveHeapBytes();
        final long before = server.anonymousBytes();
        final LoadLoop many = cluster.loop(smallRows(client, MANY_ROWS_TABLE, rows));
        fill(many, rows);
        server.liveHeapBytes();
        final double rowBytes = (server.anonymousBytes() - before) / (double)rows;
        compare("10,000 -> " + rows + " rows of 256 bytes", few, many);
        lines.add(TargetLine.target(ID, "memory for a row / its 256 bytes, " + rows + " rows", "bytes",
            Summary.of(rowBytes), SMALL_DIM * Float.BYTES, Bound.atMost(MAX_MEMORY_RATIO),
            "Growth of the server's memory that is of no file, its heap included."));
    }

    private LoadLoop load(final GradstreamClient client)
    {
        return cluster.loop(pushes(client));
    }

    private static ClientTransceiver pushes(final GradstreamClient client)
    {
        return ClientTransceiver.pushes(client, table(client, 0), ROWS_EACH);
    }

    private static Table table(final GradstreamClient client, final int number)
    {
        return client.createTable(TableSpec.dense(number, "growth" + number, ROWS, DIM, FUNCTION));
    }

    private static ClientTransceiver smallRows(final GradstreamClient client, final int number, final int count)
    {
        // a range begins anywhere below the last one that fits: a few rows at the end are left out
        final TableSpec spec = TableSpec.dense(
            number, "rows" + number, count - count % SMALL_ROWS_EACH, SMALL_DIM, FUNCTION);
        return ClientTransceiver.pushes(client, client.createTable(spec), SMALL_ROWS_EACH);
    }

    /** Rows are made by their first update. */
    private static void fill(final LoadLoop loop, final int count)
    {
        loop.flatOut(MeasuredCluster.DEPTH, Long.MAX_VALUE, count / SMALL_ROWS_EACH);
    }

    private void compare(final String step, final LoadLoop base, final LoadLoop grown)
    {
        window(base, MeasuredCluster.DEPTH);
        window(grown, MeasuredCluster.DEPTH);
        final CostMeter costs = new CostMeter(cluster.serverPids());
        final List<Series> taken = settings.interleave(
            () -> window(base, MeasuredCluster.DEPTH), () -> costs.take(() -> window(grown, MeasuredCluster.DEPTH)));
        add(step, taken.get(1).megabytesPerSecond(), taken.get(0).megabytesPerSecond(), costs, "");
    }

    private Summary goodput(final LoadLoop loop, final int depth, final CostMeter costs)
    {
        for (int i = 0; i < WARM_UPS; i++)
        {
            window(loop, depth);
        }
        return settings.each((i) -> costs.take(() -> window(loop, depth)).megabytesPerSecond());
    }

    private Sample window(final LoadLoop loop, final int depth)
    {
        return loop.flatOut(depth, settings.windowNs(), WINDOW_TRANSFERS);
    }

    private void add(
        final String step, final Summary ours, final Summary base, final CostMeter costs, final String note)
    {
        lines.add(TargetLine.target(ID, "push 64 KiB, " + step, "MB/s", ours, base.median(),
            Bound.atLeast(MIN_RATIO), note).at(costs.cost()));
    }
}
