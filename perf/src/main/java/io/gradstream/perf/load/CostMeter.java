// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.measure.Sample;
import io.gradstream.perf.report.CpuCost;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Takes the windows of one measure together with the processor time of both sides, and says what a gigabyte costs. The
 * worker's side is this process, with its media driver and the coordinator, its compiler and garbage collector.
 */
public final class CostMeter
{
    private static final double BYTES_PER_GB = 1e9;
    private static final double NS_PER_SECOND = 1e9;

    private final List<Long> serverPids;
    private final List<Sample> samples = new ArrayList<>();
    private final List<CpuLoad> loads = new ArrayList<>();

    /** No window was taken yet; the ids of processes on the other side are empty if these are not known. */
    public CostMeter(final List<Long> serverPids)
    {
        this.serverPids = serverPids;
    }

    /** Run a window. */
    public Sample take(final Supplier<Sample> window)
    {
        final CpuLoad.Meter meter = new CpuLoad.Meter(serverPids);
        final Sample sample = window.get();
        loads.add(meter.read());
        samples.add(sample);

        return sample;
    }

    /** The cost over all windows together, since the system tells processor time coarsely. */
    public CpuCost cost()
    {
        return cost(samples, loads);
    }

    static CpuCost cost(final List<Sample> samples, final List<CpuLoad> loads)
    {
        double workerSeconds = 0.0;
        double serverSeconds = 0.0;
        double gigabytes = 0.0;
        for (int i = 0; i < samples.size(); i++)
        {
            final Sample sample = samples.get(i);
            final CpuLoad cpu = loads.get(i);
            final double seconds = sample.elapsedNs() / NS_PER_SECOND;
            workerSeconds += cpu.worker() * seconds;
            serverSeconds += cpu.servers().isEmpty() ? Double.NaN :
                cpu.servers().stream().mapToDouble(Double::doubleValue).sum() * seconds;
            gigabytes += sample.transfers() * (double)sample.transferBytes() / BYTES_PER_GB;
        }

        return CpuCost.of(CpuCost.Unit.GIGABYTE, workerSeconds / gigabytes, serverSeconds / gigabytes);
    }

    List<Sample> samples()
    {
        return samples;
    }

    /** The mean of the windows' processor time. */
    CpuLoad meanLoad()
    {
        return CpuLoad.mean(loads);
    }
}
