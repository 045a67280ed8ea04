// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.server.snapshot.SnapshotThreshold;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a partition takes a snapshot by itself.
 */
class SnapshotThresholdTest
{
    private static final long MB = 1_000_000;

    @Test
    void shouldGrowWithTheStateAsFarAsTheReplayMayTake()
    {
        final SnapshotThreshold threshold = SnapshotThreshold.proportional(64 * MB, 400 * MB);

        assertThat(threshold.logBytes(0)).as("a small state").isEqualTo(64 * MB);
        assertThat(threshold.logBytes(10 * MB)).as("16 times as much").isEqualTo(160 * MB);
        assertThat(threshold.logBytes(25 * MB)).as("what is replayed in time, less what comes until it is complete")
            .isEqualTo(300 * MB);
        assertThat(threshold.logBytes(1000 * MB)).as("a quarter at most is for snapshots").isEqualTo(4000 * MB);
    }

    @Test
    void shouldTakeASnapshotOnceTheLogHasGrownByFourTimesTheState()
    {
        final PartitionRig rig = new PartitionRig();
        rig.createTables();
        rig.pushCount(0, 1, 1, 1f);
        final HostedPartition copy = new HostedPartition(
            rig.partition, rig.storage, rig.replica, SnapshotThreshold.proportional(1, 0));
        copy.onSnapshotWanted();
        assertThat(copy.startSnapshotIfDue()).isTrue();
        rig.finishSnapshot();
        final long from = rig.partition.cursor().position();
        final long stateBytes = rig.partition.stateBytes();
        assertThat(stateBytes).isPositive();

        long sequence = 1;
        while (!copy.startSnapshotIfDue())
        {
            assertThat(rig.partition.cursor().position() - from).isLessThan(4 * rig.partition.stateBytes());
            sequence++;
            assertThat(rig.pushCount(0, sequence, 1, 1f)).isEqualTo(Outcome.APPENDED);
        }
        assertThat(rig.partition.stateBytes()).as("it was the same row").isEqualTo(stateBytes);
        assertThat(rig.partition.cursor().position() - from).isGreaterThanOrEqualTo(4 * stateBytes);
    }
}
