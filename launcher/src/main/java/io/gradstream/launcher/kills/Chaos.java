// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Draws faults from a seed, one each interval: what happens, to which process, and for how long. The same seed draws
 * the same faults, as long as the same servers and workers run. Pure.
 */
public final class Chaos
{
    /** Shortest and longest standstill. */
    private static final int MIN_PAUSE_S = 1;
    private static final int MAX_PAUSE_S = 20;

    private final Random random;
    private final long everyMs;
    private final boolean mayDrain;
    private long lastMs;

    /** The kinds of faults. */
    public enum Kind
    {
        /** SIGKILL of a server. */
        KILL_SERVER,
        /** SIGKILL of a worker. */
        KILL_WORKER,
        /** SIGKILL of the coordinator that leads. */
        KILL_COORDINATOR,
        /** SIGSTOP of a server, and SIGCONT. */
        STOP_SERVER,
        /** SIGSTOP of a worker, and SIGCONT. */
        STOP_WORKER,
        /** SIGSTOP of the coordinator that leads, and SIGCONT. */
        STOP_COORDINATOR,
        /** A server is drained and stopped; then it comes back. */
        DRAIN_SERVER
    }

    /**
     * A fault that was drawn.
     *
     * @param kind    of the fault.
     * @param number  of the server or worker.
     * @param pauseMs how long the process stands still; 0 if it does not.
     */
    record Fault(Kind kind, int number, long pauseMs)
    {
    }

    /**
     * A generator that has drawn nothing.
     *
     * @param everyMs  from the beginning of one fault to that of the next, at least.
     * @param mayDrain true if servers keep a log, from which another one can take the places of one that is drained.
     */
    public Chaos(final long seed, final long everyMs, final boolean mayDrain)
    {
        random = new Random(seed);
        this.everyMs = everyMs;
        this.mayDrain = mayDrain;
    }

    /** How often each kind of fault was drawn, by names as in {@code killServer}. */
    public static Map<String, Integer> names(final Map<Kind, Integer> drawn)
    {
        final Map<String, Integer> names = new TreeMap<>();
        drawn.forEach((kind, count) ->
        {
            final String[] words = kind.name().split("_");
            names.put(words[0].toLowerCase(Locale.ROOT) + words[1].charAt(0) +
                words[1].substring(1).toLowerCase(Locale.ROOT), count);
        });
        return names;
    }

    /** Called when training began: times count from then. */
    void onTrainingBegan(final long nowMs)
    {
        lastMs = nowMs;
    }

    /**
     * Draw the next fault, if its time has come.
     *
     * @param servers  that run, ascending.
     * @param workers  number of workers that were started.
     * @param hasSpare true if one of these servers can be done without.
     * @return the fault, or null.
     */
    Fault poll(final long nowMs, final List<Integer> servers, final int workers, final boolean hasSpare)
    {
        if (nowMs - lastMs < everyMs)
        {
            return null;
        }
        lastMs = nowMs;
        final List<Kind> kinds = Arrays.stream(Kind.values())
            .filter((kind) -> mayDrain && hasSpare || Kind.DRAIN_SERVER != kind).toList();
        final Kind kind = kinds.get(random.nextInt(kinds.size()));
        // each fault draws as often, so that its kind does not change those that follow
        final int server = random.nextInt(servers.size());
        final int worker = random.nextInt(workers);
        final long pauseMs = random.nextInt(1000 * MIN_PAUSE_S, 1000 * MAX_PAUSE_S + 1);

        return switch (kind)
        {
            case KILL_SERVER, DRAIN_SERVER -> new Fault(kind, servers.get(server), 0);
            case KILL_WORKER -> new Fault(kind, worker, 0);
            case KILL_COORDINATOR -> new Fault(kind, KillOrder.NEXT, 0);
            case STOP_SERVER -> new Fault(kind, servers.get(server), pauseMs);
            case STOP_WORKER -> new Fault(kind, worker, pauseMs);
            case STOP_COORDINATOR -> new Fault(kind, KillOrder.NEXT, pauseMs);
        };
    }
}
