// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import org.agrona.concurrent.SleepingIdleStrategy;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/**
 * A worker that in each iteration adds 1 to rows of its own, one at each partition, and pulls those of all workers:
 * what it sees of the others says how stale it is, whatever the servers say.
 */
final class BoundedWorker implements Runnable
{
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);
    /** Pulls of an iteration, all under way at once. */
    private static final int PULLS = 8;
    /** One in so many iterations takes longer. */
    private static final int SELDOM = 50;
    private static final long LONGER_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final int slot;
    private final int slots;
    /** By slot: not 0 once it finishes, from when on it holds nobody back. */
    private final AtomicIntegerArray finished;
    private final int staleness;
    private final ClientContext context;
    private final Random random;
    private final Thread thread;
    private volatile boolean isStopped;
    private volatile boolean isStarted;
    private volatile Throwable failure;
    private volatile long pulls;
    private volatile long maxStaleness;

    /**
     * Starts at once.
     *
     * @param finished  one element for each slot of the job, shared by its workers.
     * @param staleness bound that is promised.
     */
    BoundedWorker(
        final int slot, final AtomicIntegerArray finished, final int staleness, final ClientContext context)
    {
        this.slot = slot;
        this.finished = finished;
        slots = finished.length();
        this.staleness = staleness;
        this.context = context;
        random = new Random(slot);
        thread = new Thread(this, "bounded-" + slot);
        thread.setDaemon(true);
        thread.start();
    }

    /** Pulls that were judged. */
    long pulls()
    {
        return pulls;
    }

    boolean isStarted()
    {
        return isStarted;
    }

    /** Most iterations by which a row of another was behind. */
    long maxStaleness()
    {
        return maxStaleness;
    }

    void check()
    {
        if (null != failure)
        {
            throw new AssertionError("slot " + slot + " after " + pulls + " pulls", failure);
        }
    }

    void stop()
    {
        isStopped = true;
    }

    void join() throws InterruptedException
    {
        thread.join(TimeUnit.NANOSECONDS.toMillis(FaultCluster.OPERATION_TIMEOUT_NS));
        if (thread.isAlive())
        {
            throw new AssertionError("slot " + slot + " does not end");
        }
    }

    @Override
    public void run()
    {
        try (GradstreamClient client = GradstreamClient.connect(
            context.slot(slot).idleStrategy(new SleepingIdleStrategy(PARK_NS))))
        {
            final Table table = client.createTable(new TableSpec(
                0, "clocks", 1, ElementType.INT64, 0, TableSpec.ZEROS, 0, 0f, "add/1"));
            isStarted = true;
            final long[][] keys = keys(client.partitionCount());
            final long[] ones = new long[client.partitionCount()];
            java.util.Arrays.fill(ones, 1);
            while (!isStopped)
            {
                if (0 == random.nextInt(SELDOM))
                {
                    LockSupport.parkNanos(LONGER_NS);
                }
                table.push(keys[slot], 0, ones.length, ones);
                client.clock();
                pull(client, table, keys);
            }
            finished.set(slot, 1);
            client.finish();
            client.awaitAll();
        }
        catch (final RuntimeException | AssertionError ex)
        {
            failure = ex;
        }
    }

    private void pull(final GradstreamClient client, final Table table, final long[][] keys)
    {
        final int partitions = client.partitionCount();
        final long[] all = new long[slots * partitions];
        for (int i = 0; i < all.length; i++)
        {
            all[i] = keys[i / partitions][i % partitions];
        }
        final long[][] rows = new long[PULLS][all.length];
        final long[] tickets = new long[PULLS];
        for (int i = 0; i < PULLS; i++)
        {
            tickets[i] = table.pull(all, all.length, rows[i]);
        }
        for (int i = 0; i < PULLS; i++)
        {
            client.await(tickets[i]);
            judge(rows[i], client.clocksDone(), partitions);
            pulls++;
        }
    }

    private void judge(final long[] rows, final long clock, final int partitions)
    {
        for (int i = 0; i < rows.length; i++)
        {
            final int other = i / partitions;
            final long behind = clock - rows[i];
            if (other != slot && 0 != finished.get(other))
            {
                continue;
            }
            if (other == slot ? behind != 0 : behind > staleness)
            {
                throw new AssertionError("in iteration " + clock + " slot " + slot + " saw " + rows[i] +
                    " iterations of slot " + other + " at partition " + i % partitions + ", staleness " + staleness);
            }
            maxStaleness = Math.max(maxStaleness, behind);
        }
    }

    /** By slot and partition a key of that partition. */
    private long[][] keys(final int partitions)
    {
        final PartitionFunction placement = new PartitionFunction(partitions);
        final long[][] keys = new long[slots][partitions];
        for (int partition = 0; partition < partitions; partition++)
        {
            long key = 0;
            while (placement.partitionOf(0, key) != partition)
            {
                key = PartitionFunction.blockEnd(key);
            }
            for (int i = 0; i < slots; i++)
            {
                keys[i][partition] = key + i;
            }
        }

        return keys;
    }
}
