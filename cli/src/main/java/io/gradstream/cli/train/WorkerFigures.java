// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.util.List;

import org.HdrHistogram.Histogram;

/**
 * The figures of all workers of a run, put together for its summary.
 */
final class WorkerFigures
{
    private static final double NS_PER_S = 1e9;
    private static final double NS_PER_US = 1e3;

    private WorkerFigures()
    {
    }

    /** Latencies in microseconds, refused pushes and bytes of spools of all workers, of which there is at least one. */
    static void addTo(final TrainSummary summary, final List<WorkerResult> results)
    {
        // made like the first one's, but empty
        final Histogram pushes = new Histogram(results.get(0).pushes());
        final Histogram pulls = new Histogram(results.get(0).pulls());
        for (final WorkerResult result : results)
        {
            pushes.add(result.pushes());
            pulls.add(result.pulls());
            summary.pushesRefused += result.refused();
            summary.spoolPeakBytes += result.spoolPeakBytes();
            summary.warmupSeconds = Math.max(summary.warmupSeconds, result.warmupSeconds());
            summary.examplesPerSecond += result.examplesPerSecond();
        }
        summary.pushP50Us = percentileUs(pushes, 50);
        summary.pushP99Us = percentileUs(pushes, 99);
        summary.pullP50Us = percentileUs(pulls, 50);
        summary.pullP99Us = percentileUs(pulls, 99);
    }

    /** How stale pulls were, in batches, and the share of the time in which workers waited for slower ones. */
    static void addStaleness(final TrainSummary summary, final List<WorkerResult> results)
    {
        summary.stalenessMax = results.stream().mapToLong(WorkerResult::stalenessMax).max().orElseThrow();
        summary.stalenessMean = results.stream().mapToDouble(WorkerResult::stalenessMean).average().orElseThrow();
        summary.waitRatio = results.stream().mapToLong(WorkerResult::waitedNs).sum() / NS_PER_S /
            results.stream().mapToDouble(WorkerResult::seconds).sum();
    }

    /** NaN if nothing was measured. */
    private static double percentileUs(final Histogram histogram, final double percentile)
    {
        return 0 == histogram.getTotalCount() ? Double.NaN : histogram.getValueAtPercentile(percentile) / NS_PER_US;
    }
}
