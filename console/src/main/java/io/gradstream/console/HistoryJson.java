// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

import com.google.gson.Gson;

/**
 * Writes a history's news as JSON, which the page polls. The form of the JSON belongs to the page of the same version;
 * other programs read {@code /metrics}.
 */
final class HistoryJson
{
    /** Partitions that are shown one by one. If there are more, those that need attention come first. */
    static final int MAX_PARTITIONS = 256;

    // escapes what could end an element of HTML, too
    private static final Gson GSON = new Gson().newBuilder().serializeNulls().create();

    private HistoryJson()
    {
    }

    static String of(final HistoryView view, final long nowMs)
    {
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("title", view.title());
        json.put("startMs", view.startMs());
        json.put("ended", view.isEnded());
        json.put("unseenMs", view.isClusterStale(nowMs) ? view.clusterAgeMs(nowMs) : 0);
        json.put("sequence", view.sequence());
        json.put("limit", RunHistory.MAX_RECENT + RunHistory.MAX_OLDER);
        json.put("progress", rows(view.progress(), (sample) -> Arrays.asList(
            sample.timeMs(), sample.batches(), sample.planned(), sample.examples(), shown(sample.examplesPerSecond()),
            shown(sample.loss()), shown(sample.pushP50Us()), shown(sample.pushP99Us()), shown(sample.staleness()))));
        json.put("metrics", rows(view.metrics(), (metric) -> Arrays.asList(
            metric.timeMs(), metric.batches(), metric.name(), shown(metric.value()), metric.isBestSoFar())));
        json.put("marks", rows(view.marks(), (mark) -> List.of(mark.timeMs(), label(mark.kind()), mark.text())));
        json.put("loads", rows(view.loads(), (load) -> Arrays.asList(
            load.timeMs(), load.served(), shown(load.logBytesPerSecond()), load.maxLag())));
        json.put("cluster", null == view.cluster() ? null : view.cluster().tree(MAX_PARTITIONS));

        return GSON.toJson(json);
    }

    /** The samples of a curve, each as the list of its values. */
    private static <T> List<List<?>> rows(
        final List<SampleSeries.Point<T>> points, final Function<T, List<?>> values)
    {
        return points.stream().<List<?>>map((point) -> values.apply(point.value())).toList();
    }

    /** A value with the digits of a float; null if it is not finite as a float, as JSON has no such number. */
    private static Float shown(final double value)
    {
        final float shown = (float)value;
        return Float.isFinite(shown) ? shown : null;
    }

    static String label(final Enum<?> constant)
    {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
