// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.PartitionSession;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SleepingIdleStrategy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * A slot of a sequential job whose gradients come from what it pulls, and whose process may die at any place of an
 * iteration, or at one that is named: nobody polls its client any more, nothing says goodbye, and a new one goes on
 * where the servers say.
 */
final class SequentialWorker implements Runnable
{
    static final int ROWS = 96;
    static final int DIM = 3;
    static final TableSpec TABLE = TableSpec.sparse(0, "weights", DIM, "sgd/1 rate=0.05");

    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);
    /** Pushes of an iteration. */
    static final int PUSHES = 3;
    private static final int MOST_POLLS = 40;
    /** Of several iterations, and little, since clients of the dead are kept to the end. */
    private static final int SPOOL_BYTES = 1 << 18;
    /** Many round trips: in it the end of a clock that nothing keeps back arrives. */
    private static final long LONG_ENOUGH_NS = TimeUnit.MILLISECONDS.toNanos(300);

    /**
     * What of an iteration a server has not got when the worker dies, while all others have.
     */
    enum Missing
    {
        /** All that was pushed in it, so that nobody may be told that it has ended. */
        PUSHES,
        /** That it has ended, which the others have applied. */
        END
    }

    /**
     * A death at a place.
     *
     * @param clock   iterations that the slot has finished.
     * @param missing at the server.
     * @param server  that does not get it.
     */
    record Death(long clock, Missing missing, int server)
    {
    }

    private final int slot;
    private final int clocks;
    private final FaultCluster cluster;
    /** How many workers may still die, of all slots together. */
    private final AtomicInteger deaths;
    /** At a place, of this slot, those to come. */
    private final Queue<Death> placed;
    /** Iterations that workers may go on to. */
    private final AtomicInteger allowed;
    private final Random random;
    private final List<GradstreamClient> abandoned = new ArrayList<>();
    private final Thread thread;
    private final long[] keys = keys();
    private final float[] rows = new float[ROWS * DIM];
    private long incarnation = System.currentTimeMillis();
    private volatile long clocksDone;
    private volatile long acknowledged;
    private volatile int died;
    private volatile Throwable failure;

    /** A process of the slot has died. */
    private static final class DeathException extends RuntimeException
    {
        private static final long serialVersionUID = 1L;
    }

    /**
     * Starts at once.
     *
     * @param clocks  iterations that it trains for.
     * @param allowed of them that it may train for now; raised by the test.
     * @param deaths  at any place that are left; raised by the test when workers may die.
     * @param placed  deaths of this slot at named places, in their order.
     */
    SequentialWorker(
        final int slot,
        final int clocks,
        final FaultCluster cluster,
        final AtomicInteger allowed,
        final AtomicInteger deaths,
        final List<Death> placed)
    {
        this.placed = new ArrayDeque<>(placed);
        this.allowed = allowed;
        this.slot = slot;
        this.clocks = clocks;
        this.cluster = cluster;
        this.deaths = deaths;
        random = new Random(31L * slot + System.nanoTime());
        thread = new Thread(this, "sequential-" + slot);
        thread.setDaemon(true);
        thread.start();
    }

    /** Iterations that it has ended. */
    long clocksDone()
    {
        return clocksDone;
    }

    /** Iterations that it had ended and that were acknowledged when it last stood where it may not go on. */
    long acknowledged()
    {
        return acknowledged;
    }

    /** Processes of the slot that have died. */
    int died()
    {
        return died;
    }

    void check()
    {
        if (null != failure)
        {
            throw new AssertionError("slot " + slot + " after " + clocksDone + " iterations", failure);
        }
    }

    boolean isDone()
    {
        return !thread.isAlive();
    }

    @Override
    public void run()
    {
        try
        {
            while (!live())
            {
                died++;
            }
        }
        catch (final RuntimeException | Error ex)
        {
            failure = ex;
        }
        finally
        {
            CloseHelper.quietCloseAll(abandoned);
        }
    }

    /** One process of the slot; false if it has died. */
    private boolean live()
    {
        final Death death = placed.peek();
        final ClientContext context = cluster.clientContext().slot(slot).incarnation(++incarnation)
            .initialClock(ClientContext.CLOCK_OF_SLOT).spoolBytesPerPartition(SPOOL_BYTES)
            .idleStrategy(new SleepingIdleStrategy(PARK_NS));
        if (null == death)
        {
            return live(context, null, null);
        }
        try (CutDriver driver = new CutDriver(cluster.aeronDirectory("slot-" + slot + "-" + died)))
        {
            return live(context.aeronDirectoryName(driver.directory()), driver, death);
        }
    }

    private boolean live(final ClientContext context, final CutDriver driver, final Death death)
    {
        final GradstreamClient client = GradstreamClient.connect(context);
        try
        {
            final Table table = client.createTable(TABLE).pushEncoding(ValueEncoding.BFLOAT16);
            while (client.clocksDone() < clocks)
            {
                awaitAllowed(client);
                client.await(table.pull(keys, ROWS, rows));
                if (null != death && death.clock() == client.clocksDone())
                {
                    die(client, table, driver, death);
                }
                iterate(client, table);
                clocksDone = client.clocksDone();
            }
            client.awaitAll();
            acknowledged = client.clocksDone();
            client.close();
            return true;
        }
        catch (final DeathException ex)
        {
            abandoned.add(client);
            return false;
        }
    }

    private void iterate(final GradstreamClient client, final Table table)
    {
        dieMaybe(client);
        for (int i = 0; i < PUSHES; i++)
        {
            push(table, slot, client.clocksDone(), i, keys, rows);
            dieMaybe(client);
        }
        client.clock();
        dieMaybe(client);
    }

    /** Iterate as always until one server lacks what it is to lack and all others have it, and die then. */
    private void die(final GradstreamClient client, final Table table, final CutDriver driver, final Death death)
    {
        final String server = cluster.endpoints().get(death.server());
        final Predicate<PartitionSession> isServed = (session) -> cluster.head(session.partition()) != death.server();
        final boolean isEndMissing = Missing.END == death.missing();
        if (!isEndMissing)
        {
            driver.cutOff(server);
        }
        for (int i = 0; i < PUSHES; i++)
        {
            push(table, slot, client.clocksDone(), i, keys, rows);
        }
        if (isEndMissing)
        {
            pollUntil(client, () -> all(client, (session) -> session.takenThrough() == session.lastSequence()));
            driver.cutOff(server);
        }
        client.clock();
        if (isEndMissing)
        {
            pollUntil(client, () -> all(client, isServed.negate().or(SequentialWorker::isApplied)));
        }
        else
        {
            pollUntil(client, () -> all(client, isServed.negate().or(SequentialWorker::isHeld)));
            // nothing tells that an end is kept back but that it does not come; if it comes, the bits will tell
            final long endNs = System.nanoTime() + LONG_ENOUGH_NS;
            pollUntil(client, () -> System.nanoTime() - endNs >= 0 ||
                all(client, isServed.negate().or(SequentialWorker::isApplied)));
        }
        placed.remove();
        driver.close();
        throw new DeathException();
    }

    /** Has its partition all that was pushed before the end of the clock? */
    private static boolean isHeld(final PartitionSession session)
    {
        return session.takenThrough() >= session.lastSequence() - 1;
    }

    /** Has its partition applied the end of the clock too? */
    private static boolean isApplied(final PartitionSession session)
    {
        return session.watermarks().of(AckLevel.APPLIED) >= session.lastSequence();
    }

    private static boolean all(final GradstreamClient client, final Predicate<PartitionSession> condition)
    {
        for (int partition = 0; partition < client.partitionCount(); partition++)
        {
            if (!condition.test(client.session(partition)))
            {
                return false;
            }
        }

        return true;
    }

    private void pollUntil(final GradstreamClient client, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + FaultCluster.OPERATION_TIMEOUT_NS;
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new AssertionError("slot " + slot + " does not come to where it is to die: " + placed.peek());
            }
            client.poll();
            LockSupport.parkNanos(PARK_NS);
        }
    }

    private void awaitAllowed(final GradstreamClient client)
    {
        if (client.clocksDone() >= allowed.get())
        {
            client.awaitAll();
            acknowledged = client.clocksDone();
        }
        while (client.clocksDone() >= allowed.get())
        {
            client.poll();
            LockSupport.parkNanos(PARK_NS);
        }
    }

    /**
     * Push a part of what a slot learns in an iteration, of rows as it has pulled them.
     *
     * @param clock iterations before it.
     * @param part  0 to {@link #PUSHES} - 1.
     */
    static void push(
        final Table table, final int slot, final long clock, final int part, final long[] keys, final float[] rows)
    {
        final int count = ROWS / PUSHES + slot;
        final long[] pushed = new long[count];
        final float[] gradient = new float[count * DIM];
        for (int i = 0; i < count; i++)
        {
            final int row = (part * (ROWS / PUSHES) + i) % ROWS;
            pushed[i] = keys[row];
            for (int k = 0; k < DIM; k++)
            {
                gradient[i * DIM + k] = 0.3f * rows[row * DIM + k] +
                    0.1f * (1 + slot) * ((clock * 7 + row + k + part) % 11 - 5);
            }
        }
        table.push(pushed, 0, count, gradient);
    }

    static long[] keys()
    {
        final long[] keys = new long[ROWS];
        Arrays.setAll(keys, (i) -> 37L * i);

        return keys;
    }

    /** Now and then the process ends here, after it has sent more or less of what it was about to. */
    private void dieMaybe(final GradstreamClient client)
    {
        if (0 == random.nextInt(20) && deaths.getAndUpdate((left) -> Math.max(0, left - 1)) > 0)
        {
            for (int i = random.nextInt(MOST_POLLS); i > 0; i--)
            {
                client.poll();
            }
            throw new DeathException();
        }
    }
}
