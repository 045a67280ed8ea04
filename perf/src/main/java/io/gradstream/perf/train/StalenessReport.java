// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.console.Chart;
import io.gradstream.console.ChartImage;
import io.gradstream.launcher.JsonText;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.Machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Medians over the seeds for each bound, as a table, JSON, CSV and a picture.
 */
final class StalenessReport
{
    private static final JsonText JSON = new JsonText(6);
    private static final String FILE = "staleness";
    private static final double PERCENT = 100;

    private final StalenessSettings settings;
    private final List<StalenessResult> results;
    private final Machine machine = Machine.here();

    StalenessReport(final StalenessSettings settings, final List<StalenessResult> results)
    {
        this.settings = settings;
        this.results = results;
    }

    String table()
    {
        final StringBuilder text = new StringBuilder(String.format(Locale.ROOT,
            "%d workers, a batch takes at least %d ms, stragglers %s, until the loss is %.3f; medians of %d seeds%n",
            settings.workers(), TimeUnit.NANOSECONDS.toMillis(settings.stepNs()), settings.stragglers(),
            settings.targetLoss(), settings.seeds()));
        text.append(String.format(Locale.ROOT, "%-10s %9s %15s %11s %9s %9s %7s%n",
            "staleness", "seconds", "min..max", "iterations", "waited", "behind", "most"));
        for (final int bound : settings.bounds())
        {
            final Summary seconds = summary(bound, StalenessResult::seconds);
            text.append(String.format(Locale.ROOT, "%-10s %9.2f %15s %11.0f %7.1f %% %9.2f %7.0f%n", label(bound),
                seconds.median(), String.format(Locale.ROOT, "%.2f..%.2f", seconds.min(), seconds.max()),
                median(bound, StalenessResult::iterations), PERCENT * median(bound, StalenessResult::waitRatio),
                median(bound, StalenessResult::meanStaleness), summary(bound, StalenessResult::maxStaleness).max()));
        }

        return text.toString();
    }

    String json()
    {
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("machine", machine.name());
        json.put("jdk", machine.jdk());
        json.put("commit", machine.commit());
        json.put("workers", settings.workers());
        json.put("stepMs", TimeUnit.NANOSECONDS.toMillis(settings.stepNs()));
        json.put("stragglers", settings.stragglers());
        json.put("targetLoss", settings.targetLoss());
        json.put("seeds", settings.seeds());
        json.put("bounds", settings.bounds().stream().map(this::json).toList());

        return JSON.of(json);
    }

    /** Write all, in place of a former report. */
    void write(final Path directory) throws IOException
    {
        Files.writeString(directory.resolve(FILE + ".json"), json() + '\n');
        Files.writeString(directory.resolve(FILE + ".csv"), csv());
        final Map<String, List<Double>> series = new LinkedHashMap<>();
        series.put("seconds to the loss", medians(StalenessResult::seconds));
        series.put("iterations to the loss / 10", medians((result) -> result.iterations() / 10));
        series.put("time waited, % / 10", medians((result) -> 10 * result.waitRatio()));
        ChartImage.write(Chart.ofCategories("Staleness bound: time, iterations, waiting", Chart.Form.BARS,
            settings.bounds().stream().map(StalenessReport::label).toList(), series),
            directory.resolve(FILE + ".png"));
    }

    private String csv()
    {
        final StringBuilder csv = new StringBuilder(
            "staleness,seed,seconds,iterations,loss,waitRatio,meanStaleness,maxStaleness\n");
        for (final StalenessResult result : results)
        {
            csv.append(String.format(Locale.ROOT, "%s,%d,%.3f,%.1f,%.6f,%.4f,%.3f,%d%n", result.label(), result.seed(),
                result.seconds(), result.iterations(), result.loss(), result.waitRatio(), result.meanStaleness(),
                result.maxStaleness()));
        }

        return csv.toString();
    }

    private Map<String, Object> json(final int bound)
    {
        final Map<String, Object> json = new LinkedHashMap<>();
        final Summary seconds = summary(bound, StalenessResult::seconds);
        json.put("staleness", label(bound));
        json.put("seconds", seconds.median());
        json.put("minSeconds", seconds.min());
        json.put("maxSeconds", seconds.max());
        json.put("iterations", median(bound, StalenessResult::iterations));
        json.put("waitRatio", median(bound, StalenessResult::waitRatio));
        json.put("stalenessMean", median(bound, StalenessResult::meanStaleness));
        json.put("stalenessMax", summary(bound, StalenessResult::maxStaleness).max());

        return json;
    }

    private List<Double> medians(final ToDoubleFunction<StalenessResult> figure)
    {
        return settings.bounds().stream().map((bound) -> median(bound, figure)).toList();
    }

    private double median(final int bound, final ToDoubleFunction<StalenessResult> figure)
    {
        return summary(bound, figure).median();
    }

    private Summary summary(final int bound, final ToDoubleFunction<StalenessResult> figure)
    {
        return Summary.of(results.stream().filter((result) -> result.staleness() == bound)
            .mapToDouble(figure).toArray());
    }

    private static String label(final int bound)
    {
        return new io.gradstream.codecs.Consistency(1, bound).label();
    }
}
