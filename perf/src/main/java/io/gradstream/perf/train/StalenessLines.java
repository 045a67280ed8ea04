// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.codecs.Consistency;
import io.gradstream.console.Chart;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.TargetLine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The lines and the picture of runs under several staleness bounds. */
record StalenessLines(List<Integer> bounds, List<StalenessResult> results)
{
    private static final double PERCENT = 100;

    /** Several lines of each bound. */
    List<TargetLine> all()
    {
        final List<TargetLine> lines = new ArrayList<>();
        for (final int bound : bounds)
        {
            add(lines, bound, "time to the loss", "s", StalenessResult::seconds);
            add(lines, bound, "iterations of a worker", "", StalenessResult::iterations);
            add(lines, bound, "waited for slower workers", "%", (result) -> PERCENT * result.waitRatio());
            add(lines, bound, "pulls behind on average", "", StalenessResult::meanStaleness);
            add(lines, bound, "pulls behind at most", "", StalenessResult::maxStaleness);
            add(lines, bound, "loss", "", StalenessResult::loss);
        }

        return lines;
    }

    Chart chart()
    {
        final Map<String, List<Double>> series = new LinkedHashMap<>();
        series.put("seconds to the loss", medians(StalenessResult::seconds));
        series.put("iterations to the loss / 10", medians((result) -> result.iterations() / 10));
        series.put("time waited, % / 10", medians((result) -> 10 * result.waitRatio()));

        return Chart.ofCategories("Staleness bound: time, iterations, waiting", Chart.Form.BARS,
            bounds.stream().map(StalenessLines::label).toList(), series);
    }

    private void add(
        final List<TargetLine> lines,
        final int bound,
        final String what,
        final String unit,
        final ToDoubleFunction<StalenessResult> figure)
    {
        lines.add(TargetLine.figure(
            "staleness " + label(bound) + ": " + what, unit, summary(bound, figure)));
    }

    private List<Double> medians(final ToDoubleFunction<StalenessResult> figure)
    {
        return bounds.stream().map((bound) -> summary(bound, figure).median()).toList();
    }

    private Summary summary(final int bound, final ToDoubleFunction<StalenessResult> figure)
    {
        return Summary.of(results.stream().filter((result) -> result.staleness() == bound)
            .mapToDouble(figure).toArray());
    }

    private static String label(final int bound)
    {
        return new Consistency(1, bound).label();
    }
}
