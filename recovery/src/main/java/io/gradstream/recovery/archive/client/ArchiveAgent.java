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

import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Does for all partitions of a node what takes time: opens, ends, verifies, cuts and deletes recordings, so that no
 * partition's thread ever waits for the Archive. Its tasks take turns, and none waits within its turn longer than the
 * Archive takes to answer one call.
 */
public final class ArchiveAgent implements Agent
{
    /** Tasks at once: for each partition a log, a snapshot and a few replays. */
    public static final int MAX_TASKS = 16_384;
    /** Recordings of a partition that may run at once, and as many replays: log and snapshot, and each before them. */
    public static final int RECORDINGS_PER_PARTITION = 4;
    /** Longest wait, when the node stops, for the Archive to record what its logs still hold. */
    public static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);

    private final ManyToOneConcurrentArrayQueue<Task> offered = new ManyToOneConcurrentArrayQueue<>(MAX_TASKS);
    private final List<Task> tasks = new ArrayList<>();
    private final ArchiveConnection connection;
    private final ErrorHandler errorHandler;

    /**
     * Connects with the first task.
     *
     * @param connection   of the archive agent alone; closed with it.
     * @param errorHandler told of tasks that failed where nobody else is.
     */
    public ArchiveAgent(final ArchiveConnection connection, final ErrorHandler errorHandler)
    {
        this.connection = connection;
        this.errorHandler = errorHandler;
    }

    /**
     * To be begun and ended by the one thread that uses storages, in each of its duty cycles: without it that thread
     * may read memory of a client that has closed.
     *
     * @return the cycle.
     */
    public ReaderCycle readerCycle()
    {
        return connection.readerCycle();
    }

    /**
     * Has a client of the media driver closed under the logs? From then on these are dead. For any thread.
     *
     * @return true from then on.
     */
    public boolean hasLostClient()
    {
        return connection.hasLostClient();
    }

    @Override
    public int doWork()
    {
        int workCount = offered.drain(tasks::add, MAX_TASKS);
        for (int i = tasks.size() - 1; i >= 0; i--)
        {
            workCount += poll(i);
        }
        keepAlive();

        return workCount;
    }

    @Override
    public void onClose()
    {
        final long deadlineNs = System.nanoTime() + CLOSE_TIMEOUT_NS;
        offered.drain(tasks::add, MAX_TASKS);
        while (tasks.stream().anyMatch(Task::isClosing) && System.nanoTime() - deadlineNs < 0)
        {
            if (0 == doWork())
            {
                Thread.yield();
            }
        }
        connection.close();
    }

    @Override
    public String roleName()
    {
        return "archiveAgent";
    }

    /** From any partition's thread; false if too many wait: try again. */
    public boolean offer(final Task task)
    {
        return offered.offer(task);
    }

    private int poll(final int index)
    {
        final Task task = tasks.get(index);
        try
        {
            final int workCount = task.poll(connection);
            if (task.isOver())
            {
                remove(index);
            }

            return workCount;
        }
        catch (final RuntimeException ex)
        {
            remove(index);
            try
            {
                // first, so that whoever sees that the task failed finds the reason told
                errorHandler.onError(ex);
            }
            finally
            {
                task.onFailure(ex);
            }

            return 1;
        }
    }

    private void remove(final int index)
    {
        final Task last = tasks.remove(tasks.size() - 1);
        if (index < tasks.size())
        {
            tasks.set(index, last);
        }
    }

    private void keepAlive()
    {
        try
        {
            connection.keepAlive();
        }
        catch (final RuntimeException ex)
        {
            errorHandler.onError(ex);
        }
    }

    /**
     * Something that takes time, in steps that do not.
     */
    public interface Task
    {
        /** One step, which waits at most for one answer of the Archive; 0 if there was nothing to do. */
        int poll(ArchiveConnection connection);

        /** Is there nothing left to do? */
        boolean isOver();

        /** Does it end soon by itself, so that a stopping node should let it? */
        boolean isClosing();

        /** A step has thrown; there will be no other. */
        void onFailure(RuntimeException failure);
    }
}
