// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.SlotRole;
import io.gradstream.server.snapshot.SnapshotThreshold;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A primary whose chain lags too far behind takes neither parts nor ends of clocks.
 */
class LaggingChainTest
{
    private final PartitionRig rig = new PartitionRig(new InMemoryStorage());
    private final HostedPartition host =
        new HostedPartition(rig.partition, rig.storage, rig.replica, SnapshotThreshold.fixed(Long.MAX_VALUE));

    @Test
    void shouldTakeTheEndOfAClockOnlyWhenTheChainHasCaughtUp()
    {
        rig.createTables();
        assertThat(rig.partition.onHello(0, 1, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        rig.replica.onChain(new Chain(rig.partition.epoch(), 99, List.of(0, 1), Chain.NONE, 2));
        long sequence = 0;
        while (rig.replica.downstream().hasRoom())
        {
            assertThat(rig.pushFloats(0, ++sequence, 0, new long[]{1, 2}, new float[]{1, 1, 1, 1}))
                .isEqualTo(Outcome.APPENDED);
            if (0 == sequence % 1000)
            {
                final long end = rig.partition.cursor().position();
                rig.partition.progress().onPositions(0, end, end, 0);
            }
        }
        rig.part.set(0, 1, rig.partition.epoch(), sequence + 1, 0, 1);

        assertThat(host.onClockDone(rig.part)).isEqualTo(Outcome.NOT_NOW);
        assertThat(rig.partition.lastSequence(0)).isEqualTo(sequence);

        rig.replica.onChain(new Chain(rig.partition.epoch(), 100, List.of(0), Chain.NONE, 1));
        assertThat(host.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
    }
}
