// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.JobSpec;
import io.gradstream.recovery.log.ReplicaStorage;

import java.util.ArrayDeque;
import java.util.BitSet;

/**
 * Deletes logs and snapshots of partitions that have all their copies on other nodes, one partition after the other:
 * those whose place has moved away, and those of which an earlier process of this node had a copy.
 */
final class Leftovers implements AutoCloseable
{
    /** After a deletion that failed nothing is tried for so long. */
    static final long RETRY_NS = 1_000_000_000;

    private final NodeHost host;
    private final ArrayDeque<Integer> waiting = new ArrayDeque<>();
    /** Partitions of which nothing is left here, or will be. */
    private final BitSet known = new BitSet();
    private ReplicaStorage storage;
    private boolean hasFailed;
    private long failedNs;
    /** Partitions of which it was told that what is left could not be deleted. */
    private final BitSet told = new BitSet();

    Leftovers(final NodeHost host)
    {
        this.host = host;
    }

    /** Delete what is left here of a partition, once. */
    void delete(final int partition)
    {
        if (!known.get(partition))
        {
            known.set(partition);
            waiting.add(partition);
        }
    }

    /**
     * A partition is to be kept here. What is left of it is used if its deletion has not begun.
     *
     * @return false if it is being deleted: ask again.
     */
    boolean keep(final int partition)
    {
        final boolean isBegun = null != storage && waiting.peek() == partition;
        if (!isBegun)
        {
            waiting.remove(partition);
            known.clear(partition);
        }

        return !isBegun;
    }

    int doWork(final JobSpec job, final long nowNs)
    {
        if (waiting.isEmpty() || hasFailed && nowNs - failedNs < RETRY_NS)
        {
            return 0;
        }
        try
        {
            if (null == storage)
            {
                storage = host.leftover(job, waiting.peek());
            }
            if (null != storage && !(storage.isReady() && storage.wipe()))
            {
                return 0;
            }
            next();
        }
        catch (final IllegalStateException ex)
        {
            if (!told.get(waiting.peek()))
            {
                host.onNotDeleted(waiting.peek(), ex);
            }
            told.set(waiting.peek());
            hasFailed = true;
            failedNs = nowNs;
            // it does not keep the others waiting, nor a place that comes back
            waiting.add(waiting.peek());
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
