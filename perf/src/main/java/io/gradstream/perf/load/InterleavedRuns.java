// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.measure.ByteSize;
import io.gradstream.perf.measure.Sample;
import io.gradstream.perf.measure.Series;

import java.util.ArrayList;
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
        final Map<Measure, List<Sample>> samples = new EnumMap<>(Measure.class);
        final Map<Measure, List<CpuLoad>> loads = new EnumMap<>(Measure.class);
        for (int window = 0; window < load.settings().windows(); window++)
        {
            say("window " + (window + 1) + " of " + load.settings().windows() + " of each");
            for (final InterleavedRun run : runs)
            {
                final CpuLoad.Meter meter = new CpuLoad.Meter(run.serverPids());
                samples.computeIfAbsent(run.measure(), (unused) -> new ArrayList<>())
                    .add(run.run().apply(load.settings().windowNs()));
                loads.computeIfAbsent(run.measure(), (unused) -> new ArrayList<>()).add(meter.read());
            }
        }
        for (final InterleavedRun run : runs)
        {
            keep(run, samples.get(run.measure()), loads.get(run.measure()));
        }
    }

    SizeResult result()
    {
        return new SizeResult(size, load.rateOf(size), series, busyCores, percentilesUs);
    }

    private void keep(final InterleavedRun run, final List<Sample> samples, final List<CpuLoad> loads)
    {
        series.put(run.measure(), Series.of(samples));
        if (!run.serverPids().isEmpty())
        {
            busyCores.put(run.measure(), CpuLoad.mean(loads));
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
