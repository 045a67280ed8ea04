// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Locale;

import com.google.gson.Gson;
import com.google.gson.JsonNull;
import com.google.gson.stream.JsonWriter;

/**
 * Writes a history's news as JSON, which the page polls. The form of the JSON belongs to the page of the same version;
 * other programs read {@code /metrics}.
 */
final class HistoryJson
{
    /** Partitions that are shown one by one. If there are more, those that need attention come first. */
    static final int MAX_PARTITIONS = 256;

    private static final Gson GSON = new Gson().newBuilder().serializeNulls().create();

    private HistoryJson()
    {
    }

    static String of(final HistoryView view, final long nowMs)
    {
        final StringWriter text = new StringWriter();
        try (JsonWriter json = new JsonWriter(text))
        {
            json.setHtmlSafe(true);
            append(json, view, nowMs);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("memory does not fail", ex);
        }

        return text.toString();
    }

    private static void append(final JsonWriter json, final HistoryView view, final long nowMs) throws IOException
    {
        json.beginObject();
        json.name("title").value(view.title());
        json.name("startMs").value(view.startMs());
        json.name("ended").value(view.isEnded());
        json.name("unseenMs").value(view.isClusterStale(nowMs) ? view.clusterAgeMs(nowMs) : 0);
        json.name("sequence").value(view.sequence());
        json.name("limit").value(RunHistory.MAX_RECENT + RunHistory.MAX_OLDER);
        json.name("progress").beginArray();
        for (final SampleSeries.Point<ProgressSample> point : view.progress())
        {
            append(json, point.value());
        }
        json.endArray().name("metrics").beginArray();
        for (final SampleSeries.Point<MetricSample> point : view.metrics())
        {
            append(json, point.value());
        }
        json.endArray().name("marks").beginArray();
        for (final SampleSeries.Point<Mark> point : view.marks())
        {
            append(json, point.value());
        }
        json.endArray().name("loads").beginArray();
        for (final SampleSeries.Point<ClusterState.Load> point : view.loads())
        {
            append(json, point.value());
        }
        json.endArray().name("cluster");
        GSON.toJson(null == view.cluster() ? JsonNull.INSTANCE : view.cluster().tree(MAX_PARTITIONS), json);
        json.endObject();
    }

    private static void append(final JsonWriter json, final ProgressSample sample) throws IOException
    {
        json.beginArray().value(sample.timeMs()).value(sample.batches()).value(sample.planned())
            .value(sample.examples());
        append(json, sample.examplesPerSecond());
        append(json, sample.loss());
        append(json, sample.pushP50Us());
        append(json, sample.pushP99Us());
        append(json, sample.staleness());
        json.endArray();
    }

    private static void append(final JsonWriter json, final MetricSample metric) throws IOException
    {
        json.beginArray().value(metric.timeMs()).value(metric.batches()).value(metric.name());
        append(json, metric.value());
        json.value(metric.isBestSoFar()).endArray();
    }

    private static void append(final JsonWriter json, final Mark mark) throws IOException
    {
        json.beginArray().value(mark.timeMs()).value(label(mark.kind())).value(mark.text()).endArray();
    }

    private static void append(final JsonWriter json, final ClusterState.Load load) throws IOException
    {
        json.beginArray().value(load.timeMs()).value(load.served());
        append(json, load.logBytesPerSecond());
        json.value(load.maxLag()).endArray();
    }

    /** Writes a value with the digits of a float; one that is not finite as a float is null, as JSON has none. */
    private static void append(final JsonWriter json, final double value) throws IOException
    {
        final float shown = (float)value;
        if (Float.isFinite(shown))
        {
            json.value(shown);
        }
        else
        {
            json.nullValue();
        }
    }

    static String label(final Enum<?> constant)
    {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
