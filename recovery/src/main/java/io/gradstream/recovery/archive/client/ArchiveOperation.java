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
 * Something the archive agent does for a partition's thread, which asks again and again whether it is done.
 */
public abstract class ArchiveOperation implements ArchiveAgent.Task
{
    private final String name;
    private boolean isOffered;
    private volatile boolean isDone;
    private volatile RuntimeException failure;

    protected ArchiveOperation(final String name)
    {
        this.name = name;
    }

    /**
     * On the partition's thread.
     *
     * @return false: ask again.
     * @throws IllegalStateException if it could not be done.
     */
    public final boolean isDone(final ArchiveAgent archiveAgent)
    {
        if (!isOffered)
        {
            isOffered = archiveAgent.offer(this);
        }
        final RuntimeException cause = failure;
        if (null != cause)
        {
            throw new IllegalStateException("cannot " + name + ": " + cause.getMessage(), cause);
        }

        return isDone;
    }

    /** For messages. */
    public final String name()
    {
        return name;
    }

    /** On the archive agent's thread: nothing is left to do. */
    protected final void done()
    {
        isDone = true;
    }

    /** One step, which waits at most for one answer of the Archive; 0 if there was nothing to do. */
    protected abstract int step(ArchiveConnection connection);

    @Override
    public final int poll(final ArchiveConnection connection)
    {
        try
        {
            return step(connection);
        }
        catch (final RuntimeException ex)
        {
            failure = ex;
            return 1;
        }
    }

    @Override
    public final boolean isOver()
    {
        return isDone || null != failure;
    }

    @Override
    public final boolean isClosing()
    {
        return false;
    }

    @Override
    public final void onFailure(final RuntimeException failure)
    {
        this.failure = failure;
    }
}
