// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.util.List;
import java.util.Map;


/**
 * What of a {@link RunHistory} lies behind a sequence, at one moment.
 *
 * @param title        of the run.
 * @param startMs      when the history began, ms since 1970 UTC; tells two runs apart.
 * @param isEnded      will nothing come any more?
 * @param sequence     of the newest of all.
 * @param progress     of training.
 * @param metrics      of the model.
 * @param marks        of what happened.
 * @param loads        of the cluster.
 * @param cluster      newest, or null if none was seen.
 * @param staleAfterMs from when on a cluster that was not looked at any more is not as it was.
 * @param newest       progress, also if it is not behind the sequence; null if there was none.
 * @param best         each metric when the model was best, also if it is not behind the sequence.
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
    List<SampleSeries.Point<ClusterLoad>> loads,
    ClusterSample cluster,
    long staleAfterMs,
    ProgressSample newest,
    List<MetricSample> best,
    Map<Mark.Kind, Long> counts)
{
    /**
     * How long ago the cluster was seen, in ms: 0 if there is none to see.
     *
     * @param nowMs since 1970 UTC.
     */
    long clusterAgeMs(final long nowMs)
    {
        return null == cluster ? 0 : Math.max(0, nowMs - cluster.timeMs());
    }

    /**
     * Has nobody seen the cluster for too long to say that it is as it was?
     *
     * @param nowMs since 1970 UTC.
     */
    boolean isClusterStale(final long nowMs)
    {
        return clusterAgeMs(nowMs) > staleAfterMs;
    }
}
