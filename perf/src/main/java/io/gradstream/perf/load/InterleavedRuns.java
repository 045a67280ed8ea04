// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.measure.ByteSize;
import io.gradstream.perf.measure.MachineLoad;
import io.gradstream.perf.measure.Series;
import io.gradstream.perf.report.CpuCost;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Takes the measures of comparisons at one size: all are warmed up first, then each has a window, again and again. */
final class InterleavedRuns
{
    private static final double NS_PER_US = 1_000;

    private final Map<Measure, Series> series = new EnumMap<>(Measure.class);
    private final Map<Measure, CpuLoad> busyCores = new EnumMap<>(Measure.class);
    private final Map<Measure, CpuCost> costs = new EnumMap<>(Measure.class);
    private final Map<Measure, MachineLoad> machines = new EnumMap<>(Measure.class);
    private final Map<Measure, List<Double>> percentilesUs = new EnumMap<>(Measure.class);
    private final LoadRun load;
    private final int size;

    InterleavedRuns(final LoadRun load, final int size)
    {
        this.load = load;
        this.size = size;
    }

    /** Take the measures of one comparison. */
    void take(final List<InterleavedRun> runs)
    {
        final WarmUp warmUp = new WarmUp(load.settings().warmupNs());
        for (final InterleavedRun run : runs)
        {
            say("warming up: " + run.measure().title(size));
            warmUp.run(run.run(), run.measure().isRecorded() ? load.maxWarmUpBytes() : Long.MAX_VALUE);
            if (null != run.loop())
            {
                run.loop().forget();
            }
        }
        final Map<Measure, CostMeter> meters = new EnumMap<>(Measure.class);
        runs.forEach((run) -> meters.put(run.measure(), new CostMeter(run.serverPids())));
        final MachineLoad.Meter machine = new MachineLoad.Meter();
        for (int window = 0; window < load.settings().windows(); window++)
        {
            say("window " + (window + 1) + " of " + load.settings().windows() + " of each");
            for (final InterleavedRun run : runs)
            {
                meters.get(run.measure()).take(() -> run.run().apply(load.settings().windowNs()));
            }
        }
        final MachineLoad machineLoad = load.startsServers() ? machine.read() : machine.read().ofStealAlone();
        for (final InterleavedRun run : runs)
        {
            machines.put(run.measure(), machineLoad);
            keep(run, meters.get(run.measure()));
        }
    }

    SizeResult result()
    {
        return new SizeResult(size, load.rateOf(size), series, busyCores, percentilesUs, costs, machines);
    }

    private void keep(final InterleavedRun run, final CostMeter meter)
    {
        series.put(run.measure(), Series.of(meter.samples()));
        costs.put(run.measure(), meter.cost());
        if (!run.serverPids().isEmpty())
        {
            busyCores.put(run.measure(), meter.meanLoad());
        }
        if (null != run.loop())
        {
            percentilesUs.put(run.measure(), SizeResult.PERCENTILES.stream()
                .map((percentile) -> run.loop().percentileNs(percentile) / NS_PER_US).toList());
        }
    }

    private void say(final String what)
    {
        System.err.printf(Locale.ROOT, "[%s] %s%n", ByteSize.text(size), what);
    }
}
