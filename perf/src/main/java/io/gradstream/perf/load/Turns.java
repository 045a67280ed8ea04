// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.load.LoadReport.SizeResult;
import io.gradstream.perf.measure.ByteSize;
import io.gradstream.perf.measure.Sample;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Takes the measures of contests at one size: all are warmed up first, then each has a window, again and again.
 */
final class Turns
{
    private static final double NS_PER_US = 1_000;

    private final Map<Measure, Series> series = new EnumMap<>(Measure.class);
    private final Map<Measure, CpuLoad> busyCores = new EnumMap<>(Measure.class);
    private final Map<Measure, List<Double>> percentilesUs = new EnumMap<>(Measure.class);
    private final LoadSettings settings;
    private final int size;

    Turns(final LoadSettings settings, final int size)
    {
        this.settings = settings;
        this.size = size;
    }

    /** Take the measures of one contest. */
    void take(final List<Turn> turns)
    {
        final WarmUp warmUp = new WarmUp(settings.warmUpNs());
        for (final Turn turn : turns)
        {
            say("warming up: " + turn.measure().title());
            warmUp.run(turn.run(), turn.measure().isRecorded() ? settings.maxWarmUpBytes() : Long.MAX_VALUE);
            if (null != turn.loop())
            {
                turn.loop().forget();
            }
        }
        final Map<Measure, List<Sample>> samples = new EnumMap<>(Measure.class);
        final Map<Measure, List<CpuLoad>> loads = new EnumMap<>(Measure.class);
        for (int window = 0; window < settings.windows(); window++)
        {
            say("window " + (window + 1) + " of " + settings.windows() + " of each");
            for (final Turn turn : turns)
            {
                final CpuLoad.Meter meter = new CpuLoad.Meter(turn.serverPids());
                samples.computeIfAbsent(turn.measure(), (unused) -> new ArrayList<>())
                    .add(turn.run().run(settings.windowNs()));
                loads.computeIfAbsent(turn.measure(), (unused) -> new ArrayList<>()).add(meter.read());
            }
        }
        for (final Turn turn : turns)
        {
            keep(turn, samples.get(turn.measure()), loads.get(turn.measure()));
        }
    }

    SizeResult result()
    {
        return new SizeResult(size, settings.rateOf(size), series, busyCores, percentilesUs);
    }

    private void keep(final Turn turn, final List<Sample> samples, final List<CpuLoad> loads)
    {
        series.put(turn.measure(), Series.of(turn.measure(), samples));
        if (!turn.serverPids().isEmpty())
        {
            busyCores.put(turn.measure(), CpuLoad.mean(loads));
        }
        if (null != turn.loop())
        {
            percentilesUs.put(turn.measure(), SizeResult.PERCENTILES.stream()
                .map((percentile) -> turn.loop().percentileNs(percentile) / NS_PER_US).toList());
        }
    }

    private void say(final String what)
    {
        System.err.printf(Locale.ROOT, "[%s] %s%n", ByteSize.text(size), what);
    }
}
