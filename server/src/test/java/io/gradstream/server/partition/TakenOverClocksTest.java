// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.SlotRole;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a process of a sequential job's slot has pushed since its last clock when another takes the slot over.
 */
class TakenOverClocksTest
{
    private static final int COUNTS = PartitionRig.COUNTS.tableId();
    private static final int SLOTS = 3;

    private final PartitionRig rig = new PartitionRig(new InMemoryStorage());

    @BeforeEach
    void bind()
    {
        rig.createTables();
        assertThat(rig.partition.onConsistency(new Consistency(SLOTS, 0))).isTrue();
        rig.storage.recordAll();
    }

    @Test
    void shouldNotBeTakenOverBeforeAClockThatAllHaveEndedIsAddedUp()
    {
        push(0, 1, 7, 1);
        clock(0, 2, 1);
        push(0, 3, 7, 2);
        clock(1, 1, 1);
        assertThat(rig.partition.onHello(1, 2, SlotRole.SOLE)).as("not all have ended it").isEqualTo(Refusal.NONE);
        rig.part.set(1, 2, rig.partition.epoch(), 1, 0, 1);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
        clock(2, 1, 1);
        assertThat(rig.partition.onHello(0, 2, SlotRole.SOLE)).isEqualTo(Refusal.BUSY);
        assertThat(rig.partition.doClockWork(0)).isEqualTo(1);
        assertThat(rig.partition.onHello(0, 2, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        assertThat(rig.count(7)).isEqualTo(1);
        assertThat(rig.partition.progress().lastHeld(0)).isEqualTo(3);
    }

    @Test
    void shouldSayWhetherAnEarlierPrimaryMayHaveHeldMore()
    {
        assertThat(rig.partition.progress().mayLack(0)).as("it is the first").isFalse();
        push(0, 1, 7, 1);
        rig.storage.recordAll();
        rig.crashAndRestart();
        assertThat(rig.partition.progress().mayLack(0)).isTrue();
        assertThat(rig.partition.progress().mayLack(SLOTS)).as("counts not").isFalse();
        push(0, 1, 7, 1);
        for (int slot = 0; slot < SLOTS; slot++)
        {
            clock(slot, 0 == slot ? 2 : 1, 1);
        }
        assertThat(rig.partition.progress().mayLack(0)).as("it may have been sent before").isTrue();
        rig.partition.doClockWork(0);
        assertThat(rig.partition.progress().mayLack(0)).isFalse();
    }

    /** The head that leads then is sent it again. */
    @Test
    void shouldForgetWhatIsHeldWhenItLeadsNoLonger()
    {
        push(0, 1, 7, 1);
        clock(0, 2, 1);
        assertThat(rig.partition.nextSequence(0)).isEqualTo(3);
        rig.partition.endEpoch();

        assertThat(rig.partition.nextSequence(0)).isEqualTo(1);
        assertThat(rig.partition.epoch()).isZero();
        assertThat(rig.partition.onHello(0, 9, SlotRole.SOLE)).isEqualTo(Refusal.NOT_PRIMARY);
        assertThat(rig.partition.doClockWork(0)).isZero();
    }

    /** A node that leads again may have missed what another primary was sent in between. */
    @Test
    void shouldSayThatItMayLackSomethingUnderAnotherEpochOfTheSameNode()
    {
        for (int slot = 0; slot < SLOTS; slot++)
        {
            clock(slot, 1, 1);
        }
        rig.partition.doClockWork(0);
        final long epoch = rig.partition.epoch();
        rig.replica.onChain(new Chain(epoch + 1, 1_000, List.of(0), Chain.NONE, 1));
        for (int i = 0; i < 10_000 && rig.partition.epoch() <= epoch; i++)
        {
            rig.chain.drive(rig.replica);
            rig.storage.recordAll();
        }

        assertThat(rig.partition.epoch()).isEqualTo(epoch + 1);
        assertThat(rig.partition.progress().mayLack(0)).isTrue();
    }

    @Test
    void shouldForgetWhatAnOlderProcessLeftUnfinished()
    {
        push(0, 1, 7, 1);
        assertThat(rig.partition.onHello(0, 2, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        assertThat(rig.partition.nextSequence(0)).isEqualTo(1);
        clock(1, 1, 1);
        clock(2, 1, 1);
        rig.part.set(0, 2, rig.partition.epoch(), 1, 0, 1);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
        rig.partition.doClockWork(0);
        assertThat(rig.count(7)).isZero();
        assertThat(rig.partition.minClock()).isEqualTo(1);
    }

    @Test
    void shouldEndWhatTheProcessBeforeHasPushedIfTheNextSaysSo()
    {
        push(0, 1, 7, 1);
        push(0, 2, 7, 2);
        clock(0, 3, 1);
        push(0, 4, 7, 64);
        assertThat(rig.partition.onHello(0, 2, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        assertThat(rig.partition.progress().lastHeld(0)).isEqualTo(2);
        assertThat(rig.partition.progress().heldSequence(0)).as("told to the new process").isZero();
        clock(1, 1, 1);
        clock(2, 1, 1);
        assertThat(rig.partition.doClockWork(0)).as("the end of the clock was the process before's").isZero();

        rig.part.set(0, 2, rig.partition.epoch(), 3, 0, 1).adopted(2);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
        rig.partition.doClockWork(0);
        assertThat(rig.count(7)).isEqualTo(3);
        assertThat(rig.partition.lastSequence(0)).isEqualTo(3);
        assertThat(rig.partition.minClock()).isEqualTo(1);
    }

    @Test
    void shouldKeepForTheNextProcessWhatTheOneBeforeHasPushedThoughTheBoundIsRaised()
    {
        push(0, 1, 7, 1);
        push(0, 2, 7, 2);
        assertThat(rig.partition.onHello(0, 2, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        assertThat(rig.partition.onConsistency(new Consistency(SLOTS, 1))).isTrue();
        assertThat(rig.partition.doClockWork(0)).isZero();
        assertThat(rig.partition.progress().lastHeld(0)).isEqualTo(2);

        rig.part.set(0, 2, rig.partition.epoch(), 3, 0, 1).adopted(2);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
        assertThat(rig.partition.doClockWork(0)).isEqualTo(3);
        assertThat(rig.count(7)).isEqualTo(3);
        assertThat(rig.partition.lastSequence(0)).isEqualTo(3);
        assertThat(rig.partition.progress().clock(0)).isEqualTo(1);
    }

    @Test
    void shouldForgetWhatTheProcessBeforeHasPushedIfTheNextPushesOnceTheBoundIsRaised()
    {
        push(0, 1, 7, 1);
        push(0, 2, 7, 2);
        assertThat(rig.partition.onHello(0, 2, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        assertThat(rig.partition.onConsistency(new Consistency(SLOTS, 1))).isTrue();
        rig.incarnation = 2;
        push(0, 1, 7, 4);
        assertThat(rig.partition.doClockWork(0)).isZero();
        assertThat(rig.count(7)).isEqualTo(4);
        assertThat(rig.partition.progress().lastHeld(0)).isEqualTo(1);
        assertThat(rig.partition.progress().heldSequence(0)).as("nothing is held").isZero();
    }

    @Test
    void shouldGiveRoomForRowsBackThatAReplacedProcessHasPushed()
    {
        final int part = PartitionRig.CAPACITY / 2 + 1;
        assertThat(pushKeys(0, 1, 0, part)).isEqualTo(Outcome.APPENDED);
        assertThat(pushKeys(1, 1, 0, 1)).isEqualTo(Outcome.APPENDED);
        assertThat(rig.partition.onHello(0, 2, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        rig.incarnation = 2;
        assertThat(pushKeys(0, 1, part, part - 1)).isEqualTo(Outcome.APPENDED);
        clock(1, 2, 1);
        clock(2, 1, 1);
        rig.part.set(0, 2, rig.partition.epoch(), 2, 0, 1);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
        rig.partition.doClockWork(0);
        final List<Long> refused = new ArrayList<>();
        for (int slot = 0; slot < SLOTS; slot++)
        {
            rig.partition.progress().forEachRefusal(slot, (sequence, code) -> refused.add(code));
        }
        assertThat(refused).isEmpty();
        assertThat(rig.count(0)).as("the replaced process's").isEqualTo(1);
        assertThat(rig.count(1)).isZero();
        assertThat(rig.count(part)).isEqualTo(1);
    }

    @Test
    void shouldDropWhatTheProcessBeforeHasPushedIfTheNextBeginsBehindAnEarlierClock()
    {
        clock(0, 1, 1);
        clock(1, 1, 1);
        clock(2, 1, 1);
        rig.partition.doClockWork(0);
        push(0, 2, 7, 1);
        push(0, 3, 7, 2);
        assertThat(rig.partition.onHello(0, 2, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        assertThat(rig.partition.progress().lastHeld(0)).isEqualTo(3);

        rig.part.set(0, 2, rig.partition.epoch(), 2, 0, 1);
        assertThat(rig.partition.onClockDone(rig.part)).as("ended before").isEqualTo(Outcome.APPENDED);
        assertThat(rig.partition.lastSequence(0)).isEqualTo(2);
        assertThat(rig.partition.progress().lastHeld(0)).isEqualTo(2);
    }

    @Test
    void shouldPushTheClockAnewIfTheNextProcessDoes()
    {
        push(0, 1, 7, 1);
        push(0, 2, 7, 2);
        assertThat(rig.partition.onHello(0, 2, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        assertThat(rig.partition.nextSequence(0)).isEqualTo(1);

        rig.part.set(0, 2, rig.partition.epoch(), 3, 0, 1);
        assertThat(rig.partition.onClockDone(rig.part)).as("does not adopt").isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.SEQUENCE_GAP);
        rig.part.set(0, 2, rig.partition.epoch(), 3, 0, 1).adopted(1);
        assertThat(rig.partition.onClockDone(rig.part)).as("adopts another").isEqualTo(Outcome.REFUSED);

        rig.part.set(0, 2, rig.partition.epoch(), 1, 0, 1);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
        clock(1, 1, 1);
        clock(2, 1, 1);
        rig.partition.doClockWork(0);
        assertThat(rig.count(7)).isZero();
        assertThat(rig.partition.lastSequence(0)).isEqualTo(1);
    }

    private Outcome pushKeys(final int slot, final long sequence, final int from, final int count)
    {
        final long[] keys = new long[count];
        final float[] values = new float[count];
        Arrays.setAll(keys, (i) -> from + i);
        Arrays.fill(values, 1);

        return rig.pushFloats(slot, sequence, COUNTS, keys, values);
    }

    private void push(final int slot, final long sequence, final long key, final float value)
    {
        assertThat(rig.pushFloats(slot, sequence, COUNTS, new long[]{key}, new float[]{value}))
            .isEqualTo(Outcome.APPENDED);
    }

    private void clock(final int slot, final long sequence, final long clock)
    {
        rig.part.set(slot, 1, rig.partition.epoch(), sequence, 0, clock);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
    }
}
