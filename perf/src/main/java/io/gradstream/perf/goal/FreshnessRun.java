// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.codecs.TableSpec;
import io.gradstream.launcher.LoopbackPorts;
import io.gradstream.perf.load.LoadLoop;
import io.gradstream.perf.measure.Sample;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.raw.RawChannels;
import io.gradstream.perf.raw.RawPingPong;
import io.gradstream.perf.raw.RawRig;
import io.gradstream.perf.report.Bound;
import io.gradstream.perf.report.TargetLine;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.session.AckLevel;

import java.io.IOException;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * T9: the time from a push of one worker until a pull of another sees it, compared with the round trip of raw Aeron
 * with the same payload, in turns.
 */
final class FreshnessRun
{
    private static final String ID = "T9";
    private static final double MAX_RATIO = 2.5;
    private static final double NS_PER_US = 1e3;
    private static final TableSpec TABLE = TableSpec.dense(0, "freshness", 1, 1024, SeenPushes.FUNCTION);

    private final GoalSettings settings;

    FreshnessRun(final GoalSettings settings)
    {
        this.settings = settings;
    }

    /** Measure, once. */
    List<TargetLine> run() throws IOException
    {
        final Sample[] raw = new Sample[settings.windows()];
        final Sample[] ours = new Sample[settings.windows()];
        final List<String> endpoints = LoopbackPorts.free(2);
        final RawChannels channels = new RawChannels(settings.profile(), GoalCluster.MTU, GoalCluster.TERM_LENGTH,
            endpoints.get(0), endpoints.get(1), RawChannels.OWN_DRIVERS);
        try (GoalCluster cluster = GoalCluster.start(settings, GoalCluster.plan(settings, 1, TABLE.rows()));
            RawRig rig = RawRig.start(channels, cluster.aeron()))
        {
            final LoadLoop echoes =
                cluster.loop(rig.pingPong(RawPingPong.Shape.ECHO, TABLE.dim() * Float.BYTES));
            final GradstreamClient writer = cluster.connect(0, AckLevel.APPLIED);
            final GradstreamClient reader = cluster.connect(1, AckLevel.APPLIED);
            final Table written = writer.createTable(TABLE);
            final LoadLoop pushes =
                cluster.loop(new SeenPushes(writer, written, reader, reader.createTable(TABLE)));
            window(echoes);
            window(pushes);
            for (int i = 0; i < settings.windows(); i++)
            {
                raw[i] = window(echoes);
                ours[i] = window(pushes);
            }
        }
        return List.of(
            line("4 KiB push until another worker's pull sees it, p50", ours, raw, Sample::p50Ns),
            line("4 KiB push until another worker's pull sees it, p99", ours, raw, Sample::p99Ns));
    }

    private Sample window(final LoadLoop loop)
    {
        return loop.flatOut(1, settings.windowNs(), Long.MAX_VALUE);
    }

    private TargetLine line(
        final String measure, final Sample[] ours, final Sample[] raw, final ToDoubleFunction<Sample> value)
    {
        return new TargetLine(ID, measure, "us",
            settings.each((i) -> value.applyAsDouble(ours[i]) / NS_PER_US), rawMedian(raw, value), Double.NaN,
            Bound.atMost(MAX_RATIO), "");
    }

    private double rawMedian(final Sample[] raw, final ToDoubleFunction<Sample> value)
    {
        final Summary summary = settings.each((i) -> value.applyAsDouble(raw[i]) / NS_PER_US);
        return summary.median();
    }
}
