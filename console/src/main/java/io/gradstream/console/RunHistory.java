// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds what was seen of a training run or a cluster, within named limits however long the run takes: see
 * {@link SampleSeries}. Any thread may add and read.
 */
public final class RunHistory implements ProgressListener
{
    /** Newest samples of each curve, all of which are kept. */
    static final int MAX_RECENT = 1_024;
    /** Limit of the older samples of each curve. */
    static final int MAX_OLDER = 1_024;
    /** Metrics that are kept; samples of more names are dropped. */
    static final int MAX_METRICS = 8;
    /** Limit of the newest and of the older samples of each metric: each costs an evaluation, so there are fewer. */
    static final int MAX_METRIC_SAMPLES = 256;
    /** Limit of the newest marks, and of the older ones. */
    static final int MAX_MARKS = 256;
    /** Intervals without a look at the cluster after which what was seen of it is stale, ... */
    static final int STALE_INTERVALS = 3;
    /** ... and the least time for that: an election takes less. */
    static final long MIN_STALE_MS = 3_000;
    /** Longest text of a mark and longest name of a metric; the rest is cut off. */
    static final int MAX_TEXT_LENGTH = 200;

    private final String title;
    private final long startMs;
    private final long staleAfterMs;
    private final SampleSeries<ProgressSample> progress = new SampleSeries<>(MAX_RECENT, MAX_OLDER);
    private final SampleSeries<ClusterState.Load> loads = new SampleSeries<>(MAX_RECENT, MAX_OLDER);
    private final SampleSeries<Mark> marks = new SampleSeries<>(MAX_MARKS, MAX_MARKS);
    private final Map<String, SampleSeries<MetricSample>> metrics = new LinkedHashMap<>();
    /** Each metric when the model was best, which a series may have thinned away. */
    private final Map<String, MetricSample> best = new LinkedHashMap<>();
    private final Map<Mark.Kind, Long> counts = new EnumMap<>(Mark.Kind.class);
    private ClusterState cluster;
    private long sequence;
    private boolean isEnded;

    /**
     * A history in which nothing was seen yet.
     *
     * @param title             of the run or cluster, for readers.
     * @param startMs           now, ms since 1970 UTC.
     * @param clusterIntervalMs from one look at the cluster to the next, if there is one to look at.
     */
    public RunHistory(final String title, final long startMs, final long clusterIntervalMs)
    {
        this.title = title;
        this.startMs = startMs;
        staleAfterMs = Math.max(MIN_STALE_MS, STALE_INTERVALS * clusterIntervalMs);
    }

    @Override
    public synchronized void onSample(final ProgressSample sample)
    {
        progress.add(++sequence, sample);
    }

    @Override
    public synchronized void onMetric(final MetricSample metric)
    {
        final String name = cut(metric.name());
        if (metrics.size() < MAX_METRICS || metrics.containsKey(name))
        {
            final MetricSample kept = new MetricSample(
                metric.timeMs(), metric.batches(), name, metric.value(), metric.isBestSoFar());
            metrics.computeIfAbsent(name, (unused) -> new SampleSeries<>(MAX_METRIC_SAMPLES, MAX_METRIC_SAMPLES))
                .add(++sequence, kept);
            if (kept.isBestSoFar())
            {
                best.put(name, kept);
            }
        }
    }

    @Override
    public void onEvent(final ProgressEvent event)
    {
        onMark(Mark.of(event));
    }

    /** Adds an event. */
    public synchronized void onMark(final Mark mark)
    {
        marks.add(++sequence, new Mark(mark.timeMs(), mark.kind(), cut(mark.text())));
        counts.merge(mark.kind(), 1L, Long::sum);
    }

    /** Adds the state of the cluster. */
    public synchronized void onCluster(final ClusterState state)
    {
        loads.add(++sequence, state.load());
        cluster = state;
    }

    /** True if training has reported progress that can be drawn. */
    public synchronized boolean hasProgress()
    {
        return progress.size() > 0;
    }

    /** Declares that nothing more will come. */
    public synchronized void end()
    {
        isEnded = true;
        sequence++;
    }

    /** Returns what came after a sequence; with 0 all that is kept. */
    synchronized HistoryView since(final long after)
    {
        final List<SampleSeries.Point<MetricSample>> metricPoints = new ArrayList<>();
        metrics.values().forEach((series) -> metricPoints.addAll(series.since(after)));
        metricPoints.sort(Comparator.comparingLong(SampleSeries.Point::sequence));

        return new HistoryView(title, startMs, isEnded, sequence, progress.since(after), metricPoints,
            marks.since(after), loads.since(after), cluster, staleAfterMs, progress.newest(),
            List.copyOf(best.values()), allCounts());
    }

    private Map<Mark.Kind, Long> allCounts()
    {
        final Map<Mark.Kind, Long> all = new EnumMap<>(Mark.Kind.class);
        for (final Mark.Kind kind : Mark.Kind.values())
        {
            all.put(kind, counts.getOrDefault(kind, 0L));
        }

        return all;
    }

    private static String cut(final String text)
    {
        return text.length() <= MAX_TEXT_LENGTH ? text : text.substring(0, MAX_TEXT_LENGTH);
    }
}
