// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.worker.session.WorkerIdentity;

/** The rights of a client: none once it is closed, and none to push if it is an observer. */
public final class ClientRights
{
    private final boolean isObserver;
    private boolean isClosed;
    private boolean isCompleting;

    ClientRights(final int slot)
    {
        isObserver = WorkerIdentity.OBSERVER == slot;
    }

    public boolean isClosed()
    {
        return isClosed;
    }

    public void close()
    {
        isClosed = true;
    }

    /**
     * Futures are being completed: who calls now is called by the client itself, maybe in the middle of a push.
     *
     * @param completing until it is false.
     */
    public void isCompleting(final boolean completing)
    {
        isCompleting = completing;
    }

    /**
     * Require that the client is open, and not in the middle of a call.
     *
     * @throws IllegalStateException if it is closed, or completes futures.
     */
    public void requireOpen()
    {
        if (isClosed)
        {
            throw new IllegalStateException(
                "this client is closed: make another with GradstreamClient.connect(context)");
        }
        if (isCompleting)
        {
            throw new IllegalStateException("what depends on a future runs inside poll() and must not call the client" +
                ": give it to the loop that polls, as thenRunAsync(task, tasks::add) does");
        }
    }

    /**
     * Require that the client may push.
     *
     * @throws IllegalStateException if it is closed, or an observer's.
     */
    public void requirePush()
    {
        requireOpen();
        if (isObserver)
        {
            throw new IllegalStateException("this client is an observer (slot=" + WorkerIdentity.OBSERVER +
                "), which may only open tables and pull: connect with a slot of 0 or above to create tables and push");
        }
    }
}
