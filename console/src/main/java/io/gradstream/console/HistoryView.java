// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.util.List;
import java.util.Map;

/**
 * The part of a {@link RunHistory} that comes after a sequence, at one moment.
 *
 * @param title        of the run.
 * @param startMs      when the history began, ms since 1970 UTC; tells two runs apart.
 * @param isEnded      true if nothing more will come.
 * @param sequence     of the newest of all.
 * @param progress     of training.
 * @param metrics      of the model.
 * @param marks        of what happened.
 * @param loads        of the cluster.
 * @param cluster      newest, or null if none was seen.
 * @param staleAfterMs time without a look at the cluster after which what was seen of it is stale.
 * @param newest       progress, even if it does not come after the sequence; null if there was none.
 * @param best         each metric when the model was best, even if it does not come after the sequence.
 * @param counts       of marks of each kind since the history began.
 */
record HistoryView(
    String title,
    long startMs,
    boolean isEnded,
    long sequence,
    List<SampleSeries.Point<ProgressSample>> progress,
    List<SampleSeries.Point<MetricSample>> metrics,
    List<SampleSeries.Point<Mark>> marks,
    List<SampleSeries.Point<ClusterState.Load>> loads,
    ClusterState cluster,
    long staleAfterMs,
    ProgressSample newest,
    List<MetricSample> best,
    Map<Mark.Kind, Long> counts)
{
    /** Milliseconds since the cluster was last seen, at a time since 1970 UTC; 0 if no cluster was seen. */
    long clusterAgeMs(final long nowMs)
    {
        return null == cluster ? 0 : Math.max(0, nowMs - cluster.timeMs());
    }

    /** True if the cluster was last seen too long before a time since 1970 UTC to be still as it was. */
    boolean isClusterStale(final long nowMs)
    {
        return clusterAgeMs(nowMs) > staleAfterMs;
    }
}
