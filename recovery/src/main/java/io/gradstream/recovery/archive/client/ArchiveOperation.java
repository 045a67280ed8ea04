// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive.client;

/**
 * A long operation of the Archive, done in steps of which none waits. The replica that needs it asks again and again
 * whether it is done.
 */
public abstract class ArchiveOperation
{
    private final String name;
    private boolean isStarted;
    private boolean isAbandoned;
    private boolean isDone;
    private RuntimeException failure;

    protected ArchiveOperation(final String name)
    {
        this.name = name;
    }

    /**
     * Starts it where that was not possible before.
     *
     * @return false: ask again.
     * @throws IllegalStateException if it could not be done.
     */
    public final boolean isDone(final ArchiveClient client)
    {
        isStarted = isStarted || client.start(this);
        if (null != failure)
        {
            throw new IllegalStateException("cannot " + name + ": " + failure.getMessage(), failure);
        }

        return isDone;
    }

    public final String name()
    {
        return name;
    }

    /** True if nothing is left to do, or the operation has failed. */
    public final boolean isOver()
    {
        return isDone || null != failure;
    }

    protected final void done()
    {
        isDone = true;
    }

    /** Take no other step: nobody wants the result any more. A request that was sent may still be carried out. */
    public void abandon()
    {
        isAbandoned = true;
    }

    /** One step, which waits for nothing; 0 if there was nothing to do. */
    protected abstract int step(ArchiveClient client);

    /**
     * There will be no other step: give up what is open.
     *
     * @param cause or null if it was abandoned.
     */
    protected void onFailure(final ArchiveClient client, final RuntimeException cause)
    {
    }

    final int poll(final ArchiveClient client)
    {
        if (isAbandoned)
        {
            onFailure(client, null);
            done();
            return 1;
        }
        try
        {
            return step(client);
        }
        catch (final RuntimeException ex)
        {
            fail(client, ex);
            return 1;
        }
    }

    final void fail(final ArchiveClient client, final RuntimeException cause)
    {
        failure = cause;
        onFailure(client, cause);
    }
}
