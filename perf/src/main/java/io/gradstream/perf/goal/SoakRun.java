// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import com.sun.management.ThreadMXBean;
import io.gradstream.codecs.Check;
import io.gradstream.codecs.TableSpec;
import io.gradstream.perf.load.ClientTransceiver;
import io.gradstream.perf.load.LoadLoop;
import io.gradstream.perf.load.MeasuredCluster;
import io.gradstream.perf.measure.Sample;
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
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * T10: growth of a server's memory and descriptors under load, and the bytes that a push and a pull allocate at both
 * ends.
 */
@Command(name = "soak", description = {
    "Push and pull for long, and look whether memory and descriptors stay as they are; then measure what a push",
    "and a pull allocate. The time that was asked for, and 20 s."})
public final class SoakRun extends Measurement
{
    private static final String ID = "T10";
    private static final double MAX_GROWTH = 1.05;
    private static final double MAX_BYTES = 0;
    private static final double MIN_MINUTES = 0.5;
    private static final double MAX_MINUTES = 7 * 24 * 60;
    private static final double MIB = 1 << 20;

    /** Number of looks. The first is for warming up; the first and the last half of the others are compared. */
    private static final int LOOKS = 9;
    /** Longest slice of pushes or pulls, which take turns. */
    private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(500);
    /** Number of pushes after which a slice ends early, as each push is recorded on disk. */
    private static final long SLICE_TRANSFERS = 20_000;
    private static final TableSpec TABLE = TableSpec.dense(0, "soak", 4096, 1024, "sgd/1 rate=0.001");

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    @Option(names = "--minutes", defaultValue = "10", paramLabel = "N",
        description = "How long; 1 is the least that tells anything. Default: ${DEFAULT-VALUE}.")
    private double minutes;

    private ProcessGauge server;
    private LoadLoop pushes;
    private LoadLoop pulls;

    public SoakRun()
    {
        super(new RunOptions(5, 1, RunOptions.NONE));
    }

    @Override
    protected void check()
    {
        super.check();
        Check.range("--minutes", minutes, MIN_MINUTES, MAX_MINUTES);
    }

    @Override
    public List<TargetLine> measure() throws IOException
    {
        final List<TargetLine> lines = new ArrayList<>();
        try (MeasuredCluster cluster = MeasuredCluster.start(settings, MeasuredCluster.plan(settings, 1, TABLE.rows())))
        {
            // with a connection of its own, as a worker process has: all happens on this thread
            final GradstreamClient client = cluster.connect(cluster.context(0, AckLevel.APPLIED)
                .aeronDirectoryName(cluster.processes().workersAeronDirectory()));
            final Table table = client.createTable(TABLE);
            server = new ProcessGauge(cluster.serverPid());
            pushes = cluster.loop(ClientTransceiver.pushes(client, table, 1));
            pulls = cluster.loop(ClientTransceiver.pulls(client, table, 1, MeasuredCluster.DEPTH));
            lines.addAll(flatness());
            lines.addAll(allocation("push", pushes, cluster, client));
            lines.addAll(allocation("pull", pulls, cluster, client));
        }

        return lines;
    }

    private List<TargetLine> flatness() throws IOException
    {
        final double[] heap = new double[LOOKS];
        final double[] resident = new double[LOOKS];
        final double[] descriptors = new double[LOOKS];
        for (int look = 0; look < LOOKS; look++)
        {
            load((long)(minutes * TimeUnit.MINUTES.toNanos(1) / LOOKS));
            heap[look] = server.liveHeapBytes() / MIB;
            resident[look] = server.residentBytes() / MIB;
            descriptors[look] = server.descriptors();
            System.err.printf(Locale.ROOT, "[%d/%d] server: live heap %.1f MiB, resident %.1f MiB, descriptors %.0f%n",
                look + 1, LOOKS, heap[look], resident[look], descriptors[look]);
        }

        return List.of(
            flat("server, live heap, late / early", "MiB", heap),
            flat("server, resident memory, late / early", "MiB", resident),
            flat("server, open descriptors, late / early", "", descriptors));
    }

    private void load(final long forNs)
    {
        final long beginNs = System.nanoTime();
        while (System.nanoTime() - beginNs < forNs)
        {
            pushes.flatOut(MeasuredCluster.DEPTH, SLICE_NS, SLICE_TRANSFERS);
            pulls.flatOut(MeasuredCluster.DEPTH, SLICE_NS, Long.MAX_VALUE);
        }
    }

    /** Compares the lowest looks of both halves: use for a moment comes and goes, but a leak lifts all later looks. */
    static TargetLine flat(final String measure, final String unit, final double[] looks)
    {
        final int half = (looks.length - 1) / 2;
        final double[] early = new double[half];
        final double[] late = new double[half];
        System.arraycopy(looks, 1, early, 0, half);
        System.arraycopy(looks, looks.length - half, late, 0, half);

        return TargetLine.target(ID, measure, unit, Summary.of(Summary.of(late).min()), Summary.of(early).min(),
            Bound.atMost(MAX_GROWTH), "The lowest of " + half + " looks each.");
    }

    private List<TargetLine> allocation(
        final String what, final LoadLoop loop, final MeasuredCluster cluster, final GradstreamClient client)
        throws IOException
    {
        final double[] atClient = new double[settings.windows()];
        final double[] atServer = new double[settings.windows()];
        final long thread = Thread.currentThread().getId();
        long transfers = 0;
        for (int i = 0; i < settings.windows(); i++)
        {
            final long idleBytes = serverBytes(() -> cluster.idle(client, settings.windowNs()));
            final long[] done = new long[2];
            final long bytes = serverBytes(() ->
            {
                final long before = threads.getThreadAllocatedBytes(thread);
                final Sample sample = loop.flatOut(MeasuredCluster.DEPTH, settings.windowNs(), SLICE_TRANSFERS);
                done[0] = threads.getThreadAllocatedBytes(thread) - before;
                done[1] = sample.transfers();
            });
            atClient[i] = wholeBytes(done[0], done[1]);
            atServer[i] = wholeBytes(bytes - idleBytes, done[1]);
            transfers += done[1];
        }
        final String note = transfers + " of 4 KiB; whole bytes for each.";

        return List.of(
            TargetLine.target(ID, what + ", allocated by the worker's thread", "bytes", Summary.of(atClient),
                Double.NaN, Bound.atMost(MAX_BYTES), note),
            TargetLine.target(ID, what + ", allocated by the server's process", "bytes", Summary.of(atServer),
                Double.NaN, Bound.atMost(MAX_BYTES), note + " Less what it allocates when idle."));
    }

    static double wholeBytes(final long bytes, final long transfers)
    {
        return Math.floorDiv(Math.max(0, bytes), transfers);
    }

    /** Bytes that the server's threads allocate while work runs. */
    private long serverBytes(final Runnable work) throws IOException
    {
        final long before = server.allocatedBytes();
        work.run();

        return server.allocatedBytes() - before;
    }
}
