// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.codecs.TableSpec;
import io.gradstream.perf.load.ClientTransceiver;
import io.gradstream.perf.load.CostMeter;
import io.gradstream.perf.load.LoadLoop;
import io.gradstream.perf.load.MeasuredCluster;
import io.gradstream.perf.measure.Sample;
import io.gradstream.perf.measure.Series;
import io.gradstream.perf.report.Bound;
import io.gradstream.perf.report.CpuCost;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.perf.report.TargetLine;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.aeron.DriverConnection;
import io.gradstream.worker.session.AckLevel;
import picocli.CommandLine.Command;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** T13: pushes while snapshots are taken, one after the other, compared with pushes while none is taken, in turns. */
@Command(name = "snapshot", description = {
    "Measure pushes beside snapshots, one after the other, and without one.",
    "About 20 s."})
public final class SnapshotRun extends Measurement
{
    private static final String ID = "T13";
    private static final double MIN_GOODPUT_RATIO = 0.95;
    private static final double MAX_P99_RATIO = 2;
    /** 64 MiB of rows of 4 KiB. */
    private static final TableSpec TABLE = TableSpec.dense(0, "snapshot", 16_384, 1024, "sgd/1 rate=0.001");
    private static final TableSpec ASKED = TableSpec.dense(1, "asked", 1, 1, "sgd/1 rate=0.001");
    /** Less log than that after which a server takes a snapshot by itself, four times the state. */
    private static final long WINDOW_TRANSFERS =
        3L * TABLE.rows() * TABLE.valuesLength() / MeasuredCluster.TRANSFER_BYTES;
    private static final int ROWS = MeasuredCluster.TRANSFER_BYTES / TABLE.valuesLength();

    /** Time in which a snapshot that is no longer awaited ends, so that none is taken in a window without snapshots. */
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(1);

    public SnapshotRun()
    {
        super(new RunOptions(5, 1, RunOptions.NONE));
    }

    @Override
    public List<TargetLine> measure() throws IOException
    {
        final List<Series> taken;
        final String note;
        final CpuCost cost;
        try (MeasuredCluster cluster = MeasuredCluster.start(settings, MeasuredCluster.plan(settings, 1, TABLE.rows())))
        {
            final GradstreamClient client = cluster.connect(0, AckLevel.APPLIED);
            final GradstreamClient asker = cluster.connect(cluster.context(1, AckLevel.SNAPSHOTTED)
                .maxInFlight(BesideSnapshots.MAX_IN_FLIGHT).driver(DriverConnection.of(cluster.aeron())));
            final Table table = client.createTable(TABLE);
            final ClientTransceiver pushes = ClientTransceiver.pushes(client, table, ROWS);
            // each row is made by its first update
            cluster.loop(pushes).flatOut(MeasuredCluster.DEPTH, Long.MAX_VALUE, TABLE.rows() / ROWS);
            final BesideSnapshots snapshots = new BesideSnapshots(
                ClientTransceiver.pushes(client, table, ROWS), asker, asker.createTable(ASKED));
            final LoadLoop loopWithout = cluster.loop(pushes);
            final LoadLoop loopBeside = cluster.loop(snapshots);
            window(cluster, loopBeside, snapshots, new CostMeter(List.of()));
            final CostMeter costs = new CostMeter(cluster.serverPids());
            final long warmUp = snapshots.snapshotted();
            taken = settings.interleave(
                () -> window(loopWithout), () -> window(cluster, loopBeside, snapshots, costs));
            note = String.format(Locale.ROOT, "%d MiB of rows; another worker's pushes, each of which waited for " +
                "two snapshots: %d.", TABLE.rows() * TABLE.valuesLength() >> 20, snapshots.snapshotted() - warmUp);
            cost = costs.cost();
        }

        final Series without = taken.get(0);
        final Series beside = taken.get(1);

        return List.of(
            TargetLine.target(ID, "push 64 KiB, depth 8, goodput beside snapshots / without", "MB/s",
                beside.megabytesPerSecond(), without.megabytesPerSecond().median(),
                Bound.atLeast(MIN_GOODPUT_RATIO), note).at(cost),
            TargetLine.target(ID, "push 64 KiB, depth 8, p99 beside snapshots / without", "us", beside.p99Us(),
                without.p99Us().median(), Bound.atMost(MAX_P99_RATIO), note));
    }

    private Sample window(final LoadLoop loop)
    {
        return loop.flatOut(MeasuredCluster.DEPTH, settings.windowNs(), WINDOW_TRANSFERS);
    }

    private Sample window(
        final MeasuredCluster cluster, final LoadLoop loop, final BesideSnapshots snapshots, final CostMeter costs)
    {
        final Sample sample = costs.take(() -> window(loop));
        snapshots.awaitEnd();
        cluster.rest(SETTLE_NS);

        return sample;
    }
}
