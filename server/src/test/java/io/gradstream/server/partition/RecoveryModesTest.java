// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.SlotRole;
import io.gradstream.server.snapshot.SnapshotThreshold;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Partitions that keep snapshots and no log.
 */
class RecoveryModesTest
{
    private static final int KEYS = 10;

    @Test
    void shouldTakeTheSpooledBacklogOnceEachWhenAFreshServerHasOnlyASnapshot()
    {
        final PartitionRig rig = rig(RecoveryMode.STATELESS);
        rig.createTables();
        push(rig, 0, 1, 30);
        push(rig, 1, 1, 10);
        rig.takeSnapshot();
        push(rig, 0, 31, 50);
        push(rig, 1, 11, 25);

        rig.crashAndRestart();
        assertThat(rig.partition.lastSequence(0)).isEqualTo(30);
        assertThat(rig.partition.lastSequence(1)).isEqualTo(10);
        assertThat(rig.pushCount(0, 12, 2, 1f)).isEqualTo(Outcome.DUPLICATE);
        push(rig, 1, 11, 25);
        push(rig, 0, 31, 50);

        assertAppliedOnceEach(rig, 0, 50);
        assertAppliedOnceEach(rig, 1, 25);
        assertThat(rig.count(3)).isEqualTo(countOf(3, 50) + countOf(3, 25));
        assertThat(rig.partition.progress().jumpedSequences(0)).isZero();
    }

    @Test
    void shouldTakeEverythingAgainWhenThereIsNoSnapshotYet()
    {
        final PartitionRig rig = rig(RecoveryMode.STATELESS);
        rig.createTables();
        push(rig, 0, 1, 20);

        rig.crashAndRestart();
        assertThat(rig.partition.lastSequence(0)).isZero();
        rig.createTables();
        push(rig, 0, 1, 20);

        assertAppliedOnceEach(rig, 0, 20);
    }

    @Test
    void shouldNeverServeUnderAnEpochOfAnEarlierLifeAlthoughNoLogTellsOfIt()
    {
        final PartitionRig rig = rig(RecoveryMode.STATELESS);
        rig.createTables();
        rig.takeSnapshot();
        rig.crashAndRestart();
        final long second = rig.partition.epoch();
        rig.crashAndRestart();

        assertThat(rig.partition.epoch()).isGreaterThan(second);
        assertThat(second).isGreaterThan(1);
    }

    @Test
    void shouldGoOnFromTheOlderSnapshotWhenTheNewestIsBroken()
    {
        final PartitionRig rig = rig(RecoveryMode.STATELESS);
        rig.createTables();
        push(rig, 0, 1, 10);
        rig.takeSnapshot();
        push(rig, 0, 11, 20);
        rig.takeSnapshot();
        final long position = rig.partition.snapshottedPosition();
        rig.partition.progress().onPositions(0, position, position, position);
        final long snapshotted = rig.partition.progress().snapshottedSequence(0);
        rig.storage.corruptNewestSnapshot();

        rig.crashAndRestart();

        assertThat(snapshotted).isEqualTo(10);
        assertThat(rig.partition.lastSequence(0)).isEqualTo(snapshotted);
        push(rig, 0, snapshotted + 1, 20);
        assertAppliedOnceEach(rig, 0, 20);
    }

    @Test
    void shouldNotServeAnEmptyPartitionWhenEverySnapshotIsBroken()
    {
        final PartitionRig rig = rig(RecoveryMode.STATELESS);
        rig.createTables();
        push(rig, 0, 1, 10);
        rig.takeSnapshot();
        rig.takeSnapshot();
        rig.storage.corruptSnapshots();

        rig.crashAndRestart();

        assertThat(rig.replica.isPrimary()).isFalse();
        assertThat(rig.replica.damage()).contains("snapshot-0, snapshot-1", "--allow-data-loss");
    }

    @Test
    void shouldLoseAndCountExactlyWhatCameAfterTheLastSnapshot()
    {
        final PartitionRig rig = rig(RecoveryMode.CHECKPOINT);
        rig.createTables();
        push(rig, 0, 1, 20);
        rig.takeSnapshot();
        push(rig, 0, 21, 50);

        rig.crashAndRestart();
        assertThat(rig.partition.onOldestKept(0, 1, 48, 9)).isEqualTo(Refusal.NONE);
        assertThat(rig.partition.lastSequence(0)).isEqualTo(47);
        assertThat(rig.partition.progress().jumpedSequences(0)).isEqualTo(27);
        assertThat(rig.partition.minClock()).isEqualTo(9);
        push(rig, 0, 48, 60);

        final long[] audit = rig.audit(0);
        assertThat(audit[0]).isEqualTo(60 - 27);
        assertThat(audit[1]).isEqualTo(sum(1, 60) - sum(21, 47));
        assertThat(rig.partition.onOldestKept(0, 1, 48, 9)).isEqualTo(Refusal.NONE);
        assertThat(rig.partition.progress().jumpedSequences(0)).isEqualTo(27);
    }

    @Test
    void shouldKeepTheCountOfLostPushesInSnapshots()
    {
        final PartitionRig rig = rig(RecoveryMode.CHECKPOINT);
        rig.createTables();
        push(rig, 0, 1, 20);
        rig.takeSnapshot();
        rig.crashAndRestart();
        rig.partition.onOldestKept(0, 1, 31, 0);
        push(rig, 0, 31, 40);
        rig.takeSnapshot();
        push(rig, 0, 41, 45);
        rig.crashAndRestart();

        assertThat(rig.partition.progress().jumpedSequences(0)).isEqualTo(10);
        rig.partition.onOldestKept(0, 1, 46, 0);
        push(rig, 0, 46, 50);

        assertThat(rig.partition.progress().jumpedSequences(0)).isEqualTo(15);
        assertThat(rig.audit(0)[0]).isEqualTo(50 - 15);
    }

    @Test
    void shouldForgetACountThatTheSnapshotDoesNotHoldAndCountAgain()
    {
        final PartitionRig rig = rig(RecoveryMode.CHECKPOINT);
        rig.createTables();
        push(rig, 0, 1, 20);
        rig.takeSnapshot();
        rig.crashAndRestart();
        rig.partition.onOldestKept(0, 1, 31, 0);
        push(rig, 0, 31, 40);
        rig.crashAndRestart();
        rig.partition.onOldestKept(0, 1, 41, 0);

        assertThat(rig.partition.progress().jumpedSequences(0)).isEqualTo(20);
        assertThat(rig.audit(0)[0]).isEqualTo(40 - 20);
    }

    @Test
    void shouldGoOnBehindAGapThatIsLongerThanWhatMayBeUnsafe()
    {
        final PartitionRig rig = rig(RecoveryMode.CHECKPOINT);
        rig.createTables();
        final long oldestKept = 3L * Slot.MAX_UNRECORDED;
        rig.partition.onOldestKept(0, 1, oldestKept, 0);
        final long position = rig.replica.log().position();
        rig.partition.progress().onPositions(0, position, position, 0);

        push(rig, 0, oldestKept, oldestKept + 5);
        assertThat(rig.partition.progress().jumpedSequences(0)).isEqualTo(oldestKept - 1);
    }

    @Test
    void shouldJumpInNoOtherMode()
    {
        for (final RecoveryMode mode : RecoveryMode.values())
        {
            final PartitionRig rig = new PartitionRig(new InMemoryStorage(), mode, true);
            rig.createTables();
            rig.partition.onOldestKept(0, 1, 5, 0);
            assertThat(rig.partition.lastSequence(0)).as(mode.label())
                .isEqualTo(RecoveryMode.CHECKPOINT == mode ? 4 : 0);
        }
    }

    @Test
    void shouldAskTheWorkerToComeAgainWhenTheLogHasNoRoomForTheJump()
    {
        final PartitionRig rig = new PartitionRig(new InMemoryStorage(), RecoveryMode.CHECKPOINT, true);
        rig.storage.backPressured(true);
        assertThat(rig.partition.onOldestKept(0, 1, 5, 0)).isEqualTo(Refusal.BUSY);
        assertThat(rig.partition.lastSequence(0)).isZero();

        rig.storage.backPressured(false);
        assertThat(rig.partition.onOldestKept(0, 1, 5, 0)).isEqualTo(Refusal.NONE);
        assertThat(rig.partition.lastSequence(0)).isEqualTo(4);
    }

    @Test
    void shouldFenceTheOlderProcessWhenTheNewerOneJumped()
    {
        final PartitionRig rig = rig(RecoveryMode.CHECKPOINT);
        rig.partition.onOldestKept(0, 7, 5, 0);

        assertThat(rig.partition.onHello(0, 6, SlotRole.SOLE)).isEqualTo(Refusal.FENCED);
        assertThat(rig.partition.onOldestKept(PartitionState.MAX_SLOTS, 7, 5, 0)).isEqualTo(Refusal.NONE);
    }

    @Test
    void shouldCoverTheLastPushOfAWorkerThatWaitsToLeave()
    {
        final PartitionRig rig = rig(RecoveryMode.STATELESS);
        rig.createTables();
        push(rig, 0, 1, 10);
        rig.takeSnapshot();
        push(rig, 0, 11, 20);
        final HostedPartition copy =
            new HostedPartition(rig.partition, rig.storage, rig.replica, SnapshotThreshold.fixed(Long.MAX_VALUE));
        assertThat(copy.startSnapshotIfDue()).isFalse();

        // two are kept, and the older one must hold what is snapshotted: so a second one of the same state is taken
        assertThat(isSnapshotTakenWhenWanted(copy, rig)).isTrue();
        assertThat(rig.partition.progress().snapshottedSequence(0)).isEqualTo(10);
        assertThat(isSnapshotTakenWhenWanted(copy, rig)).isTrue();
        assertThat(rig.partition.progress().snapshottedSequence(0)).isEqualTo(20);
        assertThat(isSnapshotTakenWhenWanted(copy, rig)).isFalse();
        push(rig, 0, 21, 21);
        assertThat(copy.startSnapshotIfDue()).isFalse();
    }

    @Test
    void shouldCoverByTwoSnapshotsOfOneStateWhenAWorkerLeavesBeforeTheFirst()
    {
        final PartitionRig rig = rig(RecoveryMode.STATELESS);
        rig.createTables();
        push(rig, 0, 1, 10);
        final HostedPartition copy =
            new HostedPartition(rig.partition, rig.storage, rig.replica, SnapshotThreshold.fixed(Long.MAX_VALUE));

        assertThat(isSnapshotTakenWhenWanted(copy, rig)).isTrue();
        assertThat(rig.partition.progress().snapshottedSequence(0)).as("one snapshot").isZero();
        assertThat(isSnapshotTakenWhenWanted(copy, rig)).isTrue();
        assertThat(rig.partition.progress().snapshottedSequence(0)).isEqualTo(10);
        assertThat(isSnapshotTakenWhenWanted(copy, rig)).isFalse();
    }

    private static boolean isSnapshotTakenWhenWanted(final HostedPartition copy, final PartitionRig rig)
    {
        copy.onSnapshotWanted();
        final boolean isStarted = copy.startSnapshotIfDue();
        rig.finishSnapshot();
        copy.updateWatermarks(0);

        return isStarted;
    }

    private static PartitionRig rig(final RecoveryMode mode)
    {
        return new PartitionRig(new InMemoryStorage(), mode, false);
    }

    private static void push(final PartitionRig rig, final int slot, final long from, final long to)
    {
        for (long sequence = from; sequence <= to; sequence++)
        {
            assertThat(rig.pushCount(slot, sequence, sequence % KEYS, 1f))
                .as("slot %d sequence %d: %s", slot, sequence, rig.refusal())
                .isEqualTo(Outcome.APPENDED);
        }
    }

    private static void assertAppliedOnceEach(final PartitionRig rig, final int slot, final long last)
    {
        long squares = 0;
        for (long sequence = 1; sequence <= last; sequence++)
        {
            squares += sequence * sequence;
        }
        assertThat(rig.audit(slot)).containsExactly(last, sum(1, last), squares);
    }

    private static long sum(final long from, final long to)
    {
        return (from + to) * (to - from + 1) / 2;
    }

    private static float countOf(final long key, final long last)
    {
        float count = 0;
        for (long sequence = 1; sequence <= last; sequence++)
        {
            count += sequence % KEYS == key ? 1 : 0;
        }

        return count;
    }
}
