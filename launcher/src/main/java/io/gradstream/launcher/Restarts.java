// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.gradstream.launcher.process.ChildProcess;

/**
 * Decides whether a part that ended by itself is started again, which is so for each part a number of times within ten
 * minutes, and says why if it is not.
 */
final class Restarts
{
    private static final long INTERRUPT_GRACE_MS = 500;
    /** Time after a standstill in which an end is blamed on it, as {@code server} and {@code coordinator} do. */
    private static final long AFTERMATH_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int EXIT_SIGINT = 130;
    private static final int EXIT_SIGTERM = 143;
    /** Exit codes for a command that was not understood and for lack of room: a restart would end the same way. */
    private static final Set<Integer> FINAL_EXITS = Set.of(2, 3);

    /** Starts the process of an index again. */
    @FunctionalInterface
    interface Restart
    {
        void run(int index) throws IOException;
    }

    private final RestartBudget budget;
    private final SharedMemory sharedMemory;
    private final Map<String, Long> excusedUntilNs = new HashMap<>();
    private RestartListener listener = RestartListener.NONE;
    private boolean isAllowed;

    /** No restart is allowed yet; then so many of each part within {@link RestartBudget#WINDOW_NS}. */
    Restarts(final int most, final SharedMemory sharedMemory)
    {
        budget = new RestartBudget(most);
        this.sharedMemory = sharedMemory;
    }

    void listen(final RestartListener newListener)
    {
        listener = newListener;
    }

    RestartListener listener()
    {
        return listener;
    }

    /** Allow restarts from now on: everything has been started once. */
    void allow()
    {
        isAllowed = true;
    }

    /** A part stands still until a time, on purpose: if it ends because of that, its restart does not count. */
    void excuse(final String part, final long untilNs)
    {
        excusedUntilNs.put(part, untilNs + AFTERMATH_NS);
    }

    /**
     * Require that a part of this process may be started again.
     *
     * @param how it continues then, for people.
     * @throws IllegalStateException if it may not.
     */
    void require(final String part, final String how)
    {
        final String what = "ended by itself";
        if (!mayRestart(part, what, how))
        {
            throw new IllegalStateException(part + ' ' + what + (budget.most() > 0 ? afterRestarts() : ""));
        }
    }

    /**
     * Require that a process that has ended may be started again.
     *
     * @param how       it continues then, for people.
     * @param isAborted true once the user has ended everything.
     * @throws ProcessEndedException if it may not.
     */
    void require(final ChildProcess child, final String how, final BooleanSupplier isAborted)
    {
        final int exitCode = child.exitCode();
        if (EXIT_SIGINT == exitCode || EXIT_SIGTERM == exitCode)
        {
            // Ctrl-C reaches children too, and their end may be seen before this process is told
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(INTERRUPT_GRACE_MS));
        }
        final String lastErrors = child.lastErrors();
        final ProcessEndedException ended = sharedMemory.ended(child.name(), exitCode, lastErrors);
        final String what = "ended with exit code " + exitCode;
        final boolean isFinal = FINAL_EXITS.contains(ended.exitCode());
        if (isAborted.getAsBoolean() || isFinal ||
            !mayRestart(child.name(), what + " (" + ProcessEndedException.reason(exitCode, lastErrors) + ")", how))
        {
            if (!isAborted.getAsBoolean() && !lastErrors.isEmpty())
            {
                System.err.println(lastErrors);
            }
            throw isFinal || 0 == budget.most() || !isAllowed ? ended :
                new ProcessEndedException(exitCode, lastErrors, child.name() + ' ' + what +
                    afterRestarts() + ": " + ProcessEndedException.told(exitCode, lastErrors));
        }
    }

    /**
     * Start a process again.
     *
     * @throws UncheckedIOException if it cannot be started.
     */
    static void run(final Restart restart, final int index)
    {
        try
        {
            restart.run(index);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("what has ended cannot be started again", ex);
        }
    }

    private boolean mayRestart(final String part, final String what, final String how)
    {
        final long nowNs = System.nanoTime();
        final Long excusedNs = excusedUntilNs.get(part);
        if (null != excusedNs && nowNs - excusedNs < 0)
        {
            listener.onRestart(part + " " + what + " after its standstill and is started again, " + how);
            return true;
        }
        final int count = isAllowed ? budget.take(part, nowNs) : 0;
        if (count > 0)
        {
            listener.onRestart(part + " " + what + " and is started again, " + how + " (" + count +
                " of at most " + budget.most() + " times within 10 minutes)");
        }
        return count > 0;
    }

    private String afterRestarts()
    {
        return ", having been started again " + budget.most() + " times within 10 minutes (--restarts)";
    }
}
