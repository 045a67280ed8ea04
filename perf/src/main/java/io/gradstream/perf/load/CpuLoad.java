// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.measure.CpuTimes;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Processor time that processes took over a while, in cores: what limits a measure when they add up to all there are.
 *
 * @param worker  this process, its media driver included.
 * @param servers each server process, in the order of their node ids.
 */
public record CpuLoad(double worker, List<Double> servers)
{
    /** The mean of several windows' loads, all of the same processes. */
    static CpuLoad mean(final List<CpuLoad> loads)
    {
        final List<Double> servers = new ArrayList<>();
        for (int i = 0; i < loads.get(0).servers.size(); i++)
        {
            final int server = i;
            servers.add(loads.stream().mapToDouble((load) -> load.servers.get(server)).average().orElseThrow());
        }

        return new CpuLoad(loads.stream().mapToDouble(CpuLoad::worker).average().orElseThrow(), servers);
    }

    String text()
    {
        return String.format(Locale.ROOT, "worker %.2f, %s %s of %d", worker,
            1 == servers.size() ? "server" : "servers",
            servers.stream().map((cores) -> String.format(Locale.ROOT, "%.2f", cores))
                .collect(Collectors.joining(" ")),
            Runtime.getRuntime().availableProcessors());
    }

    /** Takes the time from its making on. */
    public static final class Meter
    {
        private final List<ProcessHandle> servers;
        private final long beginNs = System.nanoTime();
        private final long workerBeginNs = CpuTimes.ofNs(ProcessHandle.current());
        private final List<Long> serversBeginNs = new ArrayList<>();

        public Meter(final List<Long> serverPids)
        {
            servers = serverPids.stream().flatMap((pid) -> ProcessHandle.of(pid).stream()).toList();
            servers.forEach((server) -> serversBeginNs.add(CpuTimes.ofNs(server)));
        }

        /** The time since this was made. */
        public CpuLoad read()
        {
            final double elapsedNs = Math.max(1, System.nanoTime() - beginNs);
            final List<Double> cores = new ArrayList<>();
            for (int i = 0; i < servers.size(); i++)
            {
                cores.add((CpuTimes.ofNs(servers.get(i)) - serversBeginNs.get(i)) / elapsedNs);
            }

            return new CpuLoad((CpuTimes.ofNs(ProcessHandle.current()) - workerBeginNs) / elapsedNs, cores);
        }
    }
}
