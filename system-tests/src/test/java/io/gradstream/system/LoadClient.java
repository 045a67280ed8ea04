// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.gradstream.launcher.Audit;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.session.PushCounts;
import org.agrona.concurrent.SleepingIdleStrategy;

/**
 * A worker's client that pushes flat out. For one thread; others may read the
 * counts of its {@link #loop()}.
 */
final class LoadClient implements AutoCloseable
{
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private final GradstreamClient client;
    private final PushLoop loop;

    /**
     * Connect and create the table.
     *
     * @param context of the client, with its slot.
     * @param slot    of the client.
     * @param life    how many processes have held the slot before.
     */
    LoadClient(final ClientContext context, final int slot, final int life)
    {
        client = GradstreamClient.connect(
            context.slot(slot).audit(true).idleStrategy(new SleepingIdleStrategy(PARK_NS)));
        try
        {
            loop = new PushLoop(client, slot, life);
        }
        catch (final RuntimeException ex)
        {
            client.close();
            throw ex;
        }
    }

    PushLoop loop()
    {
        return loop;
    }

    /** Push what there is room for, or with nothing to do wait a little. */
    void push()
    {
        idle(loop.doWork());
    }

    /** Take acknowledgements only. */
    void poll()
    {
        idle(loop.poll());
    }

    /** Wait until all is acknowledged; a snapshot is asked for if it takes one. */
    void drain()
    {
        client.awaitAll();
        loop.poll();
    }

    /** What was pushed to each partition, by sequence. */
    List<Audit.Sums> sent()
    {
        if (client.refusedTickets() > 0)
        {
            throw new IllegalStateException(client.refusedTickets() + " pushes were refused");
        }
        final List<Audit.Sums> sums = new ArrayList<>();
        for (int partition = 0; partition < client.partitionCount(); partition++)
        {
            final PushCounts counts = client.pushCounts(partition);
            sums.add(new Audit.Sums(
                counts.count(), counts.sequenceSum(), counts.sequenceSquareSum(), counts.contentSum()));
        }

        return sums;
    }

    @Override
    public void close()
    {
        client.close();
    }

    private static void idle(final int workCount)
    {
        if (0 == workCount)
        {
            LockSupport.parkNanos(PARK_NS);
        }
    }
}
