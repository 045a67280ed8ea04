// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.console.Chart;
import io.gradstream.driver.DriverProfile;
import io.gradstream.perf.load.LoadReport.SizeResult;
import io.gradstream.perf.measure.ByteSize;
import io.gradstream.perf.report.Part;
import io.gradstream.perf.report.Peers;
import io.gradstream.perf.report.TargetLine;
import io.gradstream.perf.report.Work;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Pushes and pulls as a part of {@code perf all}: of each size only what targets and pictures ask for, in four minutes.
 */
public final class LoadPart implements Part
{
    private static final Set<Measure> GOODPUT =
        EnumSet.of(Measure.RAW_STREAM, Measure.PUSH_DEPTH_8, Measure.PULL_DEPTH_8);
    private static final Set<Measure> SHARED = EnumSet.of(Measure.RAW_ECHO, Measure.PUSH_APPLIED);

    private static final int WINDOWS = 5;
    private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(800);
    private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long MAX_WINDOW_BYTES = 256L << 20;
    private static final int MTU = 8192;

    private final List<SizeResult> results = new ArrayList<>();
    private final DriverProfile profile;
    private final Path directory;
    private final Peers peers;

    /**
     * Before it is measured.
     *
     * @param directory below which servers keep their logs meanwhile.
     * @param peers     for the picture of goodput.
     */
    public LoadPart(final DriverProfile profile, final Path directory, final Peers peers)
    {
        this.profile = profile;
        this.directory = directory;
        this.peers = peers;
    }

    @Override
    public String name()
    {
        return "load";
    }

    @Override
    public String title()
    {
        return "pushes and pulls beside raw Aeron";
    }

    @Override
    public List<String> targets()
    {
        return List.of("T1", "T2", "T3", "T4", "T7", "T14");
    }

    @Override
    public List<TargetLine> measure() throws IOException
    {
        final Set<Measure> small = EnumSet.copyOf(GOODPUT);
        small.addAll(Set.of(Measure.RAW_ECHO, Measure.PUSH_APPLIED, Measure.PULL, Measure.RAW_ECHO_BESIDE_CHAIN,
            Measure.CHAIN_REPLICATED));
        final Set<Measure> chained = EnumSet.copyOf(GOODPUT);
        chained.addAll(Set.of(Measure.PUSH_DEPTH_8_BESIDE_CHAIN, Measure.CHAIN_DEPTH_8));

        final List<TargetLine> lines = new ArrayList<>(measure(LoadTargets.SMALL, small, 1, false));
        for (final int size : LoadTargets.LARGE)
        {
            final boolean isChained = LoadTargets.CHAINED == size;
            lines.addAll(measure(size, isChained ? chained : GOODPUT, isChained ? 1 : 0, false));
        }
        lines.addAll(measure(LoadTargets.SMALL, SHARED, 0, true));

        return lines;
    }

    @Override
    public Map<String, Chart> charts()
    {
        return results.isEmpty() ? Map.of() : Map.of("latency", latency(results.get(0)), "goodput", goodput());
    }

    private List<TargetLine> measure(
        final int size, final Set<Measure> measures, final int standbys, final boolean isSharing) throws IOException
    {
        final LoadSettings settings = new LoadSettings(List.of(size), measures, WINDOWS, WINDOW_NS, WARM_UP_NS, 0,
            MAX_WINDOW_BYTES, new LoadSettings.Cluster(null, 1, standbys, profile, MTU, isSharing, directory));
        final List<SizeResult> measured = new LoadRun(settings).run();
        if (!isSharing)
        {
            results.addAll(measured);
        }

        return LoadTargets.of(settings, measured);
    }

    private static Chart latency(final SizeResult result)
    {
        final Map<String, List<Double>> series = new LinkedHashMap<>();
        result.percentilesUs().forEach((measure, values) ->
        {
            if (!GOODPUT.contains(measure))
            {
                series.put(measure.title(), values);
            }
        });

        return Chart.ofCategories(
            "Latency at " + ByteSize.text(result.size()) + ", us, by percentile", Chart.Form.POINTS,
            SizeResult.PERCENTILES.stream().map(String::valueOf).toList(), series);
    }

    private Chart goodput()
    {
        final Map<String, List<Double>> series = new LinkedHashMap<>();
        for (final Measure measure : GOODPUT)
        {
            series.put(measure.title(), bySize((result) ->
                result.series().get(measure).megabytesPerSecond().median()));
        }
        series.put("best peer's push", bySize((result) ->
            peers.most(Work.push(result.size(), Measure.DEPTH).goodput())));
        series.put("best peer's pull", bySize((result) ->
            peers.most(Work.pull(result.size(), Measure.DEPTH).goodput())));
        series.values().removeIf((values) -> values.stream().allMatch((value) -> value.isNaN()));

        return Chart.ofCategories("Goodput, MB/s, by size", Chart.Form.POINTS,
            results.stream().map((result) -> ByteSize.text(result.size())).toList(), series);
    }

    private List<Double> bySize(final ToDoubleFunction<SizeResult> value)
    {
        return results.stream().map(value::applyAsDouble).toList();
    }
}
