// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

import com.google.gson.stream.JsonWriter;

/**
 * Writes a history's news as JSON, which the page polls. The form of the JSON belongs to the page of the same version;
 * other programs read {@code /metrics}.
 */
final class HistoryJson
{
    /** Partitions that are shown one by one. If there are more, those that need attention come first. */
    static final int MAX_PARTITIONS = 256;

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
        for (final SampleSeries.Point<ClusterLoad> point : view.loads())
        {
            append(json, point.value());
        }
        json.endArray().name("cluster");
        if (null == view.cluster())
        {
            json.nullValue();
        }
        else
        {
            append(json, view.cluster());
        }
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

    private static void append(final JsonWriter json, final ClusterLoad load) throws IOException
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

    private static void append(final JsonWriter json, final ClusterSample cluster) throws IOException
    {
        json.beginObject();
        json.name("timeMs").value(cluster.timeMs());
        json.name("job").value(cluster.job());
        json.name("leader").value(cluster.leader());
        json.name("term").value(cluster.term());
        json.name("failovers").value(cluster.failovers());
        json.name("spurious").value(cluster.spuriousFailovers());
        json.name("served").value(cluster.served());
        json.name("degraded").value(cluster.degraded());
        json.name("size").value(cluster.partitions().size());
        json.name("nodes").beginArray();
        for (final ClusterSample.Node node : cluster.nodes())
        {
            json.beginObject().name("id").value(node.id()).name("endpoint").value(node.endpoint())
                .name("heardMs").value(node.heardMs()).name("silent").value(node.isSilent())
                .name("heads").value(node.heads()).name("places").value(node.places()).endObject();
        }
        json.endArray().name("partitions").beginArray();
        for (final ClusterSample.Partition partition : shown(cluster.partitions()))
        {
            json.beginObject().name("id").value(partition.id()).name("epoch").value(partition.epoch())
                .name("wanted").value(partition.wanted()).name("inSync").value(partition.inSync())
                .name("served").value(partition.isServed()).name("replicas").beginArray();
            for (final ClusterSample.Replica replica : partition.replicas())
            {
                json.beginObject().name("node").value(replica.node()).name("role").value(label(replica.role()))
                    .name("rung").value(replica.rung()).name("epoch").value(replica.epoch())
                    .name("applied").value(replica.applied()).name("lag").value(replica.lag()).endObject();
            }
            json.endArray().endObject();
        }
        json.endArray().endObject();
    }

    private static List<ClusterSample.Partition> shown(final List<ClusterSample.Partition> partitions)
    {
        return partitions.size() <= MAX_PARTITIONS ? partitions : partitions.stream()
            .sorted(Comparator.comparing(ClusterSample.Partition::isServed)
                .thenComparing((partition) -> partition.inSync() >= partition.wanted())
                .thenComparing(ClusterSample.Partition::id))
            .limit(MAX_PARTITIONS)
            .sorted(Comparator.comparing(ClusterSample.Partition::id))
            .toList();
    }

    static String label(final Enum<?> constant)
    {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
