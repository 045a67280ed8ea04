// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.session.AckLevel;
import org.agrona.CloseHelper;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tickets as futures.
 */
@Timeout(60)
class TicketFuturesTest
{
    private static final TableSpec SPEC = TableSpec.dense(0, "weights", 1000, 2, "sgd/1 rate=1.0");
    /** Of futures, and of all else: a table must be there in it, also on a loaded machine. Less than a stall. */
    private static final int TIMEOUT_MS = 1_000;
    private static final long[] KEYS = {1};
    private static final float[] GRADIENTS = new float[2];

    private final EchoRig rig = new EchoRig();
    private final EchoServer server = rig.server;
    private GradstreamClient client;
    private Table table;

    @AfterEach
    void after()
    {
        CloseHelper.close(rig);
    }

    @Test
    void shouldCompleteWithinPollOnceTheTicketIsDone()
    {
        connect(new ClientContext());
        server.isHolding = true;
        final long ticket = table.push(KEYS, GRADIENTS);
        final long other = client.clock();
        final Thread[] completedBy = new Thread[1];
        final CompletableFuture<Void> future = client.future(ticket);
        final CompletableFuture<Void> again = client.future(ticket);
        future.thenRun(() -> completedBy[0] = Thread.currentThread());
        rig.pollFor(50);
        assertThat(future).isNotDone();

        server.acknowledge();
        client.await(other);
        assertThat(future).isCompleted();
        assertThat(again).isCompleted().isNotSameAs(future);
        assertThat(completedBy).containsExactly(Thread.currentThread());
        assertThat(client.future(ticket)).isCompleted();
        assertThat(client.future(client.clock())).isNotDone();
    }

    @Test
    void shouldFailWithTheRefusal()
    {
        connect(new ClientContext());
        server.refused = 1;
        final long ticket = table.pushRange(0, 1000, new float[2000]);
        final CompletableFuture<Void> future = client.future(ticket);
        client.awaitAll();

        assertRefused(future);
        assertRefused(client.future(ticket));
    }

    @Test
    void shouldFailWhenTimeIsOverThoughNothingIsDone()
    {
        connect(new ClientContext().operationTimeoutNs(TIMEOUT_MS * 1_000_000L));
        server.isHolding = true;
        final long ticket = table.push(KEYS, GRADIENTS);
        final CompletableFuture<Void> future = client.future(ticket);
        rig.pollFor(100);
        assertThat(future).isNotDone();
        rig.pollFor(TIMEOUT_MS);

        assertThatFailureOf(future).hasCauseInstanceOf(OperationTimeoutException.class)
            .hasMessageContaining("waited " + TIMEOUT_MS + " ms in vain for the end of ticket=" + ticket);
        assertThat(client.isDone(ticket)).isFalse();
    }

    @Test
    void shouldSayThatASequentialPushAwaitsTheClockWhenTimeIsOver()
    {
        connect(new ClientContext().operationTimeoutNs(TIMEOUT_MS * 1_000_000L));
        server.isSequential = true;
        final CompletableFuture<Void> push = client.future(table.push(KEYS, GRADIENTS));
        rig.pollFor(TIMEOUT_MS + 100);

        assertThatFailureOf(push).hasCauseInstanceOf(OperationTimeoutException.class)
            .hasMessageContaining("a push of a sequential job is done only after clock()");
    }

    @Test
    void shouldNotBlameTheClockForWhatWasPushedBeforeIt()
    {
        connect(new ClientContext().operationTimeoutNs(TIMEOUT_MS * 1_000_000L));
        server.isSequential = true;
        final CompletableFuture<Void> push = client.future(table.push(KEYS, GRADIENTS));
        final CompletableFuture<Void> clock = client.future(client.clock());
        rig.pollFor(TIMEOUT_MS + 100);

        assertThatFailureOf(push).hasMessageContaining("in vain").hasMessageNotContaining("clock()");
        assertThatFailureOf(clock).hasMessageContaining("in vain").hasMessageNotContaining("clock()");
    }

    @Test
    void shouldFailWhenTheClientIsClosed()
    {
        connect(new ClientContext());
        server.isHolding = true;
        final CompletableFuture<Void> future = client.future(table.push(KEYS, GRADIENTS));
        client.close();

        assertThatFailureOf(future).hasCauseInstanceOf(GradstreamException.class)
            .hasMessageContaining("the client was closed before ticket=");
        assertThatThrownBy(() -> client.future(1)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("closed");
    }

    @Test
    void shouldKeepNoMoreThanTicketsAndForgetWhatIsCancelled()
    {
        connect(new ClientContext().maxTickets(2));
        assertThatThrownBy(() -> client.future(99)).isInstanceOf(IllegalArgumentException.class);
        server.isHolding = true;
        final long ticket = table.push(KEYS, GRADIENTS);
        final CompletableFuture<Void> cancelled = client.future(ticket);
        client.future(ticket);
        assertThatThrownBy(() -> client.future(ticket)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("2 futures are open").hasMessageContaining("maxTickets");

        cancelled.cancel(false);
        client.await(table.pull(KEYS, 1, new float[2]));
        assertThat(client.future(ticket)).isNotDone();
    }

    @Test
    void shouldNotLetWhatDependsOnAFutureCallTheClientButTheLoop()
    {
        connect(new ClientContext());
        final CompletableFuture<Void> future = client.future(table.push(KEYS, GRADIENTS));
        final CompletableFuture<Long> inside = future.thenApply((none) -> table.push(KEYS, GRADIENTS));
        final Queue<Runnable> tasks = new ArrayDeque<>();
        final CompletableFuture<Long> inLoop =
            future.thenApplyAsync((none) -> table.push(KEYS, GRADIENTS), tasks::add);
        client.awaitAll();

        assertThatFailureOf(inside).hasCauseInstanceOf(IllegalStateException.class)
            .hasMessageContaining("inside poll()").hasMessageContaining("tasks::add");
        assertThat(tasks).hasSize(1);
        tasks.remove().run();
        assertThat(inLoop).isCompleted();
        client.await(inLoop.join());
        assertThat(server.pushes).isEqualTo(2);
    }

    @Test
    void shouldLetWhatDependsOnAFutureCloseTheClient()
    {
        connect(new ClientContext());
        server.isHolding = true;
        final long ticket = table.push(KEYS, GRADIENTS);
        final CompletableFuture<Void> first = client.future(ticket);
        final CompletableFuture<Void> second = client.future(ticket);
        first.thenRun(client::close);
        rig.pollFor(50);
        server.acknowledge();
        server.isHolding = true;
        final CompletableFuture<Void> open = client.future(client.clock());
        while (!first.isDone())
        {
            server.poll();
            client.poll();
        }

        assertThat(second).isCompleted();
        assertThat(open).isCompletedExceptionally();
    }

    @Test
    void shouldAskForASnapshotThatAPushNeedsToBeDone()
    {
        connect(new ClientContext().ackLevel(AckLevel.SNAPSHOTTED));
        final CompletableFuture<Void> future = client.future(table.push(KEYS, GRADIENTS));
        rig.pollFor(400);
        assertThat(future).isCompleted();
        assertThat(server.snapshotsWanted).isEqualTo(1);

        table.push(KEYS, GRADIENTS);
        rig.pollFor(400);
        assertThat(server.snapshotsWanted).as("as nobody waits").isEqualTo(1);
    }

    private static AbstractThrowableAssert<?, ?> assertThatFailureOf(final CompletableFuture<?> future)
    {
        // join would wait for ever
        assertThat(future).isCompletedExceptionally();
        return assertThatThrownBy(future::join);
    }

    private static void assertRefused(final CompletableFuture<Void> future)
    {
        assertThatFailureOf(future).cause().isInstanceOfSatisfying(PushRefusedException.class, (ex) ->
        {
            assertThat(ex.refusal()).isEqualTo(Refusal.BAD_KEY);
            assertThat(ex.partition()).isZero();
        });
    }

    private void connect(final ClientContext context)
    {
        client = rig.connect(context, Consistency.EVENTUAL);
        table = client.createTable(SPEC);
    }
}
