// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.measure.Series;

import java.util.List;
import java.util.Map;

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
