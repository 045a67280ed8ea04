// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Exports of one iteration at a bound of 0, next to a slot that has finished for good.
 */
class CutBesideFinishedSlotTest
{
    private final PartitionRig rig = new PartitionRig();
    private final long[] sequence = new long[2];

    /** Bound 5; slot 0 ends 3 iterations and finishes, slot 1 one; then the bound is set to 0. */
    @Test
    void shouldNotCallAModelOfIteration2ThatHoldsThe3rdOfASlotThatFinishedBeforeTheBoundWasSetTo0()
    {
        rig.createTables();
        assertThat(rig.partition.onConsistency(new Consistency(2, 5))).isTrue();
        for (int clock = 1; clock <= 3; clock++)
        {
            iterate(0, clock);
        }
        clock(0, Consistency.FINISHED);
        iterate(1, 1);
        assertThat(rig.partition.onConsistency(new Consistency(2, 0))).isTrue();

        final boolean isTaken = rig.partition.export().ask(2);
        iterate(1, 2);
        rig.partition.doClockWork(0);
        assertThat(isTaken && 2 == rig.partition.export().clock() && rig.count(7) > 4).isFalse();
    }

    /** Bound 0 from the start; slot 0 finishes behind iteration 1 and trains once more, slot 1 goes on. */
    @Test
    void shouldNotCallAModelOfIteration2ThatHoldsWhatASlotPushesThatHadFinished()
    {
        rig.createTables();
        assertThat(rig.partition.onConsistency(new Consistency(2, 0))).isTrue();
        iterate(0, 1);
        iterate(1, 1);
        rig.partition.doClockWork(0);
        clock(0, Consistency.FINISHED);
        iterate(1, 2);
        rig.partition.doClockWork(0);
        assertThat(rig.count(7)).isEqualTo(3);
        push(0);
        rig.partition.doClockWork(0);

        final boolean isTaken = rig.partition.export().ask(2);
        assertThat(isTaken && 2 == rig.partition.export().clock() && rig.count(7) > 3).isFalse();
    }

    private void iterate(final int slot, final long clock)
    {
        push(slot);
        clock(slot, clock);
    }

    private void push(final int slot)
    {
        assertThat(rig.pushCount(slot, ++sequence[slot], 7, 1)).isEqualTo(Outcome.APPENDED);
    }

    private void clock(final int slot, final long clock)
    {
        rig.part.set(slot, 1, rig.partition.epoch(), ++sequence[slot], 0, clock);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
    }
}
