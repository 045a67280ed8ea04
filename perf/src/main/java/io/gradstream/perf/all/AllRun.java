// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.all;

import io.gradstream.codecs.Check;
import io.gradstream.console.Chart;
import io.gradstream.perf.measure.ByteSize;
import io.gradstream.perf.measure.InterruptedRunException;
import io.gradstream.perf.report.Peers;
import io.gradstream.perf.report.TargetLine;
import io.gradstream.perf.report.Work;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Runs parts one after the other, goes on where one fails, and joins what they measured. */
final class AllRun
{
    private static final String GROWTH = "T11";
    private static final List<Integer> SIZES = List.of(4 << 10, 64 << 10, 1 << 20);
    private static final int DEPTH = 8;

    private final Map<String, Chart> charts = new LinkedHashMap<>();
    private final List<Part> parts;
    private final Peers peers;
    private final PrintStream progress;
    private int failures;

    AllRun(final List<Part> parts, final Peers peers, final PrintStream progress)
    {
        this.parts = parts;
        this.peers = peers;
        this.progress = progress;
    }

    /**
     * The parts of some names.
     *
     * @param only names, or null for all.
     * @throws IllegalArgumentException if there is no part of a name.
     */
    static List<Part> chosen(final List<String> only, final List<Part> parts)
    {
        if (null == only)
        {
            return parts;
        }
        final List<String> names = parts.stream().map(Part::name).toList();
        for (final String name : only)
        {
            Check.that(names.contains(name), "--only", name, "one or more of " + String.join(", ", names));
        }

        return parts.stream().filter((part) -> only.contains(part.name())).toList();
    }

    /** Run all: lines in the order of the targets, those of peers with them. */
    List<TargetLine> run()
    {
        final List<TargetLine> lines = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++)
        {
            final Part part = parts.get(i);
            final long beginNs = System.nanoTime();
            progress.printf(Locale.ROOT, "== part %d of %d, %s: %s%n", i + 1, parts.size(), part.name(), part.title());
            lines.addAll(measure(part));
            progress.printf(Locale.ROOT, "== %s took %d s%n", part.name(),
                TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNs));
        }
        final List<TargetLine> joined = peers.join(lines);
        addGoodput(joined);
        addGrowth(joined);

        return joined.stream().filter(TargetLine::hasTarget).sorted(Comparator.comparingInt(AllRun::number)).toList();
    }

    /** Pictures of what was measured, by the names of their files. */
    Map<String, Chart> charts()
    {
        return charts;
    }

    /** Parts that failed. */
    int failures()
    {
        return failures;
    }

    private List<TargetLine> measure(final Part part)
    {
        try
        {
            return part.work().measure(charts);
        }
        catch (final InterruptedRunException ex)
        {
            throw ex;
        }
        catch (final IOException | RuntimeException ex)
        {
            failures++;
            final String reason = null == ex.getMessage() ? ex.toString() : ex.getMessage();
            progress.printf(Locale.ROOT, "== %s failed: %s%n", part.name(), reason);
            return part.targets().stream().map((id) -> TargetLine.failed(id, part.title(), reason)).toList();
        }
    }

    private void addGoodput(final List<TargetLine> lines)
    {
        final Map<String, List<Double>> series = new LinkedHashMap<>();
        series.put("raw one way", goodput(lines, true, TargetLine::baseline));
        series.put("push until applied, depth 8", goodput(lines, true, (line) -> line.ours().median()));
        series.put("pull, depth 8", goodput(lines, false, (line) -> line.ours().median()));
        series.put("best peer's push", goodput(lines, true, TargetLine::bestPeer));
        series.put("best peer's pull", goodput(lines, false, TargetLine::bestPeer));
        series.values().removeIf((values) -> values.stream().allMatch((value) -> value.isNaN()));
        if (!series.isEmpty())
        {
            charts.put("goodput", Chart.ofCategories("Goodput, MB/s, by size", Chart.Form.POINTS,
                SIZES.stream().map(ByteSize::text).toList(), series));
        }
    }

    private static List<Double> goodput(
        final List<TargetLine> lines, final boolean isPush, final ToDoubleFunction<TargetLine> figure)
    {
        return SIZES.stream().map((size) ->
        {
            final String measure = new Work(isPush, size, DEPTH).goodput();
            return lines.stream().filter((line) -> measure.equals(line.measure())).findFirst()
                .map(figure::applyAsDouble).orElse(Double.NaN);
        }).toList();
    }

    private void addGrowth(final List<TargetLine> lines)
    {
        final List<TargetLine> steps =
            lines.stream().filter((line) -> GROWTH.equals(line.id()) && Double.isFinite(line.ratio())).toList();
        if (!steps.isEmpty())
        {
            final Map<String, List<Double>> series = new LinkedHashMap<>();
            series.put("after the step / before it", steps.stream().map(TargetLine::ratio).toList());
            charts.put("growth", Chart.ofCategories(
                "Growth: each step's figure beside what it grew from", Chart.Form.BARS,
                steps.stream().map(TargetLine::measure).toList(), series));
        }
    }

    private static int number(final TargetLine line)
    {
        return Integer.parseInt(line.id().substring(1));
    }
}
