// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.launcher.JsonText;
import io.gradstream.perf.measure.ByteSize;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.Machine;
import io.gradstream.perf.report.TargetReport;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The results of a load run, as a table for people and as one JSON object for programs.
 */
final class LoadReport
{
    private static final JsonText JSON = new JsonText(3);
    private static final String ROW = "  %-40s %30s %30s %28s%n";

    private final LoadSettings settings;
    private final List<SizeResult> results;
    private final TargetReport targets;

    LoadReport(final LoadSettings settings, final List<SizeResult> results)
    {
        this.settings = settings;
        this.results = results;
        targets = new TargetReport(Machine.here(), LoadTargets.of(settings, results));
    }

    /** Several lines, the last one ended. */
    String table()
    {
        final StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT,
            "Medians (min..max) of %d windows of %.1f s in turns, after %.1f s of warm-up or more; " +
            "profile %s, drivers %s, MTU %d, term %d KiB, partitions %d, standbys %d; JDK %s%n",
            settings.windows(), settings.windowNs() / 1e9, settings.warmUpNs() / 1e9, profile(), drivers(),
            settings.cluster().mtu(), GradstreamRig.TERM_LENGTH >> 10, settings.cluster().partitions(),
            settings.cluster().standbys(),
            Runtime.version().feature()));
        for (final SizeResult result : results)
        {
            append(text, result);
        }

        return text.append(targets.table()).toString();
    }

    /** One line without its end. */
    String json()
    {
        final Map<String, Object> object = new LinkedHashMap<>();
        object.put("measurement", "load");
        object.put("windows", settings.windows());
        object.put("windowSeconds", settings.windowNs() / 1e9);
        object.put("warmUpSeconds", settings.warmUpNs() / 1e9);
        object.put("maxWindowBytes", settings.maxWindowBytes());
        object.put("profile", profile());
        object.put("mtu", settings.cluster().mtu());
        object.put("drivers", drivers());
        object.put("termLength", GradstreamRig.TERM_LENGTH);
        object.put("partitions", settings.cluster().partitions());
        object.put("standbys", settings.cluster().standbys());
        object.put("processors", Runtime.getRuntime().availableProcessors());
        final List<Object> sizes = new ArrayList<>();
        results.forEach((result) -> sizes.add(json(result)));
        object.put("sizes", sizes);
        object.putAll(targets.fields());

        return JSON.of(object);
    }

    private String drivers()
    {
        return settings.cluster().isSharing() ? "shared" : "own";
    }

    private String profile()
    {
        return settings.cluster().profile().name().toLowerCase(Locale.ROOT);
    }

    private static void append(final StringBuilder text, final SizeResult result)
    {
        text.append(String.format(Locale.ROOT, "%n%s (fixed rate: %.0f a second)%n",
            ByteSize.text(result.size()), result.rate()));
        text.append(String.format(Locale.ROOT, ROW, "", "p50 us", "p99 us", "MB/s"));
        for (final Series series : result.series().values())
        {
            text.append(String.format(Locale.ROOT, ROW, series.measure().title(),
                summary(series.p50Us()), summary(series.p99Us()), summary(series.megabytesPerSecond())));
        }
        for (final Map.Entry<Measure, CpuLoad> busy : result.busyCores().entrySet())
        {
            text.append(String.format(Locale.ROOT, "  cores busy in %-62s %s%n",
                busy.getKey().title(), busy.getValue().text()));
        }
        for (final Ratio ratio : Ratio.values())
        {
            final double value = ratio.of(result.series());
            if (Double.isFinite(value))
            {
                text.append(String.format(Locale.ROOT, "  ratio %-66s %6.2f%n", ratio.title(), value));
            }
        }
    }

    private static String summary(final Summary summary)
    {
        return Double.isFinite(summary.median()) ?
            String.format(Locale.ROOT, "%.1f (%.1f..%.1f)", summary.median(), summary.min(), summary.max()) : "-";
    }

    private static Map<String, Object> json(final SizeResult result)
    {
        final Map<String, Object> object = new LinkedHashMap<>();
        object.put("size", result.size());
        object.put("rate", result.rate());
        for (final Series series : result.series().values())
        {
            final Map<String, Object> measured = new LinkedHashMap<>();
            measured.put("p50Us", series.p50Us());
            measured.put("p99Us", series.p99Us());
            measured.put("megabytesPerSecond", series.megabytesPerSecond());
            measured.put("perSecond", series.transfersPerSecond());
            if (result.busyCores().containsKey(series.measure()))
            {
                measured.put("busyCores", result.busyCores().get(series.measure()));
            }
            object.put(series.measure().id(), measured);
        }
        final Map<String, Object> ratios = new LinkedHashMap<>();
        for (final Ratio ratio : Ratio.values())
        {
            ratios.put(ratio.id(), ratio.of(result.series()));
        }
        object.put("ratios", ratios);

        return object;
    }

    /**
     * Everything measured at one size.
     *
     * @param size      bytes of a transfer.
     * @param rate      transfers a second at the fixed rate.
     * @param series    by measure, in the order they were taken.
     * @param busyCores during the measures of pushes with several outstanding.
     * @param percentilesUs latency of all windows together at {@link #PERCENTILES}, where it was taken.
     */
    record SizeResult(
        int size,
        double rate,
        Map<Measure, Series> series,
        Map<Measure, CpuLoad> busyCores,
        Map<Measure, List<Double>> percentilesUs)
    {
        /** For a curve of latency. */
        static final List<Double> PERCENTILES = List.of(10.0, 50.0, 90.0, 99.0, 99.9);
    }
}
