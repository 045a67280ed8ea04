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
package io.gradstream.system;

import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SleepingIdleStrategy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A slot of a sequential job whose gradients come from what it pulls, and whose process may die at any place of an
 * iteration: nobody polls its client any more, nothing says goodbye, and a new one goes on where the servers say.
 */
final class SequentialWorker implements Runnable
{
    static final int ROWS = 96;
    static final int DIM = 3;
    static final TableSpec TABLE = TableSpec.sparse(0, "weights", DIM, "sgd/1 rate=0.05");

    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);
    /** Pushes of an iteration. */
    private static final int PUSHES = 3;
    private static final int MOST_POLLS = 40;

    private final int slot;
    private final int clocks;
    private final FaultCluster cluster;
    /** How many workers may still die, of all slots together. */
    private final AtomicInteger deaths;
    /** Iterations that workers may go on to. */
    private final AtomicInteger allowed;
    private final Random random;
    private final List<GradstreamClient> abandoned = new ArrayList<>();
    private final Thread thread;
    private final long[] keys = new long[ROWS];
    private final float[] rows = new float[ROWS * DIM];
    private long incarnation = System.currentTimeMillis();
    private volatile long clocksDone;
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
     * @param deaths  that are left; raised by the test when workers may die.
     */
    SequentialWorker(
        final int slot,
        final int clocks,
        final FaultCluster cluster,
        final AtomicInteger allowed,
        final AtomicInteger deaths)
    {
        this.allowed = allowed;
        this.slot = slot;
        this.clocks = clocks;
        this.cluster = cluster;
        this.deaths = deaths;
        random = new Random(31L * slot + System.nanoTime());
        for (int i = 0; i < ROWS; i++)
        {
            keys[i] = 37L * i;
        }
        thread = new Thread(this, "sequential-" + slot);
        thread.setDaemon(true);
        thread.start();
    }

    long clocksDone()
    {
        return clocksDone;
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
        catch (final RuntimeException | AssertionError ex)
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
        final ClientContext context = cluster.clientContext().slot(slot).incarnation(++incarnation)
            .initialClock(ClientContext.CLOCK_OF_SLOT).idleStrategy(new SleepingIdleStrategy(PARK_NS));
        final GradstreamClient client = GradstreamClient.connect(context);
        try
        {
            final Table table = client.createTable(TABLE);
            while (client.clocksDone() < clocks)
            {
                awaitAllowed(client);
                client.await(table.pull(keys, ROWS, rows));
                dieMaybe(client);
                for (int i = 0; i < PUSHES; i++)
                {
                    push(client, table, i);
                    dieMaybe(client);
                }
                client.clock();
                dieMaybe(client);
                clocksDone = client.clocksDone();
            }
            client.awaitAll();
            client.close();
            return true;
        }
        catch (final DeathException ex)
        {
            abandoned.add(client);
            return false;
        }
    }

    private void awaitAllowed(final GradstreamClient client)
    {
        while (client.clocksDone() >= allowed.get())
        {
            client.poll();
            LockSupport.parkNanos(PARK_NS);
        }
    }

    private void push(final GradstreamClient client, final Table table, final int part)
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
                    0.1f * (1 + slot) * ((client.clocksDone() * 7 + row + k + part) % 11 - 5);
            }
        }
        table.push(pushed, 0, count, gradient);
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
