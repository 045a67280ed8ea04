// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.launcher.JsonText;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.Bound;
import io.gradstream.perf.report.Machine;
import io.gradstream.perf.report.TargetLine;
import io.gradstream.perf.report.TargetReport;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The results of a training run, as a table for people and as one JSON object for programs.
 */
final class TrainingReport
{
    /** Examples in a batch that the target asks for. */
    static final int TARGET_BATCH = 512;

    private static final JsonText JSON = new JsonText(4);
    private static final String ROW = "  %-42s %30s %7s %26s%n";

    private final TrainingSettings settings;
    private final Map<Integer, Map<Shape, List<Pace>>> results;

    /** Results by batch and shape. */
    TrainingReport(final TrainingSettings settings, final Map<Integer, Map<Shape, List<Pace>>> results)
    {
        this.settings = settings;
        this.results = results;
    }

    /** Lines of the shapes with one driver, the set-up that is meant for one host, each with the plain thread. */
    List<TargetLine> targets()
    {
        final List<TargetLine> lines = new ArrayList<>();
        addTarget(lines, Shape.ONE_SHARED, Bound.atLeast(0.5));
        addTarget(lines, Shape.TWO_SHARED, Bound.atLeast(0.4));
        addTarget(lines, Shape.FACTORS_SHARED, Bound.atLeast(0.5));

        return lines;
    }

    /** Several lines, the last one ended. */
    String table()
    {
        final StringBuilder text = new StringBuilder(String.format(Locale.ROOT,
            "Medians (min..max) of %d rounds of %d s after %d s of warm-up; %d examples with %d features, %d" +
            " ratings of %d items by %d users; profile %s, partitions %d; JDK %s%n",
            settings.rounds(), settings.windowSeconds(), settings.warmUpSeconds(), settings.examples(),
            settings.features(), TrainingSettings.RATINGS.ratings(), TrainingSettings.RATINGS.items(),
            TrainingSettings.RATINGS.users(), profile(), TrainingSettings.PARTITIONS, Runtime.version().feature()));
        results.forEach((batch, shapes) ->
        {
            for (final Task task : Task.values())
            {
                addTable(text, batch, task, shapes);
            }
        });

        return text.append(new TargetReport(Machine.here(), targets()).table()).toString();
    }

    /** One line without its end. */
    String json()
    {
        final Map<String, Object> object = new LinkedHashMap<>();
        object.put("measurement", "train");
        object.put("rounds", settings.rounds());
        object.put("warmUpSeconds", settings.warmUpSeconds());
        object.put("windowSeconds", settings.windowSeconds());
        object.put("examples", settings.examples());
        object.put("features", settings.features());
        object.put("ratings", TrainingSettings.RATINGS.ratings());
        object.put("users", TrainingSettings.RATINGS.users());
        object.put("items", TrainingSettings.RATINGS.items());
        object.put("partitions", TrainingSettings.PARTITIONS);
        object.put("profile", profile());
        object.put("processors", Runtime.getRuntime().availableProcessors());
        final List<Object> batches = new ArrayList<>();
        results.forEach((batch, shapes) ->
        {
            final Map<String, Object> measured = new LinkedHashMap<>();
            measured.put("batch", batch);
            shapes.forEach((shape, paces) ->
            {
                final Map<String, Object> one = new LinkedHashMap<>();
                one.put("examplesPerSecond", of(paces, Pace::examplesPerSecond));
                one.put("ratio", ratio(batch, shape));
                one.put("cpuSecondsPerMillion", of(paces, Pace::cpuSeconds));
                measured.put(shape.id(), one);
            });
            batches.add(measured);
        });
        object.put("batches", batches);
        object.putAll(new TargetReport(Machine.here(), targets()).fields());

        return JSON.of(object);
    }

    private void addTable(
        final StringBuilder text, final int batch, final Task task, final Map<Shape, List<Pace>> shapes)
    {
        if (shapes.keySet().stream().noneMatch((shape) -> task == shape.task()))
        {
            return;
        }
        text.append(String.format(Locale.ROOT, "%n%s, batch %d%n", task.title(), batch));
        text.append(String.format(Locale.ROOT, ROW, "", "examples/s", "ratio", "CPU s per million"));
        shapes.forEach((shape, paces) ->
        {
            if (task == shape.task())
            {
                text.append(String.format(Locale.ROOT, ROW, shape.title(),
                    summary("%.0f (%.0f..%.0f)", paces, Pace::examplesPerSecond),
                    String.format(Locale.ROOT, "%.3f", ratio(batch, shape)),
                    summary("%.2f (%.2f..%.2f)", paces, Pace::cpuSeconds)));
            }
        });
    }

    private void addTarget(final List<TargetLine> lines, final Shape shape, final Bound bound)
    {
        final Map<Shape, List<Pace>> shapes = results.getOrDefault(TARGET_BATCH, Map.of());
        if (shapes.containsKey(shape) && shapes.containsKey(shape.baseline()))
        {
            lines.add(new TargetLine("T15", shape.task().prefix() + "batch " + TARGET_BATCH + ": " + shape.title(),
                "ex/s", of(shapes.get(shape), Pace::examplesPerSecond),
                of(shapes.get(shape.baseline()), Pace::examplesPerSecond).median(), Double.NaN, bound, ""));
        }
    }

    /** To the plain thread's, of medians. */
    private double ratio(final int batch, final Shape shape)
    {
        final Map<Shape, List<Pace>> shapes = results.get(batch);
        return of(shapes.get(shape), Pace::examplesPerSecond).median() /
            of(shapes.get(shape.baseline()), Pace::examplesPerSecond).median();
    }

    private String profile()
    {
        return settings.profile().name().toLowerCase(Locale.ROOT);
    }

    private static Summary of(final List<Pace> paces, final ToDoubleFunction<Pace> value)
    {
        return Summary.of(paces.stream().mapToDouble(value).toArray());
    }

    private static String summary(
        final String format, final List<Pace> paces, final ToDoubleFunction<Pace> value)
    {
        final Summary summary = of(paces, value);
        return String.format(Locale.ROOT, format, summary.median(), summary.min(), summary.max());
    }
}
