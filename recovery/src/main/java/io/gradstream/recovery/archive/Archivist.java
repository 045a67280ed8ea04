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
package io.gradstream.recovery.archive;

import io.aeron.archive.client.AeronArchive;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/**
 * Does what blocks: begins, ends, verifies and purges recordings for all partitions of a node, one task after the
 * other, so that no partition's thread ever waits for the Archive.
 */
public final class Archivist implements Agent
{
    /** Tasks that may wait; each partition has one at a time. */
    public static final int QUEUE_CAPACITY = 128;

    private final ManyToOneConcurrentArrayQueue<Task> tasks = new ManyToOneConcurrentArrayQueue<>(QUEUE_CAPACITY);
    private final ArchiveConnection connection;
    private final ErrorHandler errorHandler;

    /**
     * Connects with the first task.
     *
     * @param connection   of the archivist alone, with an Aeron client of its own: adding a publication holds that
     *                     client's lock while the driver answers.
     * @param errorHandler told of tasks that failed.
     */
    public Archivist(final ArchiveConnection connection, final ErrorHandler errorHandler)
    {
        this.connection = connection;
        this.errorHandler = errorHandler;
    }

    @Override
    public int doWork()
    {
        final Task task = tasks.poll();
        if (null == task)
        {
            return 0;
        }

        try
        {
            task.run(connection.archive());
        }
        catch (final RuntimeException ex)
        {
            task.onFailure();
            errorHandler.onError(ex);
        }

        return 1;
    }

    @Override
    public void onClose()
    {
        connection.close();
    }

    @Override
    public String roleName()
    {
        return "archivist";
    }

    /** From any partition's thread; false if too many wait. */
    boolean offer(final Task task)
    {
        return tasks.offer(task);
    }

    /**
     * Something that blocks.
     */
    interface Task
    {
        /** Do it; may block within its own limits. */
        void run(AeronArchive archive);

        /** It could not be done. */
        void onFailure();
    }
}
