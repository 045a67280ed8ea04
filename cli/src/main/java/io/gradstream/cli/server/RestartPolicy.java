// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.server;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Whether what has ended is started anew in this process: only if it died of a standstill, and only so often. When a
 * process was stopped, or its machine slept, for longer than Aeron waits, its driver and clients take each other for
 * dead, though nothing is wrong with them.
 */
final class RestartPolicy
{
    /** A gap so long between two looks is a standstill. Aeron waits twice as long at least. */
    static final long MIN_NS = TimeUnit.SECONDS.toNanos(5);
    /** What ends so long after a standstill ended of it: longer than any wait of Aeron's. */
    static final long AFTERMATH_NS = TimeUnit.SECONDS.toNanos(60);
    /** Restarts are counted over so long. */
    static final long WINDOW_NS = TimeUnit.MINUTES.toNanos(10);
    /** Restarts within {@link #WINDOW_NS}, unless said otherwise. */
    static final String DEFAULT_RESTARTS = "3";
    static final int MAX_RESTARTS = 100;

    private final int maxRestarts;
    private final Deque<Long> restarts = new ArrayDeque<>();
    private long lookedNs;
    private boolean hasStood;
    private long wokeNs;
    private long stoodNs;

    /**
     * Looked at first when watching begins.
     *
     * @param maxRestarts within {@link #WINDOW_NS}; 0 for none.
     */
    RestartPolicy(final int maxRestarts)
    {
        this.maxRestarts = maxRestarts;
    }

    /**
     * From here on looks are frequent.
     */
    void begin(final long nowNs)
    {
        lookedNs = nowNs;
    }

    /**
     * Many times a second.
     */
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
     * Something has ended: was it for a standstill, and may it be started anew? Counts as a restart if so.
     *
     * @param what has ended, for the line on standard error.
     */
    boolean mayStartAnew(final String what, final long nowNs)
    {
        if (!hasStood || nowNs - wokeNs > AFTERMATH_NS)
        {
            return false;
        }
        while (!restarts.isEmpty() && nowNs - restarts.peek() > WINDOW_NS)
        {
            restarts.remove();
        }
        final String stood = what + ": this process stood still for " + TimeUnit.NANOSECONDS.toSeconds(stoodNs) +
            " s, longer than its parts wait for each other; ";
        if (restarts.size() >= maxRestarts)
        {
            System.err.println(stood + "it was started anew " + restarts.size() + " times within 10 minutes and ends" +
                " (--restarts)");
            return false;
        }
        restarts.add(nowNs);
        System.err.println(stood + "starts anew (" + restarts.size() + " of at most " + maxRestarts +
            " times within 10 minutes)");

        return true;
    }
}
