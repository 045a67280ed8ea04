// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.recovery.log.ReplicaStorage;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;

/**
 * Deletes logs and snapshots of partitions that are not kept here, one partition after the other: those whose place has
 * moved away, those of which an earlier process of this node had a copy, and those of deleted jobs.
 */
final class Leftovers implements AutoCloseable
{
    /** After a deletion that failed nothing is tried for so long. */
    static final long RETRY_NS = 1_000_000_000;

    private final NodeHost host;
    private final ArrayDeque<Leftover> waiting = new ArrayDeque<>();
    /** Partitions of which nothing is left here, or will be. */
    private final Set<Leftover> known = new HashSet<>();
    private ReplicaStorage storage;
    private boolean hasFailed;
    private long failedNs;
    /** Partitions of which it was told that what is left could not be deleted. */
    private final Set<Leftover> told = new HashSet<>();

    /** What is left of one partition, whose number is that in its job. */
    private record Leftover(int jobId, int partition)
    {
    }

    Leftovers(final NodeHost host)
    {
        this.host = host;
    }

    /** Delete what is left here of a partition, once; the host is told again if nothing is left. */
    void delete(final int jobId, final int partition)
    {
        final Leftover leftover = new Leftover(jobId, partition);
        if (known.add(leftover))
        {
            waiting.add(leftover);
        }
        else if (!waiting.contains(leftover))
        {
            host.onDeleted(jobId, partition);
        }
    }

    /**
     * A partition is to be kept here. What is left of it is used if its deletion has not begun.
     *
     * @return false if it is being deleted: ask again.
     */
    boolean keep(final int jobId, final int partition)
    {
        final Leftover leftover = new Leftover(jobId, partition);
        final boolean isBegun = null != storage && leftover.equals(waiting.peek());
        if (!isBegun)
        {
            waiting.remove(leftover);
            known.remove(leftover);
        }

        return !isBegun;
    }

    int doWork(final long nowNs)
    {
        if (waiting.isEmpty() || hasFailed && nowNs - failedNs < RETRY_NS)
        {
            return 0;
        }
        final Leftover leftover = waiting.peek();
        try
        {
            if (null == storage)
            {
                storage = host.leftover(leftover.jobId, leftover.partition);
            }
            if (null != storage && !(storage.isReady() && storage.wipe()))
            {
                return 0;
            }
            next();
            host.onDeleted(leftover.jobId, leftover.partition);
        }
        catch (final IllegalStateException ex)
        {
            if (told.add(leftover))
            {
                host.onNotDeleted(leftover.jobId, leftover.partition, ex);
            }
            hasFailed = true;
            failedNs = nowNs;
            // it does not keep the others waiting, nor a place that comes back
            waiting.add(leftover);
            next();
        }

        return 1;
    }

    private void next()
    {
        close();
        storage = null;
        waiting.remove();
    }

    @Override
    public void close()
    {
        if (null != storage)
        {
            storage.close();
        }
    }
}
