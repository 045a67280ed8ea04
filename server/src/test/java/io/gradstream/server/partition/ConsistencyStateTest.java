// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How far slots may run apart, as a partition keeps it.
 */
class ConsistencyStateTest
{
    private final PartitionRig rig = new PartitionRig(new InMemoryStorage());

    @Test
    void shouldLogABoundOnceAndFindItInTheLogAndInASnapshot()
    {
        final Consistency bound = new Consistency(3, 2);
        final long before = rig.partition.stateHash();
        assertThat(rig.partition.onConsistency(bound)).isTrue();
        final long position = rig.partition.cursor().position();
        assertThat(rig.partition.onConsistency(bound)).isTrue();
        assertThat(rig.partition.cursor().position()).isEqualTo(position);
        assertThat(rig.partition.stateHash()).isNotEqualTo(before);

        rig.storage.recordAll();
        rig.crashAndRestart();
        assertThat(rig.partition.consistency()).isEqualTo(bound);

        rig.takeSnapshot();
        rig.storage.corruptRecord(2);
        rig.crashAndRestart();
        assertThat(rig.replica.haltReason()).isNull();
        assertThat(rig.partition.consistency()).isEqualTo(bound);
    }

    @Test
    void shouldCountSlotsThatNobodyHasSeen()
    {
        rig.createTables();
        rig.partition.onConsistency(new Consistency(2, 1));
        clock(0, 1, 1);
        clock(2, 1, 9);
        assertThat(rig.partition.minClock()).isZero();

        clock(1, 1, 4);
        assertThat(rig.partition.minClock()).isEqualTo(1);
        clock(0, 2, Consistency.FINISHED);
        assertThat(rig.partition.minClock()).isEqualTo(4);
    }

    @Test
    void shouldCountEverySlotThatWasSeenIfNoneIsBound()
    {
        assertThat(rig.partition.minClock()).isZero();
        clock(5, 1, 3);
        assertThat(rig.partition.minClock()).isEqualTo(3);
        clock(7, 1, 2);
        assertThat(rig.partition.minClock()).isEqualTo(2);
    }

    private void clock(final int slot, final long sequence, final long clock)
    {
        rig.part.set(slot, 1, rig.partition.epoch(), sequence, 0, clock);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
    }
}
