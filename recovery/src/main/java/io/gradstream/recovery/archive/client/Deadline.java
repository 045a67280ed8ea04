// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive.client;

import io.aeron.exceptions.TimeoutException;

import java.util.concurrent.TimeUnit;

/** Bounds one thing that is awaited of the Archive by asking again and again. */
public final class Deadline
{
    /** Longest wait for one thing the Archive does. */
    static final long ARCHIVE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private final String awaited;
    private boolean isStarted;
    private long deadlineNs;

    public Deadline(final String awaited)
    {
        this.awaited = awaited;
    }

    /** Begins with the first call. */
    public boolean isOver()
    {
        if (!isStarted)
        {
            isStarted = true;
            deadlineNs = System.nanoTime() + ARCHIVE_TIMEOUT_NS;
        }

        return System.nanoTime() - deadlineNs > 0;
    }

    /** Check that there is still time. Throws if there is none. */
    public void check()
    {
        if (isOver())
        {
            throw exception();
        }
    }

    TimeoutException exception()
    {
        return new TimeoutException("gave up awaiting " + awaited + ": is the Archive running?");
    }
}
