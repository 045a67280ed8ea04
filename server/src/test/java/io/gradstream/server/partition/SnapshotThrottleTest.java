// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.TableSpec;
import io.gradstream.server.snapshot.SnapshotThrottle;
import io.gradstream.server.snapshot.SnapshotThreshold;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How snapshots give way to pushes.
 */
class SnapshotThrottleTest
{
    private static final TableSpec ROWS = TableSpec.sparse(2, "rows", 1024, "sgd/1 rate=0.001");
    /** Rows of a push, always the same ones. */
    private static final int PUSHED = 8;
    private static final float[] GRADIENT = new float[PUSHED * ROWS.dim()];
    /** So short that the least pace is less than the share of what is appended. */
    private static final long CYCLE_NS = 10_000;
    /** A row or frame more than allowed, and what a snapshot begins with. */
    private static final long SLACK = 2L * InMemoryStorage.MAX_LENGTH;

    private long sequence;
    private long nowNs;
    private long startPosition;
    private PartitionRig rig;
    private HostedPartition copy;

    @Test
    void shouldTakeItsShareOfWhatIsAppendedAndEndWhilePushesFlow()
    {
        startSnapshot(RecoveryMode.REPLAY);

        while (rig.partition.snapshots().isUnderWay())
        {
            push();
            cycle(CYCLE_NS);
            assertThat(rig.storage.snapshotBytes())
                .isLessThanOrEqualTo(SLACK + appended() / SnapshotThrottle.LOG_RATIO);
            assertThat(appended()).isLessThan(SnapshotThrottle.LOG_RATIO * rig.partition.stateBytes() + SLACK);
        }
        assertThat(rig.storage.snapshotBytes()).isGreaterThan(rig.partition.stateBytes());
    }

    @Test
    void shouldTakeAllThereIsWhenNothingIsAppended()
    {
        startSnapshot(RecoveryMode.REPLAY);
        push();
        cycle(CYCLE_NS);
        assertThat(rig.storage.snapshotBytes()).isLessThan(SLACK);

        cycle(SnapshotThrottle.IDLE_NS);
        assertTakenAtFullSpeed();
    }

    @Test
    void shouldEndWhenHardlyAnythingIsAppended()
    {
        startSnapshot(RecoveryMode.REPLAY);
        final long beginNs = nowNs;

        while (rig.partition.snapshots().isUnderWay())
        {
            rig.pushFloats(0, ++sequence, ROWS.tableId(), new long[]{1}, new float[ROWS.dim()]);
            cycle(SnapshotThrottle.IDLE_NS / 200);
            final long mostNs = (rig.partition.stateBytes() + SLACK) * 1_000_000_000L /
                SnapshotThrottle.LEAST_BYTES_PER_SECOND;
            assertThat(nowNs - beginNs).isLessThan(mostNs);
        }
        assertThat(appended()).isLessThan(rig.partition.stateBytes());
    }

    @ParameterizedTest
    @EnumSource(value = RecoveryMode.class, names = {"CHECKPOINT", "STATELESS", "CHAIN_STATELESS"})
    void shouldNotGiveWayWhereSnapshotsAreAllThatIsKept(final RecoveryMode mode)
    {
        startSnapshot(mode);

        assertTakenAtFullSpeed();
    }

    @Test
    void shouldReadBackItsShareOfWhatIsAppended()
    {
        startSnapshot(RecoveryMode.REPLAY);
        rig.storage.holdVerification(true);
        cycle(SnapshotThrottle.IDLE_NS);
        for (int i = 0; i < 10; i++)
        {
            cycle(CYCLE_NS);
        }
        assertThat(rig.storage.isReadingHeld()).as("nothing is appended").isFalse();

        push();
        rig.storage.readBytes(rig.partition.stateBytes());
        cycle(CYCLE_NS);
        assertThat(rig.storage.isReadingHeld()).as("it has read ahead").isTrue();
        final long position = rig.partition.cursor().position();
        while (rig.storage.isReadingHeld())
        {
            push();
            cycle(CYCLE_NS);
            assertThat(rig.partition.cursor().position() - position)
                .isLessThan(SnapshotThrottle.LOG_RATIO * rig.partition.stateBytes());
        }
        assertThat(rig.partition.cursor().position() - position).isGreaterThan(
            SnapshotThrottle.LOG_RATIO * (rig.partition.stateBytes() - RowScan.SCAN_BYTES));

        rig.storage.holdVerification(false);
        cycle(CYCLE_NS);
        assertThat(rig.partition.snapshots().isUnderWay()).isFalse();
    }

    private void assertTakenAtFullSpeed()
    {
        final long cycles = rig.partition.stateBytes() / RowScan.SCAN_BYTES + 4;
        for (int i = 0; i < cycles; i++)
        {
            cycle(CYCLE_NS);
        }
        assertThat(rig.partition.snapshots().isUnderWay()).isFalse();
    }

    private void startSnapshot(final RecoveryMode mode)
    {
        rig = new PartitionRig(new InMemoryStorage(), mode, mode.keepsLog());
        rig.partition.onCreateTable(ROWS, rig.partition.epoch());
        for (int key = 0; key < PartitionRig.CAPACITY; key++)
        {
            rig.pushFloats(0, ++sequence, ROWS.tableId(), new long[]{key}, new float[ROWS.dim()]);
        }
        // another base is kept: nobody but a worker waits
        rig.takeSnapshot();
        copy = new HostedPartition(
            rig.partition, rig.storage, rig.replica, SnapshotThreshold.fixed(Long.MAX_VALUE));
        push();
        cycle(CYCLE_NS);
        copy.onSnapshotWanted();
        assertThat(copy.startSnapshotIfDue()).isTrue();
        startPosition = rig.partition.cursor().position();
    }

    private long appended()
    {
        return rig.partition.cursor().position() - startPosition;
    }

    private void push()
    {
        final long[] keys = new long[PUSHED];
        for (int i = 0; i < PUSHED; i++)
        {
            keys[i] = i;
        }
        assertThat(rig.pushFloats(0, ++sequence, ROWS.tableId(), keys, GRADIENT)).isEqualTo(Outcome.APPENDED);
        rig.storage.recordAll();
    }

    private void cycle(final long elapsedNs)
    {
        nowNs += elapsedNs;
        copy.doWork(nowNs);
    }
}
