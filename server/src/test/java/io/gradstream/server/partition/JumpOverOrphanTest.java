// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.SlotRole;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The server has gone back behind a takeover: a replaced process pushes first, what it pushes is held, and then the
 * newer process attaches again, which keeps parts of its own.
 */
class JumpOverOrphanTest
{
    private final PartitionRig rig = new PartitionRig(new InMemoryStorage(), RecoveryMode.CHECKPOINT, false);

    @BeforeEach
    void holdWhatAReplacedProcessHasPushed()
    {
        rig.createTables();
        assertThat(rig.partition.onConsistency(new Consistency(2, 0))).isTrue();
        assertThat(rig.partition.onHello(0, 1, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        for (int sequence = 1; sequence <= 3; sequence++)
        {
            assertThat(rig.pushCount(0, sequence, 7, 1)).isEqualTo(Outcome.APPENDED);
        }
        assertThat(rig.partition.onHello(0, 2, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        rig.incarnation = 2;
    }

    @Test
    void shouldJumpFromTheLogsEndWhenTheNewerProcessKeepsLaterParts()
    {
        attach(9);

        assertJumpedTo(8);
        assertThat(rig.pushCount(0, 9, 7, 1)).isEqualTo(Outcome.APPENDED);
    }

    @Test
    void shouldJumpWhenTheNewerProcessKeepsPartsOfWhatIsHeldOfAnother()
    {
        attach(2);

        assertJumpedTo(1);
        assertThat(rig.pushCount(0, 2, 7, 1)).isEqualTo(Outcome.APPENDED);
    }

    @Test
    void shouldEndWhatIsHeldWhenTheNewerProcessSaysSo()
    {
        attach(4);

        assertThat(rig.partition.progress().jumpedSequences(0)).isZero();
        rig.part.set(0, 2, rig.partition.epoch(), 4, 0, 1).adopted(3);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
        rig.part.set(1, 1, rig.partition.epoch(), 1, 0, 1);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
        rig.partition.doClockWork(0);
        assertThat(rig.count(7)).isEqualTo(3);
    }

    @Test
    void shouldJumpAtTheNextHelloWhenTheNewerProcessGoesOnBehindWhatIsHeldWithoutEndingIt()
    {
        attach(4);
        assertThat(rig.pushCount(0, 4, 7, 1)).isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.SEQUENCE_GAP);
        attach(4);

        assertJumpedTo(3);
        assertThat(rig.pushCount(0, 4, 7, 1)).isEqualTo(Outcome.APPENDED);
    }

    @Test
    void shouldKeepWhatIsHeldWhenALaterPartComesBeforeTheOneThatEndsIt()
    {
        attach(4);
        assertThat(rig.pushCount(0, 5, 7, 1)).isEqualTo(Outcome.REFUSED);

        assertThat(rig.partition.progress().lastHeld(0)).isEqualTo(3);
    }

    /** A hand-over would lose them: the process that takes over cannot send them, even once it goes on after them. */
    @Test
    void shouldTellThatItHoldsWhatNoProcessThatIsThereCanSendAgain()
    {
        assertThat(rig.partition.isHeldBySenders((slot, incarnation) -> 1 == incarnation)).isTrue();
        assertThat(rig.partition.isHeldBySenders((slot, incarnation) -> 2 == incarnation)).isFalse();
        attach(4);
        rig.part.set(0, 2, rig.partition.epoch(), 4, 0, 1).adopted(3);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
        assertThat(rig.partition.isHeldBySenders((slot, incarnation) -> 2 == incarnation)).isFalse();

        rig.part.set(1, 1, rig.partition.epoch(), 1, 0, 1);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
        rig.partition.doClockWork(0);
        assertThat(rig.partition.isHeldBySenders((slot, incarnation) -> false)).as("nothing is held").isTrue();
    }

    private void attach(final long oldestKept)
    {
        assertThat(rig.partition.onOldestKept(0, 2, oldestKept, 0)).isEqualTo(Refusal.NONE);
    }

    private void assertJumpedTo(final long sequence)
    {
        assertThat(rig.partition.lastSequence(0)).isEqualTo(sequence);
        assertThat(rig.partition.progress().jumpedSequences(0)).isEqualTo(sequence);
        assertThat(rig.partition.progress().lastHeld(0)).isEqualTo(sequence);
    }
}
