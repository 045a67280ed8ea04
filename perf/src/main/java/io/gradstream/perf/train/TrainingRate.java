// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.perf.measure.MachineLoad;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.CpuCost;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How fast one run trained once it was warm.
 *
 * @param examplesPerSecond of all workers together.
 * @param cpuSeconds        that all processes took for a million examples.
 * @param serverCpuSeconds  that servers took of it; NaN if it is not known.
 * @param testError         on data that were not trained, after some passes; NaN if it was not computed.
 * @param machine           load of the machine meanwhile.
 */
record TrainingRate(
    double examplesPerSecond, double cpuSeconds, double serverCpuSeconds, double testError, MachineLoad machine)
{
    private static final double MILLION = 1e6;
    private static final double NS_PER_SECOND = 1e9;

    /** The rate of some examples; processor times are those that all of them took. No error was computed. */
    static TrainingRate of(
        final double examples,
        final long elapsedNs,
        final double cpuNs,
        final double serverCpuNs,
        final MachineLoad machine)
    {
        return of(examples, elapsedNs, cpuNs, serverCpuNs, Double.NaN, machine);
    }

    /** The rate of some examples; processor times are those that all of them took. */
    static TrainingRate of(
        final double examples,
        final long elapsedNs,
        final double cpuNs,
        final double serverCpuNs,
        final double testError,
        final MachineLoad machine)
    {
        final double millions = examples / MILLION;

        return new TrainingRate(examples * NS_PER_SECOND / Math.max(1, elapsedNs), cpuNs / NS_PER_SECOND / millions,
            serverCpuNs / NS_PER_SECOND / millions, testError, machine);
    }

    /** The cost of a million examples by medians of several rates. */
    static CpuCost cost(final List<TrainingRate> rates)
    {
        final double all = median(rates, TrainingRate::cpuSeconds);
        final double workers = median(rates, (rate) -> rate.cpuSeconds - rate.serverCpuSeconds);

        return new CpuCost(
            CpuCost.Unit.MILLION_EXAMPLES, all, workers, median(rates, TrainingRate::serverCpuSeconds));
    }

    /** The worst load of the machine while any of the rates was measured. */
    static MachineLoad machine(final List<TrainingRate> rates)
    {
        return rates.stream().map(TrainingRate::machine).reduce(MachineLoad.UNKNOWN, MachineLoad::worst);
    }

    private static double median(final List<TrainingRate> rates, final ToDoubleFunction<TrainingRate> value)
    {
        return Summary.of(rates.stream().mapToDouble(value).toArray()).median();
    }
}
