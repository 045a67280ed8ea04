// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.measure;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.stream.Stream;

/** Processor time of processes since each began, in nanoseconds. Linux tells it in hundredths of a second. */
public final class CpuTimes
{
    private CpuTimes()
    {
    }

    /** The time of a process; 0 if the system does not tell it, as of a process that has ended. */
    public static long ofNs(final ProcessHandle process)
    {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    }

    /** The time of processes together, by their ids. */
    public static long ofNs(final Collection<Long> pids)
    {
        return pids.stream().flatMap((pid) -> ProcessHandle.of(pid).stream()).mapToLong(CpuTimes::ofNs).sum();
    }

    /** The time of this process and of all that it started; of those that have ended only on Linux. */
    public static long ownNs()
    {
        return endedNs() +
            Stream.concat(Stream.of(ProcessHandle.current()), ProcessHandle.current().descendants())
                .mapToLong(CpuTimes::ofNs).sum();
    }

    private static long endedNs()
    {
        try
        {
            return ProcessTicks.own().endedTicks() * ProcessTicks.TICK_NS;
        }
        catch (final IOException ignore)
        {
            return 0;
        }
    }
}
