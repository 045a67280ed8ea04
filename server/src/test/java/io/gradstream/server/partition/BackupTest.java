// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.SlotRole;
import io.gradstream.server.snapshot.SnapshotThreshold;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A slot with two processes: which of them may push, and that what both push counts once.
 */
class BackupTest
{
    private static final int SLOT = 0;
    private static final int PARTS = 1;
    private static final long HOLDER = 5;
    private static final long BACKUP = 7;
    private static final SlotRole BACKED_UP = SlotRole.backedUp(PARTS);
    private static final SlotRole BACKING = SlotRole.backup(PARTS);

    private final PartitionRig rig = new PartitionRig();

    @BeforeEach
    void createTables()
    {
        rig.createTables();
        record();
    }

    @Test
    void shouldCountEachSequenceOnceWhicheverProcessPushesIt()
    {
        join();
        assertThat(push(HOLDER, 1, 2)).isEqualTo(Outcome.APPENDED);
        assertThat(push(BACKUP, 1, 2)).isEqualTo(Outcome.DUPLICATE);
        assertThat(clock(BACKUP, 2, 1)).isEqualTo(Outcome.APPENDED);
        assertThat(push(BACKUP, 3, 4)).isEqualTo(Outcome.APPENDED);
        assertThat(clock(HOLDER, 2, 1)).isEqualTo(Outcome.DUPLICATE);
        assertThat(push(HOLDER, 3, 4)).isEqualTo(Outcome.DUPLICATE);

        assertThat(rig.count(7)).isEqualTo(6);
        assertThat(rig.audit(SLOT)).isEqualTo(new long[]{2, 4, 10});
        assertThat(rig.partition.progress().clock(SLOT)).isEqualTo(1);
    }

    @Test
    void shouldHoldWhatEitherProcessPushesUntilTheClockEnds()
    {
        assertThat(rig.partition.onConsistency(new Consistency(2, 0))).isTrue();
        hello(HOLDER, BACKED_UP);
        assertThat(push(HOLDER, 1, 2)).isEqualTo(Outcome.APPENDED);
        // the holder lives on: what is held is not that of a process that was replaced
        hello(BACKUP, BACKING);
        assertThat(rig.partition.nextSequence(SLOT)).isEqualTo(2);
        assertThat(push(BACKUP, 1, 2)).isEqualTo(Outcome.DUPLICATE);
        assertThat(clock(BACKUP, 2, 1)).isEqualTo(Outcome.APPENDED);
        assertThat(clock(HOLDER, 2, 1)).isEqualTo(Outcome.DUPLICATE);
        assertThat(rig.partition.doClockWork(0)).isZero();

        rig.part.set(1, 1, rig.partition.epoch(), 1, 0, 1);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
        assertThat(rig.partition.doClockWork(0)).isEqualTo(1);
        assertThat(rig.count(7)).isEqualTo(2);
        assertThat(rig.partition.lastSequence(SLOT)).isEqualTo(2);
    }

    @Test
    void shouldFenceTheOlderProcessOfTheSameRoleAlone()
    {
        join();
        assertThat(hello(HOLDER + 1, BACKED_UP)).isEqualTo(Refusal.NONE);
        assertThat(push(HOLDER, 1, 1)).isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.FENCED);
        assertThat(push(BACKUP, 1, 1)).isEqualTo(Outcome.APPENDED);

        assertThat(hello(BACKUP + 1, BACKING)).isEqualTo(Refusal.NONE);
        assertThat(clock(BACKUP, 2, 1)).isEqualTo(Outcome.REFUSED);
        assertThat(hello(BACKUP, BACKING)).isEqualTo(Refusal.FENCED);
        assertThat(hello(HOLDER, BACKED_UP)).isEqualTo(Refusal.FENCED);
        assertThat(clock(HOLDER + 1, 2, 1)).isEqualTo(Outcome.APPENDED);
    }

    @Test
    void shouldFenceBothWhenAProcessTakesTheSlotOverAlone()
    {
        join();
        assertThat(hello(BACKUP, SlotRole.SOLE)).isEqualTo(Refusal.FENCED);
        assertThat(hello(BACKUP + 1, SlotRole.SOLE)).isEqualTo(Refusal.NONE);

        assertThat(push(HOLDER, 1, 1)).isEqualTo(Outcome.REFUSED);
        assertThat(push(BACKUP, 1, 1)).isEqualTo(Outcome.REFUSED);
        assertThat(push(BACKUP + 1, 1, 1)).isEqualTo(Outcome.APPENDED);
        assertThat(hello(BACKUP + 2, BACKING)).isEqualTo(Refusal.ROLE_MISMATCH);
    }

    @Test
    void shouldLetABackupWaitForItsHolderAndRefuseOneThatCountsOtherwise()
    {
        assertThat(hello(BACKUP, BACKING)).isEqualTo(Refusal.BUSY);
        hello(HOLDER, BACKED_UP);
        assertThat(hello(BACKUP, SlotRole.backup(PARTS + 1))).isEqualTo(Refusal.ROLE_MISMATCH);
        assertThat(hello(HOLDER + 1, SlotRole.backedUp(PARTS + 1))).isEqualTo(Refusal.ROLE_MISMATCH);
        assertThat(hello(HOLDER, BACKING)).isEqualTo(Refusal.FENCED);
        assertThat(hello(BACKUP, BACKING)).isEqualTo(Refusal.NONE);
    }

    @Test
    void shouldRefuseToBackUpASlotWhosePushesAreNotNumberedByClocks()
    {
        push(1, 1, 1);
        push(1, 2, 1);
        assertThat(hello(HOLDER, BACKED_UP)).isEqualTo(Refusal.ROLE_MISMATCH);
        assertThat(push(1, 3, 1)).isEqualTo(Outcome.APPENDED);
    }

    @Test
    void shouldKnowBothProcessesAfterAReplayAndFromASnapshot()
    {
        join();
        push(HOLDER, 1, 2);
        record();
        rig.crashAndRestart();
        assertBoth(2);

        rig.takeSnapshot();
        record();
        rig.crashAndRestart();
        assertBoth(3);
    }

    private void assertBoth(final long next)
    {
        assertThat(hello(HOLDER - 1, BACKED_UP)).isEqualTo(Refusal.FENCED);
        assertThat(hello(BACKUP - 1, BACKING)).isEqualTo(Refusal.FENCED);
        final long position = rig.partition.cursor().position();
        assertThat(hello(HOLDER, BACKED_UP)).isEqualTo(Refusal.NONE);
        assertThat(hello(BACKUP, BACKING)).isEqualTo(Refusal.NONE);
        assertThat(rig.partition.cursor().position()).as("nothing new to log").isEqualTo(position);
        assertThat(push(BACKUP, next, 1)).isEqualTo(Outcome.APPENDED);
        assertThat(push(HOLDER, next, 1)).isEqualTo(Outcome.DUPLICATE);
        record();
    }

    @Test
    void shouldWelcomeABackupWhileTheHolderPushesAndSayWhatIsSafe()
    {
        final HostedPartition copy =
            new HostedPartition(rig.partition, rig.storage, rig.replica, SnapshotThreshold.fixed(Long.MAX_VALUE));
        copy.mayAnswer(true);
        hello(HOLDER, BACKED_UP);
        push(HOLDER, 1, 2);
        assertThat(copy.onHello(SLOT, BACKUP, BACKING, 0, 0)).isEqualTo(Refusal.BUSY);
        record();
        clock(HOLDER, 2, 1);

        assertThat(copy.onHello(SLOT, BACKUP, BACKING, 0, 0)).isEqualTo(Refusal.NONE);
        assertThat(copy.safeSequence(SLOT)).isEqualTo(1);
        assertThat(copy.mayAcknowledge(SLOT, HOLDER)).isTrue();
        assertThat(copy.mayAcknowledge(SLOT, BACKUP)).isTrue();
        assertThat(copy.mayAcknowledge(SLOT, HOLDER + 1)).isFalse();
    }

    /** Else one partition fences the process that is alone, and another one refuses the newcomer: nobody is left. */
    @Test
    void shouldDecideTheSameAtEachPartitionWhateverTheProcessThatIsAloneHasPushedThere()
    {
        final PartitionRig notPushedTo = new PartitionRig();
        notPushedTo.createTables();
        for (final PartitionRig each : List.of(rig, notPushedTo))
        {
            assertThat(each.partition.onConsistency(new Consistency(2, 1))).isTrue();
            assertThat(each.partition.onHello(SLOT, 1, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        }
        assertThat(push(1, 1, 2)).isEqualTo(Outcome.APPENDED);
        assertThat(clock(1, 2, 1)).isEqualTo(Outcome.APPENDED);
        notPushedTo.part.set(SLOT, 1, notPushedTo.partition.epoch(), 1, 0, 1);
        assertThat(notPushedTo.partition.onClockDone(notPushedTo.part)).isEqualTo(Outcome.APPENDED);

        for (final SlotRole role : List.of(BACKED_UP, BACKING))
        {
            assertThat(hello(HOLDER, role)).isEqualTo(Refusal.ROLE_MISMATCH);
            assertThat(notPushedTo.partition.onHello(SLOT, HOLDER, role)).isEqualTo(Refusal.ROLE_MISMATCH);
        }
        assertThat(push(1, 3, 1)).as("the process that is alone goes on").isEqualTo(Outcome.APPENDED);
    }

    @Test
    void shouldNotBackUpASlotThatWasHeldAloneAlsoIfNothingWasPushedOrItHasFinished()
    {
        assertThat(hello(1, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        assertThat(hello(HOLDER, BACKED_UP)).isEqualTo(Refusal.ROLE_MISMATCH);
        assertThat(clock(1, 1, Consistency.FINISHED)).isEqualTo(Outcome.APPENDED);
        assertThat(hello(HOLDER, BACKED_UP)).isEqualTo(Refusal.ROLE_MISMATCH);
        record();
        rig.crashAndRestart();
        assertThat(hello(HOLDER, BACKED_UP)).isEqualTo(Refusal.ROLE_MISMATCH);
        assertThat(hello(HOLDER, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
    }

    @Test
    void shouldStillReplayALogInWhichASlotThatWasHeldAloneWasBackedUp()
    {
        final Slot slot = new Slot(SLOT);
        slot.take(1, SlotRole.SOLE, 64);
        slot.apply(1, 0, 1, 128);
        slot.take(HOLDER, BACKED_UP, 192);
        assertThat(slot.isIn(HOLDER, BACKED_UP)).isTrue();
    }

    /** What the epoch began with may be gone with a chain's head as long as not everybody has come to its start. */
    @Test
    void shouldNotLetABackedUpProcessBeginBeforeItIsKnownWhatIsSafe()
    {
        join();
        push(HOLDER, 1, 2);
        clock(HOLDER, 2, 1);
        record();
        rig.crashAndRestart();
        final long start = rig.partition.cursor().position();
        final long[] reached = {start - 1, start};
        final HostedPartition copy =
            new HostedPartition(rig.partition, rig.storage, rig.replica, SnapshotThreshold.fixed(Long.MAX_VALUE))
            {
                @Override
                public void updateWatermarks(final int slot)
                {
                    rig.partition.progress().onPositions(slot, reached[0], reached[1], 0);
                }
            };
        copy.mayAnswer(true);
        assertThat(copy.onHello(SLOT, HOLDER, BACKED_UP, 0, 0)).isEqualTo(Refusal.BUSY);
        assertThat(copy.onHello(SLOT, BACKUP, BACKING, 0, 0)).isEqualTo(Refusal.BUSY);
        assertThat(copy.safeSequence(SLOT)).isZero();

        reached[0] = start;
        assertThat(copy.onHello(SLOT, BACKUP, BACKING, 0, 0)).isEqualTo(Refusal.NONE);
        assertThat(copy.safeSequence(SLOT)).isEqualTo(2);
    }

    private void join()
    {
        assertThat(hello(HOLDER, BACKED_UP)).isEqualTo(Refusal.NONE);
        assertThat(hello(BACKUP, BACKING)).isEqualTo(Refusal.NONE);
    }

    private Refusal hello(final long incarnation, final SlotRole role)
    {
        return rig.partition.onHello(SLOT, incarnation, role);
    }

    private Outcome push(final long incarnation, final long sequence, final float value)
    {
        rig.incarnation = incarnation;
        return rig.pushCount(SLOT, sequence, 7, value);
    }

    private Outcome clock(final long incarnation, final long sequence, final long clock)
    {
        rig.part.set(SLOT, incarnation, rig.partition.epoch(), sequence, 0, clock);
        return rig.partition.onClockDone(rig.part);
    }

    private void record()
    {
        rig.storage.recordAll();
        rig.chain.drive(rig.replica);
    }
}
