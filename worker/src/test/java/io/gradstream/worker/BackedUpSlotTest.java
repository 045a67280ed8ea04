// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.session.SpoolPolicy;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What a process of a slot that is backed up sends: sequences that the clock alone determines.
 */
class BackedUpSlotTest
{
    private static final TableSpec SPEC = TableSpec.sparse(0, "weights", 2, "add/1");
    private static final Consistency BOUND = new Consistency(2, 1);

    private EchoRig rig;
    private EchoServer server;
    private GradstreamClient client;
    private Table table;

    @BeforeEach
    void before()
    {
        rig = new EchoRig();
        server = rig.server;
    }

    @AfterEach
    void after()
    {
        CloseHelper.close(rig);
    }

    @Test
    void shouldFillEachClockWithEmptyParts()
    {
        connect(new ClientContext().backedUp(true).partsPerClock(2));
        push(0);
        client.clock();
        push(1);
        push(1);
        client.clock();
        client.clock();
        client.awaitAll();

        final List<Long> all = List.of(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
        assertThat(server.sequences).isEqualTo(List.of(all, all));
        assertThat(client.pushCounts(0).count()).as("empty parts are not pushes").isEqualTo(1);
        assertThat(client.pushCounts(1).count()).isEqualTo(2);
    }

    @Test
    void shouldPushNothingOfAPushThatIsTooManyForItsClock()
    {
        connect(new ClientContext().backup(true));
        push(0);

        assertThatThrownBy(() -> push(0)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("iteration 0 has more than partsPerClock=1 parts at partition=0");
        push(1);
        client.clock();
        push(0);
        client.clock();
        client.awaitAll();
        assertThat(server.lastSequence).containsExactly(4, 4);
    }

    @Test
    void shouldBeginAtTheFirstClockThatIsNotSafeEverywhere()
    {
        server.lastSequence[0] = 5;
        server.lastSequence[1] = 9;
        connect(new ClientContext().backup(true));
        assertThat(client.clocksDone()).isEqualTo(2);
        push(0);
        client.clock();
        client.awaitAll();

        // what is there needs not be sent
        assertThat(server.sequences).isEqualTo(List.of(List.of(6L), List.of()));
        assertThat(server.lastSequence).containsExactly(6, 9);
    }

    @Test
    void shouldGoOnBehindWhatTheOtherProcessHasPushed()
    {
        connect(new ClientContext().backedUp(true));
        push(0);
        client.clock();
        server.lastSequence[0] = 11;
        server.lastSequence[1] = 13;
        server.acknowledge();
        client.awaitAll();

        assertThat(client.skipToSlot()).isEqualTo(5);
        assertThat(client.clocksDone()).isEqualTo(5);
        assertThat(client.skipToSlot()).isEqualTo(5);
        server.sequences.forEach(List::clear);
        client.clock();
        client.awaitAll();
        assertThat(server.sequences).isEqualTo(List.of(List.of(12L), List.of()));
    }

    @Test
    void shouldLeaveAClockToTheOtherProcessWhenItsPullsShowWhatCameAfter()
    {
        server.isBound = true;
        connect(new ClientContext().backedUp(true));
        push(0);
        client.clock();
        client.awaitAll();
        server.slotClock = 2;
        pull();
        push(0);
        client.clock();

        // the other one's part, before which the end of the clock is not taken
        server.lastSequence[0] = 3;
        server.lastSequence[1] = 3;
        server.acknowledge();
        client.awaitAll();
        pull();
        push(0);
        client.clock();
        client.awaitAll();
        assertThat(server.sequences.get(0)).doesNotContain(3L).contains(4L, 5L, 6L);
    }

    /** The other process has died, and its end of the clock has reached one partition only. */
    @Test
    void shouldEndAClockOfWhichItHasPushedAllThoughItsPushesAreNotSafe()
    {
        server.isSequential = true;
        connect(new ClientContext().backedUp(true).operationTimeoutNs(2_000_000_000L));
        push(0);
        push(1);
        server.slotClock = 1;
        pull();
        client.clock();

        rig.pollFor(20);
        assertThat(server.sequences).isEqualTo(List.of(List.of(1L, 2L), List.of(1L, 2L)));
    }

    /** The other process has finished: from then on the slot is no longer bound. */
    @Test
    void shouldPushNoEmptyPartInPlaceOfAPushThatItHasLeft()
    {
        server.isBound = true;
        connect(new ClientContext().backedUp(true));
        push(0);
        client.clock();
        client.awaitAll();
        server.slotClock = 2;
        pull();
        push(0);
        server.isBound = false;
        server.acknowledge();
        rig.pollFor(20);
        client.clock();
        rig.pollFor(20);

        assertThat(server.sequences).allSatisfy((came) -> assertThat(came).doesNotContain(3L).contains(4L));
    }

    /** As after a pause: the rows come when partitions have said already that the slot is no longer bound. */
    @Test
    void shouldLeaveAPushToTheOtherProcessThatHasFinishedTheSlotBefore()
    {
        server.isBound = true;
        connect(new ClientContext().backedUp(true));
        push(0);
        client.clock();
        client.awaitAll();
        server.isBound = false;
        server.acknowledge();
        rig.pollFor(20);
        server.slotClock = Consistency.FINISHED;
        pull();
        push(0);
        client.clock();
        rig.pollFor(20);

        assertThat(server.sequences).allSatisfy((came) -> assertThat(came).doesNotContain(3L).contains(4L));
    }

    /** Rows that came while the slot did not count say nothing of its own pushes. */
    @Test
    void shouldPushWhatItHasPulledForBeforeTheSlotCounted()
    {
        connect(new ClientContext().backedUp(true));
        server.minClock = 50;
        pull();
        server.isBound = true;
        server.acknowledge();
        rig.pollFor(20);
        push(0);
        client.clock();
        client.awaitAll();

        assertThat(server.sequences.get(0)).containsExactly(1L, 2L);
    }

    /** The missing parts are empty in both processes, since this one has pushed all of its own. */
    @Test
    void shouldEndAClockOfWhichItHasLeftNothingThoughItsPushesAreNotSafe()
    {
        server.isSequential = true;
        connect(new ClientContext().backedUp(true).operationTimeoutNs(2_000_000_000L));
        push(0);
        server.slotClock = 1;
        pull();
        client.clock();

        rig.pollFor(20);
        assertThat(server.sequences).isEqualTo(List.of(List.of(1L, 2L), List.of(1L, 2L)));
    }

    @Test
    void shouldSendWhatItPullsForInTimeThoughServersAreBeyondIt()
    {
        connect(new ClientContext().backedUp(true));
        server.minClock = 2;
        pull();
        push(0);
        client.clock();
        client.awaitAll();

        assertThat(server.sequences.get(0)).containsExactly(1L, 2L);
    }

    @Test
    void shouldFinishWhereTheLastClockEnds()
    {
        connect(new ClientContext().backedUp(true));
        client.clock();
        client.finish();
        client.awaitAll();

        assertThat(server.sequences.get(0)).containsExactly(1L, 2L, 3L);
        assertThat(client.skipToSlot()).isEqualTo(1);
    }

    @Test
    void shouldRefuseWhatCannotBeBackedUp()
    {
        refuse(new ClientContext().backedUp(true).backup(true), "invalid backup=true");
        refuse(new ClientContext().backup(true).slot(-1), "invalid backup=true");
        refuse(new ClientContext().backedUp(true).outageReads(true), "outageReads=true");
        refuse(new ClientContext().backedUp(true).spoolPolicy(SpoolPolicy.DROP_NEWEST), "invalid backedUp=true");
        refuse(new ClientContext().backedUp(true).partsPerClock(32), "invalid partsPerClock=32: must be 1..31");
    }

    @Test
    void shouldNotCallAPushDoneThatItLeavesToTheOtherProcessBeforeThatOnesIsSafe()
    {
        server.isBound = true;
        connect(new ClientContext().backedUp(true));
        push(0);
        client.clock();
        client.awaitAll();
        server.slotClock = 2;
        pull();
        final long ticket = table.push(new long[]{key(0)}, 0, 1, new float[]{1, 2});

        // no partition has said that it has part 3, let alone that it is recorded
        assertThat(server.lastSequence).containsExactly(2, 2);
        assertThat(client.isDone(ticket)).isFalse();

        server.lastSequence[0] = 4;
        server.lastSequence[1] = 3;
        server.acknowledge();
        rig.pollFor(20);
        assertThat(client.isDone(ticket)).as("the clock has not ended at partition 1").isFalse();
        server.lastSequence[1] = 4;
        server.acknowledge();
        client.await(ticket);
    }

    @Test
    void shouldNotTakeASlotForFinishedWhoseEndIsNotSafe()
    {
        server.lastSequence[0] = 5;
        server.lastSequence[1] = 5;
        server.finishedSafe = 2;
        connect(new ClientContext().backedUp(true));

        // the third clock's part and end, and the end of all, are applied only: a failover forgets them
        assertThat(client.clocksDone()).isEqualTo(1);
    }

    @Test
    void shouldGiveABackupAnIncarnationThatItsHolderDoesNotHave()
    {
        final ClientContext context = new ClientContext().backup(true);
        connect(context);
        assertThat(context.incarnation % 2).isEqualTo(1);
    }

    @Test
    void shouldGiveAHolderAnIncarnationThatItsBackupDoesNotHave()
    {
        final ClientContext context = new ClientContext().backedUp(true);
        connect(context);
        assertThat(context.incarnation % 2).isZero();
    }

    @Test
    void shouldNameTheHolderThatABackupWaitsForAndDisconnect()
    {
        server.isHelloIgnored = true;

        assertThatThrownBy(() -> connect(new ClientContext().backup(true).operationTimeoutNs(500_000_000L)))
            .isInstanceOf(OperationTimeoutException.class)
            .hasMessageContaining("a backup waits for a holder of its slot that is backedUp");
        final long deadlineNs = System.nanoTime() + 5_000_000_000L;
        while (0 == server.disconnects && System.nanoTime() - deadlineNs < 0)
        {
            server.poll();
            Thread.onSpinWait();
        }
        assertThat(server.disconnects).isEqualTo(1);
    }

    private void refuse(final ClientContext context, final String problem)
    {
        assertThatThrownBy(() -> rig.connect(context, BOUND)).isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(problem);
    }

    private void connect(final ClientContext context)
    {
        client = rig.connect(context, BOUND);
        table = client.createTable(SPEC);
    }

    private void push(final int partition)
    {
        table.push(new long[]{key(partition)}, 0, 1, new float[]{1, 2});
    }

    private void pull()
    {
        client.await(table.pull(new long[]{key(0)}, 1, new float[2]));
    }

    private static long key(final int partition)
    {
        final PartitionFunction placement = new PartitionFunction(EchoRig.PARTITIONS);
        long key = 0;
        while (placement.partitionOf(0, key) != partition)
        {
            key = PartitionFunction.blockEnd(key);
        }

        return key;
    }
}
