// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.util.List;
import java.util.function.Function;

import org.HdrHistogram.Histogram;

/**
 * Latencies and speed of all workers of a run, after their warm-up; the names are those of the JSON.
 *
 * @param pushP50Us         median time from a push to its acknowledgement, in us; NaN if none was measured.
 * @param pushP99Us         its 99th percentile, in us.
 * @param pullP50Us         median time of a pull, in us; NaN if none was measured.
 * @param pullP99Us         its 99th percentile, in us.
 * @param seconds           of the whole training, the warm-up included.
 * @param warmupSeconds     longest warm-up of a worker.
 * @param examplesPerSecond that workers learned from, each counted once for each pass.
 */
record Speed(
    double pushP50Us,
    double pushP99Us,
    double pullP50Us,
    double pullP99Us,
    double seconds,
    double warmupSeconds,
    double examplesPerSecond)
{
    static final Speed NONE = new Speed(Double.NaN, Double.NaN, Double.NaN, Double.NaN, 0, 0, 0);
    private static final double NS_PER_US = 1e3;

    /** The figures of the workers put together. */
    static Speed of(final List<WorkerResult> results, final double seconds)
    {
        final Histogram pushes = sum(results, WorkerResult::pushes);
        final Histogram pulls = sum(results, WorkerResult::pulls);

        return new Speed(
            percentileUs(pushes, 50), percentileUs(pushes, 99), percentileUs(pulls, 50), percentileUs(pulls, 99),
            seconds,
            results.stream().mapToDouble(WorkerResult::warmupSeconds).max().orElseThrow(),
            results.stream().mapToDouble(WorkerResult::examplesPerSecond).sum());
    }

    private static Histogram sum(final List<WorkerResult> results, final Function<WorkerResult, Histogram> latencies)
    {
        // made like the first one, but empty
        final Histogram sum = new Histogram(latencies.apply(results.get(0)));
        results.forEach((result) -> sum.add(latencies.apply(result)));
        return sum;
    }

    /** A percentile of latencies in us; NaN if there are none. */
    static double percentileUs(final Histogram histogram, final double percentile)
    {
        return 0 == histogram.getTotalCount() ? Double.NaN : histogram.getValueAtPercentile(percentile) / NS_PER_US;
    }
}
