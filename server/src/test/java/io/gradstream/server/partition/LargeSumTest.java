// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.server.snapshot.SnapshotThrottle;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A sum larger than the queue of a snapshot does not wait for the whole snapshot, in the order in which duty cycles
 * call both.
 */
class LargeSumTest
{
    private static final TableSpec LONG_ROWS =
        TableSpec.sparse(2, "long", 4096, "ftrl/1 alpha=0.1 beta=1 l1=0.01 l2=0.1");
    private static final int ROWS = 190;

    private final PartitionRig rig = new PartitionRig(new InMemoryStorage());
    private long sequence;

    @Test
    void shouldNotWaitForTheWholeSnapshot()
    {
        rig.partition.sumClocks(16 << 20);
        rig.createTables();
        rig.partition.onCreateTable(LONG_ROWS, rig.partition.epoch());
        assertThat(rig.partition.onConsistency(new Consistency(1, 0))).isTrue();
        pushAll(1);
        while (rig.partition.lastSequence(0) < sequence)
        {
            rig.partition.doClockWork(0);
        }
        rig.storage.recordAll();

        rig.partition.snapshots().start(rig.storage.openSnapshotSink(rig.partition.cursor().position()));
        pushAll(2);
        int cycles = 0;
        // in the order of HostedPartition.doWork, where nothing was appended for 20 ms (SnapshotThrottle.IDLE_NS)
        while (rig.partition.lastSequence(0) < sequence && cycles < 10_000)
        {
            rig.partition.snapshots().doWork(SnapshotThrottle.UNLIMITED);
            rig.partition.doClockWork(0);
            cycles++;
        }
        assertThat(rig.storage.snapshotBytes()).as("written before the sum was applied")
            .isLessThan(8L * RowScan.SCAN_BYTES);
    }

    private void pushAll(final long clock)
    {
        final float[] values = new float[2 * LONG_ROWS.dim()];
        for (long key = 0; key < ROWS; key += 2)
        {
            assertThat(rig.pushFloats(0, ++sequence, 2, new long[]{key, key + 1}, values)).isEqualTo(Outcome.APPENDED);
        }
        rig.part.set(0, 1, rig.partition.epoch(), ++sequence, 0, clock);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
    }
}
