/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.perf.load;

import io.aeron.Aeron;
import io.gradstream.driver.HostDriver;
import io.gradstream.launcher.LoopbackPorts;
import io.gradstream.perf.load.LoadReport.SizeResult;
import io.gradstream.perf.measure.ByteSize;
import io.gradstream.perf.measure.Sample;
import io.gradstream.perf.measure.Transceiver;
import io.gradstream.perf.raw.RawChannels;
import io.gradstream.perf.raw.RawPingPong;
import io.gradstream.perf.raw.RawRig;
import io.gradstream.perf.raw.RawStreaming;
import org.agrona.concurrent.SystemNanoClock;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * One run: at each size raw Aeron first, then Gradstream, on the same driver of this process.
 * <p>
 * Only the measured processes live at a time, so that nothing measures the idling of others.
 */
final class LoadRun
{
    private final LoadSettings settings;
    private Map<Measure, CpuLoad> busyCores;
    private int rounds;

    LoadRun(final LoadSettings settings)
    {
        this.settings = settings;
    }

    /**
     * Measure everything.
     *
     * @throws IllegalStateException if something did not come to its end in time.
     */
    List<SizeResult> run() throws IOException
    {
        final List<SizeResult> results = new ArrayList<>();
        final HostDriver.Context host = new HostDriver.Context()
            .profile(settings.cluster().profile())
            .mtuLength(settings.cluster().mtu())
            .termLength(GradstreamRig.TERM_LENGTH);
        try (HostDriver driver = HostDriver.launch(host);
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName())))
        {
            for (final int size : settings.sizes())
            {
                final Map<Measure, Series> series = new EnumMap<>(Measure.class);
                busyCores = new EnumMap<>(Measure.class);
                measureRaw(aeron, size, series);
                measureGradstream(aeron, size, series);
                if (settings.cluster().isChainMeasured())
                {
                    measureChain(aeron, size, series);
                }
                results.add(new SizeResult(size, settings.rateOf(size), series, busyCores));
            }
        }

        return results;
    }

    private void measureRaw(final Aeron aeron, final int size, final Map<Measure, Series> series) throws IOException
    {
        final List<String> endpoints = LoopbackPorts.free(2);
        final RawChannels channels = new RawChannels(settings.cluster().profile(), settings.cluster().mtu(),
            GradstreamRig.TERM_LENGTH, endpoints.get(0), endpoints.get(1),
            settings.cluster().isSharing() ? aeron.context().aeronDirectoryName() : RawChannels.OWN_DRIVERS);
        try (RawRig rig = RawRig.start(channels, aeron))
        {
            flatOut(Measure.RAW_ECHO, 1, () -> rig.pingPong(RawPingPong.Shape.ECHO, size), series);
            atRate(Measure.RAW_ECHO_AT_RATE, rig.pingPong(RawPingPong.Shape.ECHO, size), size, series);
            flatOut(Measure.RAW_PUSH, 1, () -> rig.pingPong(RawPingPong.Shape.PUSH, size), series);
            flatOut(Measure.RAW_PULL, 1, () -> rig.pingPong(RawPingPong.Shape.PULL, size), series);
            final RawStreaming streaming = rig.streaming(size);
            measure(Measure.RAW_STREAM, size, streaming::run, series);
        }
    }

    private void measureGradstream(
        final Aeron aeron, final int size, final Map<Measure, Series> series) throws IOException
    {
        try (GradstreamRig rig = GradstreamRig.start(settings, aeron, 0))
        {
            final int rows = size / LoadSettings.ROW_BYTES;
            rig.connectUntilApplied();
            flatOut(Measure.PUSH_APPLIED, 1, () -> rig.pushes(rows), series);
            atRate(Measure.PUSH_AT_RATE, rig.pushes(rows), size, series);
            goodput(Measure.PUSH_DEPTH_8, rig, rows, series);
            flatOut(Measure.PULL, 1, () -> rig.pulls(rows), series);
            atRate(Measure.PULL_AT_RATE, rig.pulls(rows), size, series);
            flatOut(Measure.PULL_DEPTH_8, Measure.DEPTH, () -> rig.pulls(rows), series);
            rig.connectUntilRecorded();
            flatOut(Measure.PUSH_RECORDED, 1, () -> rig.pushes(rows), series);
        }
    }

    private void measureChain(
        final Aeron aeron, final int size, final Map<Measure, Series> series) throws IOException
    {
        try (GradstreamRig rig = GradstreamRig.start(settings, aeron, settings.cluster().standbys()))
        {
            final int rows = size / LoadSettings.ROW_BYTES;
            rig.connectUntilReplicated();
            flatOut(Measure.CHAIN_REPLICATED, 1, () -> rig.pushes(rows), series);
            atRate(Measure.CHAIN_AT_RATE, rig.pushes(rows), size, series);
            goodput(Measure.CHAIN_DEPTH_8, rig, rows, series);
            if (rig.failovers() > 0)
            {
                System.err.println("perf: " + rig.failovers() + " failovers happened during the measures of the " +
                    "chain: a server was silent for too long; the machine is too busy for these figures to tell " +
                    "anything");
            }
        }
    }

    private void goodput(
        final Measure measure, final GradstreamRig rig, final int rows, final Map<Measure, Series> series)
    {
        final CpuLoad.Meter meter = new CpuLoad.Meter(rig.serverPids());
        flatOut(measure, Measure.DEPTH, () -> rig.pushes(rows), series);
        busyCores.put(measure, meter.read());
    }

    private void flatOut(
        final Measure measure,
        final int depth,
        final Supplier<Transceiver> transceiver,
        final Map<Measure, Series> series)
    {
        final Transceiver load = transceiver.get();
        final LoadLoop loop = loop(load);
        final int size = (int)load.transferBytes();
        measure(measure, size, (durationNs) -> loop.flatOut(depth, durationNs, limit(measure, size)), series);
    }

    private void atRate(
        final Measure measure, final Transceiver transceiver, final int size, final Map<Measure, Series> series)
    {
        final LoadLoop loop = loop(transceiver);
        final double rate = settings.rateOf(size);
        measure(measure, size, (durationNs) -> loop.atRate(rate, durationNs, limit(measure, size)), series);
    }

    private LoadLoop loop(final Transceiver transceiver)
    {
        return new LoadLoop(
            transceiver, settings.cluster().profile().newIdleStrategy(), SystemNanoClock.INSTANCE);
    }

    private long limit(final Measure measure, final int size)
    {
        return measure.isRecorded() ? settings.maxPushes(size) : Long.MAX_VALUE;
    }

    private void measure(
        final Measure measure, final int size, final WindowRun run, final Map<Measure, Series> series)
    {
        rounds++;
        System.err.printf("[%d/%d] %s: %s%n", rounds, settings.sizes().size() * measures(),
            ByteSize.text(size), measure.title());
        // The first is for the compiler and the caches of both processes.
        run.run(Math.max(TimeUnit.MILLISECONDS.toNanos(1), settings.windowNs() / 2));
        final List<Sample> windows = new ArrayList<>();
        for (int i = 0; i < settings.windows(); i++)
        {
            windows.add(run.run(settings.windowNs()));
        }
        series.put(measure, Series.of(measure, windows));
    }

    private int measures()
    {
        return (int)Stream.of(Measure.values())
            .filter((measure) -> settings.cluster().isChainMeasured() || !measure.isChained()).count();
    }

    /**
     * One window of a measure.
     */
    private interface WindowRun
    {
        Sample run(long durationNs);
    }
}
