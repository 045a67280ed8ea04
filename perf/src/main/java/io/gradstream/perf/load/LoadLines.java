// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.measure.MachineLoad;
import io.gradstream.perf.measure.Series;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.CpuCost;
import io.gradstream.perf.report.TargetLine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The lines of what was measured at one size: latency and goodput of each measure, beside what it is compared with. */
final class LoadLines
{
    private static final String US = "us";
    private static final String MEGABYTES = "MB/s";

    private final List<TargetLine> lines = new ArrayList<>();
    private final SizeResult result;
    private final boolean isSharing;

    private LoadLines(final SizeResult result, final boolean isSharing)
    {
        this.result = result;
        this.isSharing = isSharing;
    }

    /** The lines of a size; {@code isSharing} is true if all spoke over IPC. */
    static List<TargetLine> of(final SizeResult result, final boolean isSharing)
    {
        final LoadLines lines = new LoadLines(result, isSharing);
        result.series().keySet().forEach(lines::add);

        return List.copyOf(lines.lines);
    }

    private void add(final Measure measure)
    {
        final Series series = result.series().get(measure);
        final List<Ratio> ratios = Arrays.stream(Ratio.values())
            .filter((ratio) -> measure == ratio.ours() && result.series().containsKey(ratio.base())).toList();
        final String text = (isSharing ? "one driver: " : "") + measure.title(result.size());
        final String note = note(measure);
        final int first = lines.size();
        if (measure.isGoodput())
        {
            addCompared(text + ", goodput", MEGABYTES, series.megabytesPerSecond(), ratios, note);
            addFigure(text + ", p50", US, series.p50Us(), "");
        }
        else
        {
            addCompared(text + ", p50", US, series.p50Us(), ratios, note);
            addFigure(text + ", goodput", MEGABYTES, series.megabytesPerSecond(), "");
        }
        addFigure(text + ", p99", US, series.p99Us(), "");
        // what a line is compared with may have been measured at another time
        final MachineLoad machine = ratios.stream().map((ratio) -> machine(ratio.base()))
            .reduce(machine(measure), MachineLoad::worst);
        final CpuCost cost = result.costs().getOrDefault(measure, CpuCost.NONE);
        lines.subList(first, lines.size()).replaceAll((line) ->
            (MEGABYTES.equals(line.unit()) ? line.at(cost) : line).under(machine));
    }

    private MachineLoad machine(final Measure measure)
    {
        return result.machines().getOrDefault(measure, MachineLoad.UNKNOWN);
    }

    /** The first ratio is of the figure's own line; each further one has a line with what it is compared with. */
    private void addCompared(
        final String text, final String unit, final Summary ours, final List<Ratio> ratios, final String note)
    {
        if (ratios.isEmpty())
        {
            addFigure(text, unit, ours, note);
        }
        for (int i = 0; i < ratios.size(); i++)
        {
            final Ratio ratio = ratios.get(i);
            final Series base = result.series().get(ratio.base());
            final double baseline = (MEGABYTES.equals(unit) ? base.megabytesPerSecond() : base.p50Us()).median();
            final String measure = 0 == i ? text : text + " / " + ratio.base().title(result.size());
            final String id = ratio.target(result.size(), isSharing);
            lines.add(id.isEmpty() ? TargetLine.figure(measure, unit, ours, baseline, note) :
                TargetLine.target(id, measure, unit, ours, baseline, ratio.bound(isSharing), note));
        }
    }

    private void addFigure(final String text, final String unit, final Summary ours, final String note)
    {
        if (Double.isFinite(ours.median()))
        {
            lines.add(TargetLine.figure(text, unit, ours, Double.NaN, note));
        }
    }

    private String note(final Measure measure)
    {
        if (Measure.Comparison.AT_RATE == measure.comparison() || Measure.CHAIN_AT_RATE == measure)
        {
            return String.format(Locale.ROOT, "%.0f a second", result.rate());
        }

        return measure.isGoodput() && result.busyCores().containsKey(measure) ?
            "cores: " + result.busyCores().get(measure).text() : "";
    }
}
