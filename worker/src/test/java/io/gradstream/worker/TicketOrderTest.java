// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.session.AckLevel;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What is begun waits for tickets that must be done before.
 */
@Timeout(60)
class TicketOrderTest
{
    private static final TableSpec SPEC = TableSpec.dense(0, "weights", 1000, 2, "sgd/1 rate=1.0");
    private static final long[] KEYS = {1};
    private static final float[] GRADIENTS = new float[2];

    private final EchoRig rig = new EchoRig();
    private final EchoServer server = rig.server;
    private final float[] rows = new float[2];
    private GradstreamClient client;
    private Table table;
    private int pushesBefore;
    private int clocksBefore;

    @AfterEach
    void after()
    {
        CloseHelper.close(rig);
    }

    @Test
    void shouldBeginNothingThatIsTriedBeforeAllTicketsAreDone()
    {
        connect(new ClientContext());
        server.isHolding = true;
        final long first = table.push(KEYS, GRADIENTS);
        final long second = client.clock();
        client.after(first, second);
        client.after(first);
        assertThat(table.tryPush(KEYS, 0, 1, GRADIENTS)).isEqualTo(GradstreamClient.NOT_NOW);
        assertThat(table.tryPull(KEYS, 1, rows)).isEqualTo(GradstreamClient.NOT_NOW);
        rig.pollFor(50);
        assertThat(table.tryPushRange(0, 1, GRADIENTS)).isEqualTo(GradstreamClient.NOT_NOW);
        assertThat(client.outstandingTickets()).isEqualTo(2);

        server.acknowledge();
        client.await(first);
        client.await(second);
        assertThat(table.tryPush(KEYS, 0, 1, GRADIENTS)).isPositive();
        assertThat(table.tryPull(KEYS, 1, rows)).isPositive();
        client.awaitAll();
    }

    @Test
    void shouldBeginWhatWaitsOnceTheTicketIsDone()
    {
        connect(new ClientContext());
        beginsOnceDone(() -> table.push(KEYS, GRADIENTS));
        beginsOnceDone(() -> table.pushRange(0, 1, GRADIENTS));
        beginsOnceDone(() -> table.pull(KEYS, 1, rows));
        // the server answers with floats
        server.dim = 2 * TableSpec.AUDIT.dim();
        beginsOnceDone(() -> client.pullSystem(0, TableSpec.AUDIT, KEYS, new long[TableSpec.AUDIT.dim()]));
        beginsOnceDone(() -> client.clock());
        beginsOnceDone(() -> client.finish());
    }

    @Test
    void shouldNotEndInSilenceWhenAPushWasRefusedThatNobodyAwaited()
    {
        connect(new ClientContext());
        server.refused = 1;
        table.pushRange(0, 1000, new float[2000]);
        final long awaited = table.push(KEYS, GRADIENTS);

        assertThatThrownBy(client::awaitAll).isInstanceOf(PushRefusedException.class)
            .hasMessageContaining("1 pushes were refused").hasMessageContaining("BAD_KEY");
        assertThat(client.isDone(awaited)).isTrue();
        client.awaitAll();
    }

    @Test
    void shouldThrowOnceThatATicketWasRefusedAndThenGoOn()
    {
        connect(new ClientContext());
        server.isHolding = true;
        server.refused = 1;
        final long refused = table.pushRange(0, 1000, new float[2000]);
        final long taken = table.pushRange(0, 1000, new float[2000]);
        client.after(refused, taken);
        rig.step = server::acknowledge;

        assertThatThrownBy(() -> table.push(KEYS, GRADIENTS)).isInstanceOfSatisfying(PushRefusedException.class,
            (ex) -> assertThat(ex.refusal()).isEqualTo(Refusal.BAD_KEY));
        client.awaitAll();
        assertThat(client.pushesSent()).isEqualTo(4);
        client.await(table.push(KEYS, GRADIENTS));
        // a ticket that was refused before it is given, too
        client.after(refused);
        assertThatThrownBy(() -> table.tryPull(KEYS, 1, rows)).isInstanceOf(PushRefusedException.class);
        assertThat(table.tryPull(KEYS, 1, rows)).isPositive();
    }

    @Test
    void shouldKeepTheOrderWhenTimeIsOver()
    {
        connect(new ClientContext().operationTimeoutNs(500_000_000L));
        server.isHolding = true;
        final long ticket = table.push(KEYS, GRADIENTS);
        client.after(ticket);

        assertThatThrownBy(() -> table.push(KEYS, GRADIENTS)).isInstanceOf(OperationTimeoutException.class)
            .hasMessageContaining("the end of the tickets that must be done before");
        assertThat(table.tryPush(KEYS, 0, 1, GRADIENTS)).isEqualTo(GradstreamClient.NOT_NOW);
    }

    @Test
    void shouldTakeOnlyTicketsThatThereAreAndNoMoreThanTheLimit()
    {
        connect(new ClientContext());
        final long done = table.push(KEYS, GRADIENTS);
        client.await(done);
        client.after(0);
        client.after(done);
        assertThatThrownBy(() -> client.after(done + 1)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("unknown ticket=");
        assertThatThrownBy(() -> client.after(GradstreamClient.NOT_NOW)).isInstanceOf(IllegalArgumentException.class);
        assertThat(table.tryPull(KEYS, 1, rows)).isPositive();

        server.isHolding = true;
        final long[] tickets = new long[TicketOrder.MAX_TICKETS + 1];
        for (int i = 0; i < tickets.length; i++)
        {
            tickets[i] = table.push(KEYS, GRADIENTS);
        }
        for (int i = 0; i < TicketOrder.MAX_TICKETS; i++)
        {
            client.after(tickets[i], tickets[0]);
        }
        assertThatThrownBy(() -> client.after(tickets[TicketOrder.MAX_TICKETS]))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("64 tickets are waited for");
        server.acknowledge();
        client.awaitAll();
        server.isHolding = true;
        final long next = client.clock();
        client.after(next);
        assertThat(table.tryPull(KEYS, 1, rows)).isEqualTo(GradstreamClient.NOT_NOW);
    }

    @Test
    void shouldSayThatASequentialPushAwaitsTheClockAndNotStandInItsWay()
    {
        connect(new ClientContext());
        server.isSequential = true;
        final long ticket = table.push(KEYS, GRADIENTS);
        client.after(ticket);
        rig.pollFor(50);

        assertThatThrownBy(() -> table.tryPush(KEYS, 0, 1, GRADIENTS)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("call clock()");
        client.after(ticket);
        final long clock = client.clock();
        assertThat(table.tryPush(KEYS, 0, 1, GRADIENTS)).as("the order stands").isEqualTo(GradstreamClient.NOT_NOW);
        server.isSequential = false;
        client.await(clock);
        assertThat(table.tryPush(KEYS, 0, 1, GRADIENTS)).isPositive();
    }

    @Test
    void shouldAskForASnapshotThatAPushNeedsToBeDone()
    {
        connect(new ClientContext().ackLevel(AckLevel.SNAPSHOTTED));
        client.after(table.push(KEYS, GRADIENTS));
        client.await(table.pull(KEYS, 1, rows));
        assertThat(server.snapshotsWanted).isEqualTo(1);
        assertThat(client.outstandingTickets()).isZero();

        table.push(KEYS, GRADIENTS);
        rig.pollFor(400);
        assertThat(server.snapshotsWanted).as("as nobody waits").isEqualTo(1);
    }

    private void beginsOnceDone(final Runnable begin)
    {
        server.isHolding = true;
        final long ticket = table.push(KEYS, GRADIENTS);
        client.after(ticket);
        rig.pollFor(20);
        pushesBefore = server.pushes;
        clocksBefore = server.clocks.size();
        final int[] left = {20};
        rig.step = () ->
        {
            if (0 == left[0]--)
            {
                assertThat(server.pushes).isEqualTo(pushesBefore);
                assertThat(server.clocks).hasSize(clocksBefore);
                assertThat(client.outstandingTickets()).isEqualTo(1);
                server.acknowledge();
            }
        };
        begin.run();
        assertThat(left[0]).isNegative();
        assertThat(client.isDone(ticket)).isTrue();
        client.awaitAll();
    }

    private void connect(final ClientContext context)
    {
        client = rig.connect(context, Consistency.EVENTUAL);
        table = client.createTable(SPEC);
    }
}
