// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.aeron.Aeron;
import io.gradstream.codecs.TableSpec;
import io.gradstream.driver.HostDriver;
import io.gradstream.launcher.ClusterPlan;
import io.gradstream.launcher.LoopbackPorts;
import io.gradstream.launcher.RunDirectory;
import io.gradstream.perf.load.ClientTransceiver;
import io.gradstream.perf.load.CostMeter;
import io.gradstream.perf.load.LoadLoop;
import io.gradstream.perf.load.MeasuredCluster;
import io.gradstream.perf.measure.Sample;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.Bound;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.perf.report.TargetLine;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.session.AckLevel;
import org.agrona.IoUtil;
import picocli.CommandLine.Command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;

/**
 * T8: goodput of pushes that are recorded, compared with a raw publication of the same bytes that an Archive records.
 */
@Command(name = "recorded", description = {
    "Measure recorded pushes beside a raw publication of the same bytes that an Archive records.",
    "About 30 s, and up to 6 GiB of disk."})
public final class RecordedRun extends Measurement
{
    private static final String ID = "T8";
    private static final double MIN_RATIO = 0.7;
    /** After which a window ends early: all of it goes to disk. */
    private static final long WINDOW_BYTES = 256L << 20;
    private static final long WINDOW_TRANSFERS = WINDOW_BYTES / MeasuredCluster.TRANSFER_BYTES;
    /** 16 MiB of rows of 4 KiB. */
    private static final TableSpec TABLE = TableSpec.dense(0, "recorded", 4096, 1024, "sgd/1 rate=0.001");

    public RecordedRun()
    {
        super(new RunOptions(5, 1, RunOptions.NONE));
    }

    @Override
    public List<TargetLine> measure() throws IOException
    {
        final ClusterPlan plan = MeasuredCluster.plan(settings, 1, TABLE.rows());
        final Path directory = Files.createTempDirectory(settings.directory(), "perf-");
        final Summary ipc;
        final Summary udp;
        try (RunDirectory run = RunDirectory.create(directory);
            RecordedStream stream = RecordedStream.start(
                settings, plan, run.path().resolve("recording"), run.aeronDirectory("recording")))
        {
            stream.openIpc();
            ipc = megabytes((durationNs) -> stream.run(durationNs, WINDOW_TRANSFERS), new CostMeter(List.of()));
            udp = overUdp(stream);
        }
        finally
        {
            IoUtil.delete(directory.toFile(), true);
        }

        final String note = String.format(Locale.ROOT,
            "Pushes arrive over UDP. A raw recorded IPC publication: %.0f (%.0f..%.0f) MB/s.",
            ipc.median(), ipc.min(), ipc.max());
        final List<TargetLine> lines = new ArrayList<>();
        try (MeasuredCluster cluster = MeasuredCluster.start(settings, plan))
        {
            for (final AckLevel level : List.of(AckLevel.APPLIED, AckLevel.RECORDED))
            {
                final CostMeter costs = new CostMeter(cluster.serverPids());
                lines.add(TargetLine.target(ID, "push 64 KiB until " + level.name().toLowerCase(Locale.ROOT) +
                    ", depth 8 / raw recorded UDP publication", "MB/s", pushes(cluster, level, costs), udp.median(),
                    Bound.atLeast(MIN_RATIO), note).at(costs.cost()));
            }
        }

        return lines;
    }

    private Summary overUdp(final RecordedStream stream) throws IOException
    {
        try (HostDriver driver = HostDriver.launch(new HostDriver.Context()
                .profile(settings.profile()).mtuLength(MeasuredCluster.MTU).termLength(MeasuredCluster.TERM_LENGTH));
            Aeron sender = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName())))
        {
            stream.openUdp(LoopbackPorts.free(1).get(0), sender);
            return megabytes((durationNs) -> stream.run(durationNs, WINDOW_TRANSFERS), new CostMeter(List.of()));
        }
    }

    private Summary pushes(final MeasuredCluster cluster, final AckLevel level, final CostMeter costs)
    {
        final GradstreamClient client = cluster.connect(level.ordinal(), level);
        final LoadLoop loop = cluster.loop(ClientTransceiver.pushes(
            client, client.createTable(TABLE), MeasuredCluster.TRANSFER_BYTES / TABLE.valuesLength()));
        return megabytes((durationNs) -> loop.flatOut(MeasuredCluster.DEPTH, durationNs, WINDOW_TRANSFERS), costs);
    }

    private Summary megabytes(final LongFunction<Sample> window, final CostMeter costs)
    {
        // for compilers and caches
        final Sample unused = window.apply(settings.windowNs());
        return settings.each((i) -> costs.take(() -> window.apply(settings.windowNs())).megabytesPerSecond());
    }
}
