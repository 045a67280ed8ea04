// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.TableSpec;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;

class SnapshotTest
{
    private final PartitionRig rig = new PartitionRig();
    private long sequence;

    @Test
    void shouldHoldTheStateOfItsPositionWhenRowsChangeWhileItIsWritten()
    {
        rig.createTables();
        fill(150);
        rig.storage.recordAll();
        final long hashAtPosition = rig.partition.stateHash();
        rig.partition.snapshots().start(rig.storage.openSnapshotSink(rig.partition.cursor().position()));
        rig.storage.snapshotBackPressured(true);
        rig.partition.snapshots().doWork();
        rig.storage.snapshotBackPressured(false);
        final SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 300; i++)
        {
            rig.pushCount(0, ++sequence, random.nextInt(190), 1f);
            if (i > 200)
            {
                rig.partition.snapshots().doWork();
            }
        }
        rig.finishSnapshot();
        final long hashNow = rig.partition.stateHash();

        rig.crashAndRestart();

        assertThat(rig.partition.stateHash()).isEqualTo(hashAtPosition).isNotEqualTo(hashNow);
    }

    @Test
    void shouldHoldTheRefusalsThatAWorkerMayNotKnowYet()
    {
        rig.createTables();
        rig.pushFloats(0, 1, 1, new long[]{5}, new float[]{Float.NaN});
        rig.pushFloats(0, 2, 1, new long[]{-5}, new float[]{1f});
        rig.storage.recordAll();
        rig.takeSnapshot();
        rig.storage.corruptRecord(4);

        rig.crashAndRestart();

        assertThat(rig.partition.lastSequence(0)).isEqualTo(2);
        final List<String> refusals = new ArrayList<>();
        rig.partition.progress().forEachRefusal(0, (number, code) -> refusals.add(number + ":" + code));
        assertThat(refusals).containsExactlyInAnyOrder("1:2", "2:3");
    }

    @Test
    void shouldReplayOnlyWhatFollowsTheNewestSnapshot()
    {
        rig.createTables();
        fill(20);
        rig.takeSnapshot();
        fill(20);
        rig.takeSnapshot();
        final long position = rig.partition.cursor().position();
        fill(20);
        rig.storage.recordAll();
        final long hash = rig.partition.stateHash();
        rig.storage.corruptRecord(4);

        rig.crashAndRestart();

        assertThat(rig.replica.haltReason()).isNull();
        assertThat(rig.partition.stateHash()).isEqualTo(hash);
        assertThat(rig.partition.snapshotPosition()).isEqualTo(position);
    }

    @Test
    void shouldUseTheOlderSnapshotWhenTheNewestIsBroken()
    {
        rig.createTables();
        fill(20);
        rig.takeSnapshot();
        fill(20);
        rig.takeSnapshot();
        fill(20);
        rig.storage.recordAll();
        final long hash = rig.partition.stateHash();
        rig.storage.corruptNewestSnapshot();

        rig.crashAndRestart();

        assertThat(rig.replica.isPrimary()).isTrue();
        assertThat(rig.partition.stateHash()).isEqualTo(hash);
    }

    @Test
    void shouldCoverOnlyWhatTheOldestKeptVerifiedSnapshotHolds()
    {
        rig.createTables();
        fill(10);
        rig.storage.holdVerification(true);
        rig.partition.snapshots().start(rig.storage.openSnapshotSink(rig.partition.cursor().position()));
        for (int i = 0; i < 10; i++)
        {
            rig.partition.snapshots().doWork();
        }
        rig.partition.progress().onPositions(0, 0, 0, rig.partition.snapshottedPosition());
        assertThat(rig.partition.progress().snapshottedSequence(0)).isZero();

        rig.storage.holdVerification(false);
        rig.finishSnapshot();
        rig.partition.progress().onPositions(0, 0, 0, rig.partition.snapshottedPosition());
        assertThat(rig.partition.progress().snapshottedSequence(0)).as("one snapshot").isZero();
        fill(10);
        rig.takeSnapshot();
        rig.partition.progress().onPositions(0, 0, 0, rig.partition.snapshottedPosition());
        assertThat(rig.partition.progress().snapshottedSequence(0)).isEqualTo(10);
        rig.takeSnapshot();
        rig.partition.progress().onPositions(0, 0, 0, rig.partition.snapshottedPosition());
        assertThat(rig.partition.progress().snapshottedSequence(0)).isEqualTo(20);
    }

    @Test
    void shouldCoverNothingByASnapshotThatWasFetchedAndIsNotKeptHere()
    {
        rig.createTables();
        fill(10);
        rig.takeSnapshot();
        final PartitionRig joiner = new PartitionRig();
        joiner.partition.reset();
        for (final UnsafeBuffer frame : rig.storage.newestSnapshot())
        {
            joiner.partition.loadFrame(frame, 0, frame.capacity());
        }

        joiner.partition.snapshots().start(joiner.storage.openSnapshotSink(joiner.partition.cursor().position()));
        joiner.finishSnapshot();
        assertThat(joiner.storage.snapshotCount()).isEqualTo(1);
        assertThat(joiner.partition.snapshottedPosition()).isZero();

        joiner.takeSnapshot();
        assertThat(joiner.partition.snapshottedPosition()).isEqualTo(joiner.partition.cursor().position());
    }

    /** The hash is of values alone: that the state came back shows in what pushes do after it. */
    @Test
    void shouldHoldEveryKindOfStateOfAnOptimizer()
    {
        final TableSpec adam = TableSpec.sparse(2, "adam", 3, "adam/1 rate=0.1 decay=0.01");
        final PartitionRig other = new PartitionRig();
        final SplittableRandom random = new SplittableRandom(7);
        rig.createTables();
        assertThat(rig.partition.onCreateTable(adam, rig.partition.epoch())).isEqualTo(Outcome.APPENDED);
        other.createTables();
        other.partition.onCreateTable(adam, other.partition.epoch());
        for (int i = 0; i < 100; i++)
        {
            pushToBoth(other, adam, random);
        }
        final long position = rig.partition.cursor().position();
        rig.takeSnapshot();
        rig.storage.recordAll();
        rig.storage.corruptRecord(4);
        rig.crashAndRestart();
        assertThat(rig.partition.snapshotPosition()).isEqualTo(position);

        for (int i = 0; i < 100; i++)
        {
            pushToBoth(other, adam, random);
            assertThat(rig.partition.stateHash()).as("push %d", i).isEqualTo(other.partition.stateHash());
        }
    }

    @Test
    void shouldMakePushesWaitWhenTheSideBufferIsFull()
    {
        final TableSpec wide = TableSpec.sparse(2, "wide", 5452, "ftrl/1 alpha=1 beta=1 l1=0 l2=0");
        rig.partition.onCreateTable(wide, rig.partition.epoch());
        final float[] gradient = new float[wide.dim()];
        for (int key = 0; key < 190; key++)
        {
            rig.pushFloats(0, ++sequence, wide.tableId(), new long[]{key}, gradient);
        }
        rig.storage.snapshotBackPressured(true);
        rig.partition.snapshots().start(rig.storage.openSnapshotSink(rig.partition.cursor().position()));

        int key = 0;
        while (Outcome.APPENDED == rig.pushFloats(0, sequence + 1, wide.tableId(), new long[]{key}, gradient))
        {
            sequence++;
            key++;
        }
        assertThat(key).isBetween(100, 189);
        assertThat(rig.partition.lastSequence(0)).isEqualTo(sequence);

        rig.storage.snapshotBackPressured(false);
        rig.finishSnapshot();
        assertThat(rig.pushFloats(0, sequence + 1, wide.tableId(), new long[]{key}, gradient))
            .isEqualTo(Outcome.APPENDED);
    }

    private void pushToBoth(final PartitionRig other, final TableSpec table, final SplittableRandom random)
    {
        sequence++;
        // few keys, so that rows have taken unequally many steps
        final long[] keys = {random.nextInt(5), 5 + random.nextInt(20)};
        final float[] gradient = new float[keys.length * table.dim()];
        for (int i = 0; i < gradient.length; i++)
        {
            gradient[i] = random.nextInt(-100, 100) / 64f;
        }
        assertThat(rig.pushFloats(0, sequence, table.tableId(), keys, gradient)).isEqualTo(Outcome.APPENDED);
        other.pushFloats(0, sequence, table.tableId(), keys, gradient);
    }

    private void fill(final int pushes)
    {
        for (int i = 0; i < pushes; i++)
        {
            sequence++;
            assertThat(rig.pushCount(0, sequence, sequence % PartitionRig.CAPACITY, 1f)).isEqualTo(Outcome.APPENDED);
        }
    }
}
