/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.recovery.archive.client;

/**
 * A long operation of the Archive, done in steps of which none waits. The replica that needs it asks again and again
 * whether it is done.
 */
public abstract class ArchiveOperation
{
    private final String name;
    private boolean isStarted;
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

    /** Is nothing left to do, or did it fail? */
    public final boolean isOver()
    {
        return isDone || null != failure;
    }

    protected final void done()
    {
        isDone = true;
    }

    /** One step, which waits for nothing; 0 if there was nothing to do. */
    protected abstract int step(ArchiveClient client);

    /** There will be no other step: give up what is open. */
    protected void onFailure(final ArchiveClient client, final RuntimeException cause)
    {
    }

    final int poll(final ArchiveClient client)
    {
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
