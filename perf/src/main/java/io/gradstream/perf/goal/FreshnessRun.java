// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.codecs.TableSpec;
import io.gradstream.launcher.LoopbackPorts;
import io.gradstream.perf.load.LoadLoop;
import io.gradstream.perf.load.MeasuredCluster;
import io.gradstream.perf.measure.Sample;
import io.gradstream.perf.measure.Series;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.raw.RawChannels;
import io.gradstream.perf.raw.RawPingPong;
import io.gradstream.perf.raw.RawRig;
import io.gradstream.perf.report.Bound;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.perf.report.TargetLine;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.session.AckLevel;
import picocli.CommandLine.Command;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/**
 * T9: the time from a push of one worker until a pull of another sees it, compared with the round trip of raw Aeron
 * with the same payload, in turns.
 */
@Command(name = "freshness", description = {
    "Measure a push until another worker's pull sees it, beside the round trip of raw Aeron, in turns.",
    "About 20 s."})
public final class FreshnessRun extends Measurement
{
    private static final String ID = "T9";
    private static final double MAX_RATIO = 2.5;
    private static final TableSpec TABLE = TableSpec.dense(0, "freshness", 1, 1024, SeenPushes.FUNCTION);

    public FreshnessRun()
    {
        super(new RunOptions(5, 1, RunOptions.NONE));
    }

    @Override
    public List<TargetLine> measure() throws IOException
    {
        final List<Series> taken;
        final List<String> endpoints = LoopbackPorts.free(2);
        final RawChannels channels = new RawChannels(settings.profile(), MeasuredCluster.MTU,
            MeasuredCluster.TERM_LENGTH, endpoints.get(0), endpoints.get(1), RawChannels.OWN_DRIVERS);
        try (MeasuredCluster cluster = MeasuredCluster.start(settings, MeasuredCluster.plan(settings, 1, TABLE.rows()));
            RawRig rig = RawRig.start(channels, cluster.aeron()))
        {
            final LoadLoop echoes =
                cluster.loop(rig.pingPong(RawPingPong.Exchange.ECHO, TABLE.dim() * Float.BYTES));
            final GradstreamClient writer = cluster.connect(0, AckLevel.APPLIED);
            final GradstreamClient reader = cluster.connect(1, AckLevel.APPLIED);
            final Table written = writer.createTable(TABLE);
            final LoadLoop pushes =
                cluster.loop(new SeenPushes(writer, written, reader, reader.createTable(TABLE)));
            window(echoes);
            window(pushes);
            taken = settings.interleave(() -> window(echoes), () -> window(pushes));
        }

        return List.of(line("p50", taken, Series::p50Us), line("p99", taken, Series::p99Us));
    }

    private Sample window(final LoadLoop loop)
    {
        return loop.flatOut(1, settings.windowNs(), Long.MAX_VALUE);
    }

    private static TargetLine line(
        final String percentile, final List<Series> taken, final Function<Series, Summary> value)
    {
        return TargetLine.target(ID, "4 KiB push until another worker's pull sees it, " + percentile, "us",
            value.apply(taken.get(1)), value.apply(taken.get(0)).median(), Bound.atMost(MAX_RATIO), "");
    }
}
