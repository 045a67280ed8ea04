// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import org.agrona.concurrent.IdleStrategy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * {@code barrier()}, {@code after(tickets)} and {@code future(ticket)} while a primary is killed that they wait for:
 * they end, in their order, and nothing is lost.
 */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WaitingCallsIT
{
    private static final int SLOTS = 3;
    /** The one that all others wait for. */
    private static final int LAST = SLOTS - 1;
    /** Of those that do not count. */
    private static final int ORDERING = SLOTS;
    private static final int WITH_FUTURES = SLOTS + 1;
    private static final int OBSERVER = -1;
    private static final int ROUNDS = 20;
    /** In it the primary is killed. */
    private static final int KILLED_ROUND = 5;
    /** A call that has idled so often does nothing but wait. */
    private static final int MANY_IDLES = 50;
    private static final int SPOOL_BYTES = 1 << 20;
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long TIMEOUT_MS = 120_000;
    private static final long SET_TIMEOUT_SECONDS = 60;

    private final ExecutorService threads = Executors.newCachedThreadPool((task) ->
    {
        final Thread thread = new Thread(task, "waiting");
        thread.setDaemon(true);
        return thread;
    });
    private FaultCluster cluster;
    private long[] keys;
    private List<Integer> victims;
    private volatile boolean isPaused;
    private volatile boolean isKilled;

    /** Counts how often a client has had nothing to do. */
    private static final class CountedIdle implements IdleStrategy
    {
        private volatile int count;

        @Override
        public void idle(final int workCount)
        {
            if (0 == workCount)
            {
                idle();
            }
        }

        @Override
        public void idle()
        {
            count++;
            LockSupport.parkNanos(PARK_NS);
        }

        @Override
        public void reset()
        {
        }
    }

    @BeforeAll
    void start(@TempDir final Path directory) throws Exception
    {
        cluster = FaultCluster.start(ServiceMode.CHAIN);
        final Command set = Command.run(directory, SET_TIMEOUT_SECONDS, "job", "set", "--coordinator",
            String.join(",", cluster.coordinators()), "--slots", String.valueOf(SLOTS));
        assertThat(set.exitCode()).as(set.err()).isZero();
        keys = FaultCluster.keyOfEach();
    }

    @BeforeEach
    void choose()
    {
        victims = List.of(cluster.primary());
        isPaused = false;
        isKilled = false;
    }

    @AfterEach
    void heal() throws Exception
    {
        if (!isKilled)
        {
            kill();
        }
        cluster.restart(victims);
        cluster.await("chains are whole", TIMEOUT_MS, cluster::isWhole);
    }

    @AfterAll
    void stop()
    {
        threads.shutdownNow();
        cluster.close();
    }

    @Test
    void shouldEndABarrierWhilePrimariesAreKilled() throws Exception
    {
        final AtomicIntegerArray entered = new AtomicIntegerArray(SLOTS);
        final CountedIdle[] idles = new CountedIdle[SLOTS];
        final List<Future<?>> workers = new ArrayList<>();
        for (int i = 0; i < SLOTS; i++)
        {
            final int slot = i;
            idles[slot] = new CountedIdle();
            workers.add(threads.submit(() -> meet(slot, idles[slot], entered)));
        }
        await("the others wait for the last", workers, () -> areAt(entered, KILLED_ROUND, LAST));
        final int[] before = Arrays.stream(idles).mapToInt((idle) -> idle.count).toArray();
        await("they do nothing else", workers, () -> idles[0].count > before[0] + MANY_IDLES &&
            idles[1].count > before[1] + MANY_IDLES);
        kill();
        await("all have met in each round", workers, () -> workers.stream().allMatch(Future::isDone));
    }

    private void meet(final int slot, final IdleStrategy idle, final AtomicIntegerArray entered)
    {
        try (GradstreamClient client = connect(slot, idle))
        {
            final Table table = client.createTable(counts(0));
            final long[] own = keysOf(slot);
            for (int round = 1; round <= ROUNDS; round++)
            {
                while (LAST == slot && KILLED_ROUND == round && !isKilled)
                {
                    idle.idle(client.poll());
                }
                push(table, own);
                entered.set(slot, round);
                client.barrier();
                assertThat(areAt(entered, round, -1)).as("all are in round %d: %s", round, entered).isTrue();
                for (int other = 0; other < SLOTS; other++)
                {
                    // it may be in its next round already
                    assertThat(pull(client, table, keysOf(other)))
                        .as("slot %d, round %d, rows of slot %d", slot, round, other)
                        .isSubsetOf((long)round, round + 1L);
                }
            }
            client.awaitAll();
            assertThat(pull(client, table, own)).containsOnly((long)ROUNDS);
        }
    }

    private static boolean areAt(final AtomicIntegerArray entered, final int round, final int but)
    {
        for (int slot = 0; slot < SLOTS; slot++)
        {
            if (slot != but && entered.get(slot) < round)
            {
                return false;
            }
        }

        return true;
    }

    @Test
    void shouldBeginWhatComesAfterOnlyThenWhilePrimariesAreKilled() throws Exception
    {
        final CountedIdle idle = new CountedIdle();
        final Future<?> worker = threads.submit(() -> pushInOrder(idle));
        final Future<?> observer = threads.submit(() -> watchOrder(worker));
        pause();
        await("a push waits", List.of(worker, observer), () -> idle.count > MANY_IDLES);
        assertThat(worker).isNotDone();
        kill();
        await("all is pushed", List.of(worker, observer), () -> worker.isDone() && observer.isDone());
    }

    /** Who sees the flag of a round finds its model. */
    private void pushInOrder(final CountedIdle idle)
    {
        try (GradstreamClient client = connect(ORDERING, idle))
        {
            final Table model = client.createTable(counts(1));
            final Table flags = client.createTable(counts(2));
            for (int round = 1; round <= ROUNDS; round++)
            {
                while (KILLED_ROUND == round && !isPaused)
                {
                    client.poll();
                    LockSupport.parkNanos(PARK_NS);
                }
                final long ticket = push(model, keys);
                client.after(ticket);
                idle.count = 0;
                push(flags, keys);
                assertThat(client.isDone(ticket)).as("round %d: the model is done before the flag", round).isTrue();
            }
            client.awaitAll();
            assertThat(pull(client, model, keys)).containsOnly((long)ROUNDS);
            assertThat(pull(client, flags, keys)).containsOnly((long)ROUNDS);
        }
    }

    private void watchOrder(final Future<?> worker)
    {
        try (GradstreamClient client = connect(OBSERVER, new CountedIdle()))
        {
            boolean isLast = false;
            while (!isLast)
            {
                isLast = worker.isDone();
                if (client.describe().tables().stream().anyMatch((table) -> 2 == table.spec().tableId()))
                {
                    final long seen = Collections.max(pull(client, client.openTable(counts(2)), keys));
                    assertThat(pull(client, client.openTable(counts(1)), keys)).allMatch((round) -> round >= seen);
                }
            }
        }
    }

    @Test
    void shouldCompleteFuturesInOrderWhilePrimariesAreKilled() throws Exception
    {
        final CountedIdle idle = new CountedIdle();
        final Future<?> worker = threads.submit(() -> pushWithFutures(idle));
        pause();
        await("futures are open", List.of(worker), () -> idle.count > MANY_IDLES);
        assertThat(worker).isNotDone();
        kill();
        await("all futures are completed", List.of(worker), worker::isDone);
    }

    private void pushWithFutures(final CountedIdle idle)
    {
        try (GradstreamClient client = connect(WITH_FUTURES, idle))
        {
            final Table table = client.createTable(counts(3));
            while (!isPaused)
            {
                client.poll();
                LockSupport.parkNanos(PARK_NS);
            }
            final List<Integer> completed = new ArrayList<>();
            final List<CompletableFuture<Void>> futures = new ArrayList<>();
            final Queue<Runnable> tasks = new ArrayDeque<>();
            for (int i = 0; i < ROUNDS; i++)
            {
                final int round = i;
                final CompletableFuture<Void> future = client.future(push(table, keys));
                future.thenRun(() -> completed.add(round));
                futures.add(future.thenRunAsync(() -> futures.add(client.future(push(table, keys))), tasks::add));
            }
            idle.count = 0;
            while (futures.size() < 2 * ROUNDS || !futures.stream().allMatch(CompletableFuture::isDone))
            {
                idle.idle(client.poll());
                for (Runnable task = tasks.poll(); null != task; task = tasks.poll())
                {
                    task.run();
                }
            }
            futures.forEach(CompletableFuture::join);
            assertThat(completed).hasSize(ROUNDS).isSorted();
            assertThat(client.outstandingTickets()).isZero();
            assertThat(pull(client, table, keys)).containsOnly(2L * ROUNDS);
        }
    }

    private GradstreamClient connect(final int slot, final IdleStrategy idle)
    {
        return GradstreamClient.connect(
            cluster.clientContext().slot(slot).spoolBytesPerPartition(SPOOL_BYTES).idleStrategy(idle));
    }

    /** SIGSTOP, so that what waits for a primary waits until it is killed. */
    private void pause()
    {
        cluster.pause(victims);
        isPaused = true;
    }

    private void kill()
    {
        cluster.kill(victims);
        isKilled = true;
    }

    private void await(final String what, final List<Future<?>> workers, final BooleanSupplier condition)
    {
        cluster.await(what, TIMEOUT_MS, () ->
        {
            workers.stream().filter(Future::isDone).forEach(WaitingCallsIT::check);
            return condition.getAsBoolean();
        });
    }

    private static void check(final Future<?> done)
    {
        try
        {
            done.get();
        }
        catch (final InterruptedException | ExecutionException ex)
        {
            throw new AssertionError("a worker has failed", ex);
        }
    }

    private static TableSpec counts(final int tableId)
    {
        return new TableSpec(tableId, "counts" + tableId, 1, ElementType.INT64, 0, TableSpec.ZEROS, 0, 0f, "add/1");
    }

    private static long push(final Table table, final long[] keys)
    {
        final long[] ones = new long[keys.length];
        Arrays.fill(ones, 1);
        return table.push(keys, 0, keys.length, ones);
    }

    private static List<Long> pull(final GradstreamClient client, final Table table, final long[] keys)
    {
        final long[] rows = new long[keys.length];
        client.await(table.pull(keys, keys.length, rows));
        return Arrays.stream(rows).boxed().toList();
    }

    /** Those rows that a slot pushes alone. */
    private long[] keysOf(final int slot)
    {
        return Arrays.stream(keys).map((key) -> key + slot).toArray();
    }
}
