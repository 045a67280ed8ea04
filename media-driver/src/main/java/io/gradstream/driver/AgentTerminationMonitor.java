// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;

/** Notices when a thread of the driver, of the Archive or of an agent on them ends although nobody closed it. */
public final class AgentTerminationMonitor
{
    private final AtomicBoolean isNotified = new AtomicBoolean();
    private final Runnable terminationHook;
    private volatile boolean isClosing;
    private volatile boolean isTerminated;

    /**
     * A watch over threads yet to be made.
     *
     * @param terminationHook called once, on a thread of its own, when a watched thread ends unasked.
     */
    public AgentTerminationMonitor(final Runnable terminationHook)
    {
        this.terminationHook = terminationHook;
    }

    public ThreadFactory threadFactory(final String name)
    {
        return (task) ->
        {
            final Thread thread = new Thread(() -> runWatched(task), name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** From now on threads may end. */
    public void closing()
    {
        isClosing = true;
    }

    /** True once a watched thread has ended unasked. */
    public boolean isTerminated()
    {
        return isTerminated;
    }

    /** True if watched threads may have ended, asked or not. */
    public boolean mayHaveEnded()
    {
        return isClosing || isTerminated;
    }

    /** Say that something the watched threads depend on has ended; calls the hook unless it was called before. */
    public void terminated()
    {
        isTerminated = true;
        if (isNotified.compareAndSet(false, true))
        {
            // On a thread of its own, so that the hook may close the host, which waits for the thread that ended.
            final Thread thread = new Thread(terminationHook, "gradstream-termination");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void runWatched(final Runnable task)
    {
        try
        {
            task.run();
        }
        finally
        {
            if (!isClosing)
            {
                terminated();
            }
        }
    }
}
