// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.measure.MachineLoad;
import io.gradstream.perf.measure.Series;
import io.gradstream.perf.report.CpuCost;

import java.util.List;
import java.util.Map;

/**
 * Everything measured at one size.
 *
 * @param size      bytes of a transfer.
 * @param rate      transfers a second at the fixed rate.
 * @param series    by measure, in the order they were taken.
 * @param busyCores during the measures, where the processes of the other side are known.
 * @param percentilesUs latency of all windows together at {@link #PERCENTILES}, where it was taken.
 * @param costs    of a gigabyte in each measure.
 * @param machines load of the machine during each measure, and those that it took turns with.
 */
record SizeResult(
    int size,
    double rate,
    Map<Measure, Series> series,
    Map<Measure, CpuLoad> busyCores,
    Map<Measure, List<Double>> percentilesUs,
    Map<Measure, CpuCost> costs,
    Map<Measure, MachineLoad> machines)
{
    /** For a curve of latency. */
    static final List<Double> PERCENTILES = List.of(10.0, 50.0, 90.0, 99.0, 99.9);
}
