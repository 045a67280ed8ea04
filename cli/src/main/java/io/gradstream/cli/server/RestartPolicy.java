// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.server;

import java.util.concurrent.TimeUnit;

import io.gradstream.launcher.RestartBudget;

/**
 * Decides whether a part that has ended is started again in this process: only if it died of a standstill, and only a
 * limited number of times. When a process was stopped, or its machine slept, for longer than Aeron waits, its driver
 * and clients take each other for dead, though nothing is wrong with them.
 */
final class RestartPolicy
{
    /** Shortest gap between two looks that is a standstill. Aeron waits at least twice as long. */
    static final long MIN_NS = TimeUnit.SECONDS.toNanos(5);
    /** Time after a standstill in which an end is blamed on it: longer than any wait of Aeron's. */
    static final long AFTERMATH_NS = TimeUnit.SECONDS.toNanos(60);
    /** Most restarts within {@link RestartBudget#WINDOW_NS} by default. */
    static final String DEFAULT_RESTARTS = "3";
    static final int MAX_RESTARTS = 100;

    private final RestartBudget budget;
    private long lookedNs;
    private boolean hasStood;
    private long wokeNs;
    private long stoodNs;

    /**
     * A policy before the first look, which {@link #begin} takes.
     *
     * @param maxRestarts within {@link RestartBudget#WINDOW_NS}; 0 for none.
     */
    RestartPolicy(final int maxRestarts)
    {
        budget = new RestartBudget(maxRestarts);
    }

    /** Begin to watch. From here on looks must be frequent. */
    void begin(final long nowNs)
    {
        lookedNs = nowNs;
    }

    /** Look at the clock; to be called many times a second. */
    void look(final long nowNs)
    {
        if (nowNs - lookedNs >= MIN_NS)
        {
            hasStood = true;
            wokeNs = nowNs;
            stoodNs = nowNs - lookedNs;
        }
        lookedNs = nowNs;
    }

    /**
     * True if a part ended because of a standstill and may be started again; this counts as a restart.
     *
     * @param what has ended, for the line on standard error.
     */
    boolean mayStartAnew(final String what, final long nowNs)
    {
        if (!hasStood || nowNs - wokeNs > AFTERMATH_NS)
        {
            return false;
        }
        final int restart = budget.take(what, nowNs);
        final String stood = what + ": this process stood still for " + TimeUnit.NANOSECONDS.toSeconds(stoodNs) +
            " s, longer than its parts wait for each other; ";
        if (0 == restart)
        {
            System.err.println(stood + "it was restarted " + budget.most() + " times within 10 minutes and ends" +
                " (--restarts)");
            return false;
        }
        System.err.println(stood + "restarts (" + restart + " of at most " + budget.most() +
            " times within 10 minutes)");

        return true;
    }
}
