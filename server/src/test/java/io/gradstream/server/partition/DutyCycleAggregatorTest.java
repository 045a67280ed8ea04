// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.TableSpec;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteOrder;
import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Slots that are not bound by 0: what one duty cycle brings is added up, and logged as one sum.
 */
class DutyCycleAggregatorTest
{
    private static final TableSpec LONG_ROWS = TableSpec.sparse(2, "long", 4096, "add/1");
    private static final TableSpec ASSIGNED = TableSpec.sparse(3, "assigned", 1, "assign/1");
    private static final TableSpec STEPS = TableSpec.sparse(4, "steps", 1, "ftrl/1 alpha=1 beta=1 l1=0 l2=0");
    private static final Consistency BOUNDED = new Consistency(3, 1);
    private static final int CYCLES = 4;

    private final PartitionRig rig = rig(BOUNDED, true);

    private static PartitionRig rig(final Consistency consistency, final boolean isSummed)
    {
        final PartitionRig rig = new PartitionRig(new InMemoryStorage());
        sum(rig, isSummed);
        rig.createTables();
        rig.partition.onCreateTable(LONG_ROWS, rig.partition.epoch());
        rig.partition.onCreateTable(ASSIGNED, rig.partition.epoch());
        rig.partition.onCreateTable(STEPS, rig.partition.epoch());
        assertThat(rig.partition.onConsistency(consistency)).isTrue();
        rig.storage.recordAll();

        return rig;
    }

    private static void sum(final PartitionRig rig, final boolean isSummed)
    {
        if (isSummed)
        {
            rig.partition.sumCycles(PartitionRig.MAX_HELD_BYTES);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void shouldLogOneSumOfACycleWhateverTheNumberOfSlots(final int slots)
    {
        for (final Consistency consistency : new Consistency[]{Consistency.EVENTUAL, new Consistency(slots, 1)})
        {
            final double each = bytesPerPush(slots, consistency, false);
            final double summed = bytesPerPush(slots, consistency, true);
            System.out.printf("slots=%d staleness=%d log bytes per push: each=%.1f summed=%.1f ratio=%.3f%n",
                slots, consistency.staleness(), each, summed, summed / each);
            assertThat(summed / each).isLessThan(1.0 / slots + 0.05);
            assertThat(each).as("each push has its own record").isGreaterThan(LONG_ROWS.valuesLength());
        }
    }

    /** Slots push the same long row in each of a few cycles; returns how much the log grows for each push. */
    private static double bytesPerPush(final int slots, final Consistency consistency, final boolean isSummed)
    {
        final PartitionRig rig = rig(consistency, isSummed);
        final float[] gradient = new float[LONG_ROWS.dim()];
        final long before = rig.partition.cursor().position();
        float sum = 0;
        for (int cycle = 1; cycle <= CYCLES; cycle++)
        {
            for (int slot = 0; slot < slots; slot++)
            {
                Arrays.fill(gradient, slot + 0.5f);
                sum += slot + 0.5f;
                assertThat(rig.pushFloats(slot, 2 * cycle - 1, LONG_ROWS.tableId(), new long[]{5}, gradient))
                    .isEqualTo(Outcome.APPENDED);
                clock(rig, slot, 2 * cycle, cycle);
            }
            rig.partition.endCycle();
        }
        assertThat(rig.partition.lastSequence(slots - 1)).isEqualTo(2 * CYCLES);
        assertThat(value(rig, LONG_ROWS, 5)).isEqualTo(sum);

        return (double)(rig.partition.cursor().position() - before) / (slots * CYCLES);
    }

    @Test
    void shouldApplyACycleWhenItEndsAndOnce()
    {
        final int records = rig.storage.recordCount();
        push(0, 1, 7, 1);
        push(1, 1, 7, 2);
        push(0, 2, 8, 4);
        clock(rig, 0, 3, 1);
        assertThat(rig.storage.recordCount()).isEqualTo(records);
        assertThat(rig.count(7)).isZero();
        assertThat(rig.partition.lastSequence(0)).isZero();
        assertThat(rig.partition.hasApplied(0, 2)).isFalse();
        assertThat(rig.partition.progress().clock(0)).isZero();
        assertThat(rig.partition.nextSequence(0)).isEqualTo(4);
        assertThat(rig.pushCount(1, 1, 7, 2)).isEqualTo(Outcome.DUPLICATE);
        assertThat(rig.pushCount(1, 3, 7, 2)).isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.SEQUENCE_GAP);

        assertThat(rig.partition.endCycle()).isEqualTo(1);
        assertThat(rig.storage.recordCount()).isEqualTo(records + 1);
        assertThat(rig.count(7)).isEqualTo(3);
        assertThat(rig.count(8)).isEqualTo(4);
        assertThat(rig.audit(0)).containsExactly(2, 3, 5);
        assertThat(rig.audit(1)).containsExactly(1, 1, 1);
        assertThat(rig.partition.lastSequence(0)).isEqualTo(3);
        assertThat(rig.partition.progress().clock(0)).isEqualTo(1);
        assertThat(rig.partition.progress().clock(1)).isZero();
        assertThat(rig.partition.nextSequence(0)).isEqualTo(4);
        assertThat(rig.pushCount(0, 2, 8, 4)).isEqualTo(Outcome.DUPLICATE);
        assertThat(rig.partition.endCycle()).isZero();
    }

    @Test
    void shouldAddInTheOrderOfArrival()
    {
        // (1e8 - 1e8) + 1 is 1 in floats, (1e8 + 1) - 1e8 is 0
        push(2, 1, 7, 1e8f);
        push(0, 1, 7, -1e8f);
        push(1, 1, 7, 1);
        rig.partition.endCycle();
        assertThat(rig.count(7)).isEqualTo(1);

        push(0, 2, 9, 1e8f);
        push(1, 2, 9, 1);
        push(2, 2, 9, -1e8f);
        rig.partition.endCycle();
        assertThat(rig.count(9)).isZero();
    }

    @Test
    void shouldTakeTheLastToArriveWhereRowsAreAssignedAndOneStepForTheSum()
    {
        final PartitionRig apart = rig(BOUNDED, false);
        final float[] values = {3, 5, 4};
        for (final PartitionRig each : new PartitionRig[]{rig, apart})
        {
            for (int slot = 2; slot >= 0; slot--)
            {
                pushFloat(each, slot, 1, ASSIGNED, values[slot]);
                pushFloat(each, slot, 2, STEPS, 1);
            }
            each.partition.endCycle();
            assertThat(value(each, ASSIGNED, 5)).isEqualTo(3);
        }
        final PartitionRig once = rig(BOUNDED, false);
        pushFloat(once, 0, 1, STEPS, 3);
        assertThat(value(rig, STEPS, 5)).isEqualTo(value(once, STEPS, 5)).isNotEqualTo(value(apart, STEPS, 5));
    }

    @Test
    void shouldForgetAfterACrashWhatWasNotLoggedAndTakeItAgain()
    {
        push(0, 1, 7, 1);
        rig.partition.endCycle();
        rig.storage.recordAll();
        push(0, 2, 7, 2);
        push(1, 1, 7, 4);
        rig.crashAndRestart();
        sum(rig, true);
        assertThat(rig.replica.haltReason()).isNull();
        assertThat(rig.partition.nextSequence(0)).isEqualTo(2);
        assertThat(rig.partition.nextSequence(1)).isEqualTo(1);
        assertThat(rig.count(7)).isEqualTo(1);

        push(1, 1, 7, 4);
        push(0, 2, 7, 2);
        rig.partition.endCycle();
        assertThat(rig.count(7)).isEqualTo(7);
        final long hash = rig.partition.stateHash();
        rig.storage.recordAll();
        rig.crashAndRestart();
        assertThat(rig.partition.stateHash()).isEqualTo(hash);
    }

    @Test
    void shouldApplyASumOfSeveralRecordsWithTheLastOrNotAtAll()
    {
        final float[] gradient = new float[LONG_ROWS.dim()];
        Arrays.fill(gradient, 1);
        for (long key = 1; key <= 6; key++)
        {
            assertThat(rig.pushFloats(0, key, LONG_ROWS.tableId(), new long[]{key}, gradient))
                .isEqualTo(Outcome.APPENDED);
        }
        final int before = rig.storage.recordCount();
        final int records = rig.partition.endCycle();
        assertThat(records).isGreaterThan(1);
        assertThat(value(rig, LONG_ROWS, 6)).isEqualTo(1);
        rig.storage.record(before + records - 1);
        rig.crashAndRestart();
        sum(rig, true);
        assertThat(rig.partition.nextSequence(0)).isEqualTo(1);
        assertThat(value(rig, LONG_ROWS, 1)).isZero();
        assertThat(value(rig, LONG_ROWS, 6)).isZero();
    }

    @Test
    void shouldTakeNothingWhileASumWaitsForRoom()
    {
        push(0, 1, 7, 1);
        rig.storage.backPressured(true);
        assertThat(rig.partition.endCycle()).isZero();
        assertThat(rig.pushCount(1, 1, 7, 1)).isEqualTo(Outcome.NOT_NOW);
        rig.part.set(0, 1, rig.partition.epoch(), 2, 0, 1);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.NOT_NOW);
        assertThat(rig.partition.progress().heldSequence(0)).isZero();
        rig.storage.backPressured(false);
        assertThat(rig.partition.endCycle()).isEqualTo(1);
        push(1, 1, 7, 1);
        rig.partition.endCycle();
        assertThat(rig.count(7)).isEqualTo(2);
    }

    @Test
    void shouldTakeNoSnapshotWithinASum()
    {
        // a record has room for three of these rows and most of a fourth
        final int rows = 60;
        final float[] gradient = new float[LONG_ROWS.dim()];
        for (long key = 1; key <= rows; key++)
        {
            rig.pushFloats(0, key, LONG_ROWS.tableId(), new long[]{key}, gradient);
        }
        assertThat(rig.partition.endCycle()).isEqualTo(AggregatedGradient.MAX_RECORDS);
        assertThat(rig.partition.isComplete()).isFalse();
        assertThat(rig.pushCount(1, 1, 7, 1)).isEqualTo(Outcome.APPENDED);
        assertThat(rig.partition.isComplete()).isTrue();
        assertThat(rig.partition.lastSequence(0)).isEqualTo(rows);
        assertThat(rig.partition.lastSequence(1)).isZero();
    }

    @Test
    void shouldGiveEachRefusedPartItsOutcomeInItsPlace()
    {
        push(0, 1, 7, 1);
        assertThat(rig.pushFloats(0, 2, PartitionRig.COUNTS.tableId(), new long[]{7}, new float[]{Float.NaN}))
            .isEqualTo(Outcome.APPENDED);
        push(0, 3, 7, 2);
        rig.partition.endCycle();
        assertThat(rig.count(7)).isEqualTo(3);
        assertThat(rig.partition.lastSequence(0)).isEqualTo(3);
        final LongArrayList refused = new LongArrayList();
        rig.partition.progress().forEachRefusal(0, (sequence, code) ->
        {
            refused.addLong(sequence);
            refused.addLong(code);
        });
        assertThat(refused).containsExactly(2L, (long)Refusal.NOT_FINITE.code());
    }

    @Test
    void shouldLogWhatIsGatheredFirstWhereAPartDoesNotFitBesideIt()
    {
        final PartitionRig narrow = rig(BOUNDED, false);
        final float[] gradient = new float[LONG_ROWS.dim()];
        narrow.partition.sumCycles(LONG_ROWS.valuesLength() * 2L + 256);
        for (long key = 1; key <= 2; key++)
        {
            narrow.pushFloats(0, key, LONG_ROWS.tableId(), new long[]{key}, gradient);
        }
        assertThat(narrow.partition.lastSequence(0)).isZero();
        narrow.pushFloats(1, 1, LONG_ROWS.tableId(), new long[]{3}, gradient);
        assertThat(narrow.partition.lastSequence(0)).isEqualTo(2);
        assertThat(narrow.partition.lastSequence(1)).isZero();
        narrow.partition.endCycle();
        assertThat(narrow.partition.lastSequence(1)).isEqualTo(1);
    }

    @Test
    void shouldLogAtMostSoManyPartsInOneSum()
    {
        for (int sequence = 1; sequence <= DutyCycleAggregator.MAX_ENTRIES; sequence++)
        {
            push(0, sequence, 7, 1);
        }
        assertThat(rig.partition.lastSequence(0)).isZero();
        push(0, DutyCycleAggregator.MAX_ENTRIES + 1, 7, 1);
        assertThat(rig.partition.lastSequence(0)).isEqualTo(DutyCycleAggregator.MAX_ENTRIES);
    }

    @Test
    void shouldKeepRoomForTheRowsThatItGathers()
    {
        for (int key = 0; key < PartitionRig.CAPACITY + 3; key++)
        {
            push(0, key + 1, key, 1);
        }
        rig.partition.endCycle();
        int taken = 0;
        for (int key = 0; key < PartitionRig.CAPACITY + 3; key++)
        {
            taken += 1 == rig.count(key) ? 1 : 0;
        }
        final int[] refusals = {0};
        rig.partition.progress().forEachRefusal(0, (sequence, code) ->
            refusals[0] += Refusal.OUT_OF_ROWS.code() == code ? 1 : 0);
        assertThat(taken).isEqualTo(PartitionRig.CAPACITY);
        assertThat(refusals[0]).isEqualTo(3);
    }

    @Test
    void shouldLetNothingPassWhatIsGathered()
    {
        push(0, 1, 7, 1);
        assertThat(rig.partition.onHello(0, 2, SlotRole.SOLE)).isEqualTo(Refusal.BUSY);
        assertThat(rig.partition.onConsistency(new Consistency(3, 0))).isFalse();
        rig.partition.endCycle();
        assertThat(rig.partition.onHello(0, 2, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        assertThat(rig.partition.onConsistency(new Consistency(3, 0))).isTrue();

        push(1, 1, 7, 1);
        assertThat(rig.partition.endCycle()).isZero();
        assertThat(rig.partition.doClockWork(0)).isZero();
        assertThat(rig.partition.nextSequence(1)).isEqualTo(2);
        assertThat(rig.count(7)).isEqualTo(1);

        // what is held for the clock is logged part by part, and then cycles are added up again
        assertThat(rig.partition.onConsistency(BOUNDED)).isTrue();
        push(1, 2, 7, 1);
        assertThat(rig.partition.endCycle()).isZero();
        assertThat(rig.partition.doClockWork(0)).isEqualTo(2);
        assertThat(rig.count(7)).isEqualTo(3);
        push(1, 3, 7, 1);
        assertThat(rig.count(7)).isEqualTo(3);
        assertThat(rig.partition.endCycle()).isEqualTo(1);
        assertThat(rig.count(7)).isEqualTo(4);
    }

    @Test
    void shouldNotKeepForEverWhatNobodyGoesOnBehind()
    {
        final PartitionRig held = rig(new Consistency(3, 0), true);
        for (int key = 0; key < 100; key++)
        {
            push(held, 0, key + 1, 1000 + key);
        }
        // process 2 takes slot 0 over and dies at once; then the bound is raised, so that the others can go on
        assertThat(held.partition.onHello(0, 2, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        assertThat(held.partition.onConsistency(BOUNDED)).isTrue();
        held.partition.doClockWork(5);
        held.partition.doClockWork(4 + BufferedUpdates.ORPHAN_TIMEOUT_NS);
        assertThat(held.partition.progress().lastHeld(0)).as("somebody may continue after it").isEqualTo(100);
        held.partition.doClockWork(5 + BufferedUpdates.ORPHAN_TIMEOUT_NS);
        assertThat(held.partition.progress().lastHeld(0)).isZero();
        final int before = held.storage.recordCount();
        for (int key = 0; key < 150; key++)
        {
            push(held, 1, key + 1, key);
        }
        held.partition.endCycle();
        final int[] refusals = {0};
        held.partition.progress().forEachRefusal(1, (sequence, code) ->
            refusals[0] += Refusal.OUT_OF_ROWS.code() == code ? 1 : 0);
        assertThat(refusals[0]).isZero();
        assertThat(held.storage.recordCount() - before).isEqualTo(1);
    }

    private static void push(final PartitionRig to, final int slot, final long sequence, final long key)
    {
        assertThat(to.pushCount(slot, sequence, key, 1)).isEqualTo(Outcome.APPENDED);
    }

    @Test
    void shouldLogASumBehindASnapshotThatBeganBeforeIt()
    {
        push(0, 1, 7, 1);
        rig.partition.endCycle();
        rig.storage.recordAll();
        push(0, 2, 7, 2);
        rig.partition.snapshots().start(rig.storage.openSnapshotSink(rig.partition.cursor().position()));
        rig.partition.endCycle();
        rig.finishSnapshot();
        rig.storage.recordAll();
        final long hash = rig.partition.stateHash();
        rig.crashAndRestart();
        assertThat(rig.count(7)).isEqualTo(3);
        assertThat(rig.partition.stateHash()).isEqualTo(hash);
    }

    private void push(final int slot, final long sequence, final long key, final float value)
    {
        assertThat(rig.pushCount(slot, sequence, key, value)).isEqualTo(Outcome.APPENDED);
    }

    private static void pushFloat(
        final PartitionRig rig, final int slot, final long sequence, final TableSpec table, final float value)
    {
        assertThat(rig.pushFloats(slot, sequence, table.tableId(), new long[]{5}, new float[]{value}))
            .isEqualTo(Outcome.APPENDED);
    }

    private static void clock(final PartitionRig rig, final int slot, final long sequence, final long clock)
    {
        rig.part.set(slot, 1, rig.partition.epoch(), sequence, 0, clock);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
    }

    private static float value(final PartitionRig rig, final TableSpec table, final long key)
    {
        final UnsafeBuffer row = new UnsafeBuffer(new byte[table.valuesLength()]);
        rig.partition.rows().read(table.tableId(), key, row, 0);
        return row.getFloat(0, ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void shouldAddUpTwoEndsOfIterationsInOneCycleApart()
    {
        final PartitionRig rig = new PartitionRig();
        rig.createTables();
        assertThat(rig.partition.onConsistency(new Consistency(1, 5))).isTrue();
        rig.partition.sumCycles(PartitionRig.MAX_HELD_BYTES);
        assertThat(rig.partition.export().ask(1)).isTrue();
        rig.part.set(0, 1, rig.partition.epoch(), 1, 0, 1);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
        rig.part.set(0, 1, rig.partition.epoch(), 2, 0, 2);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
        DutyCycle.end(rig.partition);
        assertThat(rig.partition.export().clock()).isEqualTo(1);
    }
}
