// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How the processors of the machine have spent their time since it began, in ticks, at one moment.
 *
 * @param all     ticks of all processors, idle ones and stolen ones included.
 * @param running ticks in which processes and threads of the kernel ran; interrupts are not in them.
 * @param stolen  ticks that the host of a virtual machine gave to others.
 * @param own     ticks of the observed process and of all that it started, of those that have ended too.
 * @param kernel  ticks of the kernel's threads, which write what any process wrote.
 * @param others  ticks of each other process, by its id.
 */
record MachineTimes(long all, long running, long stolen, long own, long kernel, Map<Long, Long> others)
{
    private static final Path STAT = Path.of("/proc/stat");
    private static final String ALL_PROCESSORS = "cpu ";
    /** Places of figures in the line of all processors. */
    private static final int USER = 0;
    private static final int NICE = 1;
    private static final int SYSTEM = 2;
    private static final int STEAL = 7;
    /** Figures from this place on are part of others. */
    private static final int GUEST = 8;

    /**
     * The times now, as this process sees them.
     *
     * @throws IOException              if the system does not tell.
     * @throws IllegalArgumentException if the system tells it in another way.
     */
    static MachineTimes now() throws IOException
    {
        return parse(Files.readString(STAT, StandardCharsets.ISO_8859_1), ProcessTicks.all(),
            ProcessHandle.current().pid());
    }

    /**
     * The times in a text of {@code /proc/stat}, and in those of processes.
     *
     * @param observer id of the process of which the processes of a measure descend.
     * @throws IllegalArgumentException if the text is none.
     */
    static MachineTimes parse(final String stat, final List<ProcessTicks> processes, final long observer)
    {
        final String[] figures = stat.lines().filter((line) -> line.startsWith(ALL_PROCESSORS)).findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no processors in /proc/stat: " + stat))
            .substring(ALL_PROCESSORS.length()).strip().split(" ");
        if (figures.length <= STEAL)
        {
            throw new IllegalArgumentException("no steal in /proc/stat: " + stat);
        }
        final long[] ticks = new long[Math.min(GUEST, figures.length)];
        long all = 0;
        for (int i = 0; i < ticks.length; i++)
        {
            ticks[i] = Long.parseLong(figures[i]);
            all += ticks[i];
        }
        long own = 0;
        long kernel = 0;
        final Map<Long, Long> others = new HashMap<>();
        final Set<Long> ownPids = descendants(processes, observer);
        for (final ProcessTicks process : processes)
        {
            if (ownPids.contains(process.pid()))
            {
                own += process.ticks() + process.endedTicks();
            }
            else if (process.isKernel())
            {
                kernel += process.ticks();
            }
            else
            {
                others.put(process.pid(), process.ticks());
            }
        }

        return new MachineTimes(all, ticks[USER] + ticks[NICE] + ticks[SYSTEM], ticks[STEAL], own, kernel, others);
    }

    /**
     * Ticks that other processes took from these times on until later ones, at least. That is the larger of two counts.
     * <p>
     * The first is the time of all that ran, without that of the observed processes and of the kernel. On some systems
     * the time of a process has interrupts in it, and then this count is too small. The second adds up the others that
     * were there at the end. It lacks those that ended before.
     */
    long othersUntil(final MachineTimes later)
    {
        final long rest = later.running - running - (later.own - own) - (later.kernel - kernel);
        long seen = 0;
        for (final Map.Entry<Long, Long> other : later.others.entrySet())
        {
            seen += Math.max(0, other.getValue() - others.getOrDefault(other.getKey(), 0L));
        }

        return Math.max(Math.max(0, rest), seen);
    }

    /** The observer and all processes whose parents are among these. */
    private static Set<Long> descendants(final List<ProcessTicks> processes, final long observer)
    {
        final Set<Long> found = new HashSet<>(Set.of(observer));
        int before = 0;
        while (before < found.size())
        {
            before = found.size();
            processes.stream().filter((process) -> found.contains(process.parent()))
                .forEach((process) -> found.add(process.pid()));
        }

        return found;
    }
}
