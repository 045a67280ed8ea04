// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where a bound is set or changed while the job runs, the step of a schedule goes on from where it is.
 */
class StepsBehindIterationsTest
{
    private static final TableSpec RATED =
        TableSpec.sparse(2, "rated", 1, "sgd/1 rate=1 schedule=step:every=2:factor=0.5");
    private static final long KEY = 5;

    private final PartitionRig rig = new PartitionRig();

    /** Unbounded, the slot has ended six iterations, of which one brought rows of the table: its step is 1. */
    @Test
    void shouldNotCountIterationsThatWereNoStepsOfTheTableWhenABoundIsSet()
    {
        rig.createTables();
        rig.partition.onCreateTable(RATED, rig.partition.epoch());
        push();
        for (int i = 0; i < 6; i++)
        {
            rig.part.set(0, 1, rig.partition.epoch(), rig.partition.nextSequence(0), 0, i + 1);
            assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
        }
        assertThat(rig.value(RATED.tableId(), KEY)).isEqualTo(1);
        rig.partition.onConsistency(new Consistency(1, 1));
        push();
        assertThat(rig.value(RATED.tableId(), KEY)).as("the second step, of factor 1").isEqualTo(2);
    }

    /** Bounded, six iterations have ended; then a second slot counts, which ends its first two. */
    @Test
    void shouldCountIterationsOfASlotThatCountsFromNowOnAsSteps()
    {
        rig.createTables();
        rig.partition.onCreateTable(RATED, rig.partition.epoch());
        rig.partition.onConsistency(new Consistency(1, 1));
        for (int i = 0; i < 6; i++)
        {
            clock(0, i + 1);
        }
        push();
        assertThat(rig.value(RATED.tableId(), KEY)).as("step 6").isEqualTo(0.125f);
        rig.partition.onConsistency(new Consistency(2, 1));
        clock(1, 1);
        clock(1, 2);
        assertThat(rig.partition.minClock()).isEqualTo(2);
        push();
        assertThat(rig.value(RATED.tableId(), KEY)).as("step 8").isEqualTo(0.125f + 0.0625f);
    }

    /** All slots have finished behind six iterations; then another one counts, which ends two. */
    @Test
    void shouldGoOnBehindTheStepAtWhichAllHadFinished()
    {
        rig.createTables();
        rig.partition.onCreateTable(RATED, rig.partition.epoch());
        rig.partition.onConsistency(new Consistency(1, 1));
        for (int i = 0; i < 6; i++)
        {
            clock(0, i + 1);
        }
        push();
        assertThat(rig.value(RATED.tableId(), KEY)).as("step 6").isEqualTo(0.125f);
        clock(0, Consistency.FINISHED);
        rig.partition.onConsistency(new Consistency(2, 1));
        clock(1, 1);
        clock(1, 2);
        push();
        assertThat(rig.value(RATED.tableId(), KEY)).as("step 8").isEqualTo(0.125f + 0.0625f);
    }

    private void clock(final int slot, final long clock)
    {
        rig.part.set(slot, 1, rig.partition.epoch(), rig.partition.nextSequence(slot), 0, clock);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
    }

    private void push()
    {
        assertThat(rig.pushFloats(0, rig.partition.nextSequence(0), RATED.tableId(), new long[]{KEY},
            new float[]{-1})).isEqualTo(Outcome.APPENDED);
    }
}
