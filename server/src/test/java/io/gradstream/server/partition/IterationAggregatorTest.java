// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.SlotRole;
import io.gradstream.codecs.TableSpec;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Slots of a sequential job: what they push in a clock counts when all have finished it, added up in their order.
 */
class IterationAggregatorTest
{
    private static final int COUNTS = PartitionRig.COUNTS.tableId();
    private static final int SLOTS = 3;
    private static final TableSpec LONG_ROWS = TableSpec.sparse(2, "long", 4096, "add/1");
    private static final TableSpec ASSIGNED = TableSpec.sparse(3, "assigned", 1, "assign/1");
    private static final Consistency SEQUENTIAL = new Consistency(SLOTS, 0);

    private final PartitionRig rig = new PartitionRig(new InMemoryStorage());

    @BeforeEach
    void bind()
    {
        bind(rig);
    }

    private static void bind(final PartitionRig rig)
    {
        rig.createTables();
        rig.partition.onCreateTable(LONG_ROWS, rig.partition.epoch());
        rig.partition.onCreateTable(ASSIGNED, rig.partition.epoch());
        assertThat(rig.partition.onConsistency(SEQUENTIAL)).isTrue();
        rig.storage.recordAll();
    }

    @Test
    void shouldApplyNothingBeforeAllHaveFinishedTheClock()
    {
        final int records = rig.storage.recordCount();
        push(0, 1, 7, 1);
        push(1, 1, 7, 2);
        push(2, 1, 8, 4);
        clock(0, 2, 1);
        clock(2, 2, 1);
        assertThat(rig.partition.doClockWork(0)).isZero();
        assertThat(rig.storage.recordCount()).isEqualTo(records);
        assertThat(rig.count(7)).isZero();
        assertThat(rig.partition.lastSequence(0)).isZero();
        assertThat(rig.partition.nextSequence(0)).isEqualTo(3);

        clock(1, 2, 1);
        assertThat(rig.partition.doClockWork(0)).isEqualTo(1);
        assertThat(rig.storage.recordCount()).isEqualTo(records + 1);
        assertThat(rig.count(7)).isEqualTo(3);
        assertThat(rig.count(8)).isEqualTo(4);
        assertThat(rig.partition.lastSequence(0)).isEqualTo(2);
        assertThat(rig.partition.nextSequence(0)).isEqualTo(3);
        assertThat(rig.partition.minClock()).isEqualTo(1);
        assertThat(rig.partition.doClockWork(0)).isZero();
    }

    @Test
    void shouldTellHowManyIterationsOfASlotAreInTheRows()
    {
        push(0, 1, 7, 1);
        clock(0, 2, 1);
        assertThat(rig.partition.progress().summedClock(0)).as("held").isZero();

        clock(1, 1, 1);
        clock(2, 1, 1);
        rig.partition.doClockWork(0);
        assertThat(rig.partition.progress().summedClock(0)).isEqualTo(1);
        assertThat(rig.partition.progress().summedClock(SLOTS)).as("does not count").isZero();
        assertThat(rig.partition.progress().summedClock(-1)).as("an observer").isZero();

        clock(0, 3, 2);
        clock(1, 2, 2);
        clock(2, 2, 2);
        rig.partition.doClockWork(0);
        assertThat(rig.partition.progress().summedClock(0)).isEqualTo(2);

        clock(0, 4, Consistency.FINISHED);
        clock(1, 3, 3);
        clock(2, 3, 3);
        rig.partition.doClockWork(0);
        assertThat(rig.partition.progress().summedClock(0)).isEqualTo(Consistency.FINISHED);
        assertThat(rig.partition.progress().isSequential(0)).isFalse();
        assertThat(rig.partition.onConsistency(new Consistency(SLOTS, 2))).isTrue();
        assertThat(rig.partition.progress().summedClock(1)).as("each push is applied as it comes").isZero();
    }

    @Test
    void shouldTellThatTheOnlyIterationOfASlotIsInTheRows()
    {
        for (int i = 0; i < 2 * SLOTS; i++)
        {
            clock(i % SLOTS, i < SLOTS ? 1 : 2, i < SLOTS ? 1 : Consistency.FINISHED);
            rig.partition.doClockWork(0);
        }

        assertThat(rig.partition.progress().summedClock(0)).isEqualTo(Consistency.FINISHED);
    }

    @Test
    void shouldTellNoIterationsThatASlotHasEndedAheadOfTheOthers()
    {
        assertThat(rig.partition.onConsistency(new Consistency(SLOTS, 2))).isTrue();
        clock(0, 1, 1);
        clock(0, 2, 2);
        assertThat(rig.partition.onConsistency(SEQUENTIAL)).isTrue();
        assertThat(rig.partition.progress().clock(0)).isEqualTo(2);
        assertThat(rig.partition.progress().summedClock(0)).isZero();
    }

    @Test
    void shouldTellNoIterationsOfASlotThatHadFinishedBeforeTheBoundWasZero()
    {
        assertThat(rig.partition.onConsistency(new Consistency(SLOTS, 2))).isTrue();
        clock(0, 1, 1);
        clock(0, 2, Consistency.FINISHED);
        assertThat(rig.partition.onConsistency(SEQUENTIAL)).isTrue();
        assertThat(rig.partition.progress().clock(0)).isEqualTo(Consistency.FINISHED);
        assertThat(rig.partition.progress().summedClock(0)).isZero();
    }

    @Test
    void shouldAddInTheOrderOfSlotsWhoeverComesFirst()
    {
        // (1e8 - 1e8) + 1 is 1 in floats, (1e8 + 1) - 1e8 is 0
        final float[] values = {1e8f, -1e8f, 1};
        final List<Integer> order = new ArrayList<>(List.of(0, 1, 2));
        final Random random = new Random(5);
        for (int clock = 1; clock <= 8; clock++)
        {
            Collections.shuffle(order, random);
            for (final int slot : order)
            {
                push(slot, 2 * clock - 1, clock, values[slot]);
                clock(slot, 2 * clock, clock);
            }
            rig.partition.doClockWork(0);
            assertThat(rig.count(clock)).isEqualTo(1);
        }
    }

    @Test
    void shouldReplayToTheSameBits()
    {
        final long hash = trainAndCrash(rig, 1);
        final PartitionRig other = new PartitionRig(new InMemoryStorage());
        bind(other);
        assertThat(trainAndCrash(other, 2)).isEqualTo(hash);
    }

    /** Clocks of three slots, whose parts come in an order by the seed, and at one place a crash. */
    private static long trainAndCrash(final PartitionRig rig, final long seed)
    {
        final Random random = new Random(seed);
        final List<Integer> order = new ArrayList<>(List.of(0, 1, 2));
        for (int clock = 1; clock <= 6; clock++)
        {
            Collections.shuffle(order, random);
            for (final int slot : order)
            {
                pushGradient(rig, slot, clock);
            }
            if (3 == clock)
            {
                rig.storage.recordAll();
                rig.crashAndRestart();
                assertThat(rig.replica.haltReason()).isNull();
                assertThat(rig.partition.nextSequence(0)).isEqualTo(2 * clock - 1);
                Collections.shuffle(order, random);
                order.forEach((slot) -> pushGradient(rig, slot, 3));
            }
            final int finished = clock;
            order.forEach((slot) -> clock(rig, slot, 2L * finished, finished));
            rig.partition.doClockWork(0);
        }
        final long hash = rig.partition.stateHash();
        rig.storage.recordAll();
        rig.crashAndRestart();
        assertThat(rig.partition.stateHash()).isEqualTo(hash);

        return hash;
    }

    private static void pushGradient(final PartitionRig rig, final int slot, final int clock)
    {
        final Random random = new Random(31L * clock + slot);
        final long[] keys = random.longs(10, 0, 40).distinct().toArray();
        final float[] values = new float[2 * keys.length];
        for (int i = 0; i < values.length; i++)
        {
            values[i] = random.nextFloat() - 0.5f;
        }
        assertThat(rig.pushFloats(slot, 2L * clock - 1, PartitionRig.WEIGHTS.tableId(), keys, values))
            .isEqualTo(Outcome.APPENDED);
    }

    @Test
    void shouldApplyASumOfSeveralRecordsWithTheLastOrNotAtAll()
    {
        for (int slot = 0; slot < SLOTS; slot++)
        {
            pushLong(slot, 1, slot, 1);
            pushLong(slot, 2, slot + 10, 2);
            pushLong(slot, 3, 5, 1 + slot);
            clock(slot, 4, 1);
        }
        final int before = rig.storage.recordCount();
        assertThat(rig.partition.doClockWork(0)).isEqualTo(3);
        assertThat(longRow(5)).isEqualTo(6);
        assertThat(rig.partition.isComplete()).isTrue();

        rig.storage.record(before + 2);
        rig.crashAndRestart();
        assertThat(rig.replica.haltReason()).isNull();
        assertThat(rig.partition.isComplete()).isTrue();
        assertThat(longRow(5)).isZero();
        assertThat(rig.partition.nextSequence(0)).isEqualTo(1);

        for (int slot = SLOTS - 1; slot >= 0; slot--)
        {
            pushLong(slot, 1, slot, 1);
            pushLong(slot, 2, slot + 10, 2);
            pushLong(slot, 3, 5, 1 + slot);
            clock(slot, 4, 1);
        }
        rig.partition.doClockWork(0);
        assertThat(longRow(5)).isEqualTo(6);
        assertThat(longRow(12)).isEqualTo(2);
    }

    @Test
    void shouldTakeNoSnapshotWithinASum()
    {
        for (int slot = 0; slot < SLOTS; slot++)
        {
            for (int i = 0; i < 20; i++)
            {
                pushLong(slot, 1 + i, 20L * slot + i, 1);
            }
            clock(slot, 21, 1);
        }
        assertThat(rig.partition.doClockWork(0)).isEqualTo(IterationAggregator.MAX_RECORDS);
        assertThat(rig.partition.isComplete()).isFalse();
        assertThat(rig.partition.onHello(0, 2, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        assertThat(rig.partition.nextSequence(0)).isEqualTo(22);
        rig.partition.doClockWork(0);
        assertThat(rig.partition.isComplete()).isTrue();
        assertThat(rig.partition.lastSequence(2)).isEqualTo(21);
        assertThat(longRow(59)).isEqualTo(1);
    }

    @Test
    void shouldGiveEachRefusedPartItsOutcomeInItsPlace()
    {
        push(0, 1, 7, 1);
        assertThat(rig.pushFloats(0, 2, COUNTS, new long[]{7}, new float[]{Float.NaN})).isEqualTo(Outcome.APPENDED);
        push(0, 3, 7, 1);
        clock(0, 4, 1);
        clock(1, 1, 1);
        clock(2, 1, 1);
        rig.partition.doClockWork(0);
        final List<Long> refused = new ArrayList<>();
        rig.partition.progress().forEachRefusal(0, (sequence, code) -> refused.addAll(List.of(sequence, code)));
        assertThat(refused).isEqualTo(List.of(2L, (long)Refusal.NOT_FINITE.code()));
        assertThat(rig.count(7)).isEqualTo(2);
        assertThat(rig.partition.lastSequence(0)).isEqualTo(4);
    }

    @Test
    void shouldTakeEachPartOnce()
    {
        push(0, 1, 7, 1);
        assertThat(rig.pushFloats(0, 1, COUNTS, new long[]{7}, new float[]{1})).isEqualTo(Outcome.DUPLICATE);
        assertThat(rig.pushFloats(0, 3, COUNTS, new long[]{7}, new float[]{1})).isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.SEQUENCE_GAP);
        clock(0, 2, 1);
        clock(1, 1, 1);
        clock(2, 1, 1);
        rig.partition.doClockWork(0);
        assertThat(rig.pushFloats(0, 1, COUNTS, new long[]{7}, new float[]{1})).isEqualTo(Outcome.DUPLICATE);
        assertThat(rig.count(7)).isEqualTo(1);
    }

    @Test
    void shouldLetAheadWhoeverFinishedForGoodOrIsAheadAlready()
    {
        push(0, 1, 7, 1);
        clock(0, 2, Consistency.FINISHED);
        for (int clock = 1; clock <= 2; clock++)
        {
            push(1, 2 * clock - 1, 7, 10);
            clock(1, 2 * clock, clock);
        }
        clock(2, 1, 1);
        assertThat(rig.partition.doClockWork(0)).isEqualTo(1);
        assertThat(rig.count(7)).isEqualTo(11);
        assertThat(rig.partition.doClockWork(0)).isZero();

        clock(2, 2, 2);
        assertThat(rig.partition.doClockWork(0)).isEqualTo(1);
        assertThat(rig.count(7)).isEqualTo(21);
        assertThat(rig.partition.minClock()).isEqualTo(2);
    }

    @Test
    void shouldNotTakeAClockThatIsToldAgainForTheNext()
    {
        for (int slot = 0; slot < SLOTS; slot++)
        {
            clock(slot, 1, 1);
        }
        rig.partition.doClockWork(0);
        assertThat(rig.partition.onHello(0, 2, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        rig.part.set(0, 2, rig.partition.epoch(), 2, 0, 1);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
        assertThat(rig.partition.lastSequence(0)).isEqualTo(2);
        push(1, 2, 7, 1);
        clock(1, 3, 2);
        clock(2, 2, 2);
        assertThat(rig.partition.doClockWork(0)).isZero();
        assertThat(rig.count(7)).isZero();
    }

    @Test
    void shouldNotBindASlotThatHasFinished()
    {
        for (int slot = 0; slot < SLOTS; slot++)
        {
            clock(slot, 1, Consistency.FINISHED);
        }
        rig.partition.doClockWork(0);
        push(0, 2, 7, 1);
        assertThat(rig.count(7)).isEqualTo(1);
        clock(0, 3, 1);
        assertThat(rig.partition.doClockWork(0)).isZero();
        assertThat(rig.partition.lastSequence(0)).isEqualTo(3);
    }

    @Test
    void shouldAppendWhatASlotHoldsThatCountsNoMore()
    {
        push(2, 1, 7, 1);
        clock(0, 1, 1);
        assertThat(rig.partition.onConsistency(new Consistency(2, 0))).isTrue();
        assertThat(rig.partition.doClockWork(0)).isEqualTo(1);
        assertThat(rig.count(7)).isEqualTo(1);
        clock(1, 1, 1);
        assertThat(rig.partition.doClockWork(0)).isEqualTo(1);
        assertThat(rig.partition.minClock()).isEqualTo(1);
    }

    @Test
    void shouldKeepTheOrderOfASlotWhileItsSumIsWritten()
    {
        for (int slot = 0; slot < SLOTS; slot++)
        {
            for (int i = 0; i < 20; i++)
            {
                pushLong(slot, 1 + i, 20L * slot + i, 1);
            }
            clock(slot, 21, 1);
        }
        final PartitionContents contents = rig.partition.contents();
        assertThat(rig.partition.minClock()).isZero();
        assertThat(contents.ended(2)).as("held").isEqualTo(1);
        rig.partition.doClockWork(0);
        assertThat(rig.partition.isComplete()).isFalse();
        assertThat(rig.partition.minClock()).isZero();
        assertThat(contents.ended(2)).as("being written").isEqualTo(1);
        assertThat(contents.slowestEnded()).isEqualTo(1);
        assertThat(rig.partition.onConsistency(new Consistency(SLOTS, 1))).isTrue();
        push(0, 22, 7, 1);
        assertThat(rig.count(7)).isZero();
        rig.partition.doClockWork(0);
        rig.partition.doClockWork(0);
        assertThat(rig.count(7)).isEqualTo(1);
        assertThat(longRow(59)).isEqualTo(1);
    }

    @Test
    void shouldCountRowsForMoreThanTheirBytes()
    {
        final int rows = 150;
        final int parts = (int)(PartitionRig.MAX_HELD_BYTES / SLOTS / (rows * 64)) + 1;
        Outcome outcome = Outcome.APPENDED;
        for (int i = 1; i <= parts && Outcome.APPENDED == outcome; i++)
        {
            outcome = pushKeys(0, i, 0, rows);
        }
        assertThat(outcome).isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.CLOCK_TOO_LARGE);
    }

    @Test
    void shouldApplyEachPartByItselfOnceTheBoundIsRaised()
    {
        push(0, 1, 7, 1);
        clock(0, 2, 1);
        push(0, 3, 7, 2);
        push(1, 1, 7, 4);
        assertThat(rig.partition.onConsistency(new Consistency(SLOTS, 1))).isTrue();
        push(0, 4, 7, 8);
        assertThat(rig.partition.doClockWork(0)).isEqualTo(5);
        assertThat(rig.count(7)).isEqualTo(15);
        push(0, 5, 7, 16);
        assertThat(rig.count(7)).isEqualTo(31);
    }

    @Test
    void shouldRefuseAClockThatIsTooLargeAndHoldBackWhoRunsAhead()
    {
        for (int i = 1; i <= BufferedUpdates.MAX_ENTRIES; i++)
        {
            push(0, i, 7, 1);
        }
        assertThat(rig.pushFloats(0, BufferedUpdates.MAX_ENTRIES + 1, COUNTS, new long[]{7}, new float[]{1}))
            .isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.CLOCK_TOO_LARGE);
        clock(0, BufferedUpdates.MAX_ENTRIES + 1, 1);
        assertThat(rig.pushFloats(0, BufferedUpdates.MAX_ENTRIES + 2, COUNTS, new long[]{7}, new float[]{1}))
            .isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.BUSY);

        clock(1, 1, 1);
        clock(2, 1, 1);
        rig.partition.doClockWork(0);
        assertThat(rig.count(7)).isEqualTo(BufferedUpdates.MAX_ENTRIES);
    }

    @Test
    void shouldCountRowsThatHeldPartsWillAdd()
    {
        final int part = PartitionRig.CAPACITY / 2 + 1;
        assertThat(pushKeys(0, 1, 0, part)).isEqualTo(Outcome.APPENDED);
        assertThat(pushKeys(1, 1, part, part)).isEqualTo(Outcome.APPENDED);
        clock(0, 2, 1);
        clock(1, 2, 1);
        clock(2, 1, 1);
        rig.partition.doClockWork(0);
        final List<Long> refused = new ArrayList<>();
        rig.partition.progress().forEachRefusal(1, (sequence, code) -> refused.addAll(List.of(sequence, code)));
        assertThat(refused).isEqualTo(List.of(1L, (long)Refusal.OUT_OF_ROWS.code()));

        // what was counted as held is there now
        assertThat(pushKeys(0, 3, 0, part)).isEqualTo(Outcome.APPENDED);
        assertThat(pushKeys(0, 4, part, PartitionRig.CAPACITY - part)).isEqualTo(Outcome.APPENDED);
        clock(0, 5, 2);
        clock(1, 3, 2);
        clock(2, 2, 2);
        rig.partition.doClockWork(0);
        assertThat(rig.count(PartitionRig.CAPACITY - 1)).isEqualTo(1);
        assertThat(rig.count(0)).isEqualTo(2);
    }

    private Outcome pushKeys(final int slot, final long sequence, final int from, final int count)
    {
        final long[] keys = new long[count];
        final float[] values = new float[count];
        Arrays.setAll(keys, (i) -> from + i);
        Arrays.fill(values, 1);

        return rig.pushFloats(slot, sequence, COUNTS, keys, values);
    }

    @Test
    void shouldTakeTheLastOfTheLastSlotWhereRowsAreAssigned()
    {
        for (int slot = SLOTS - 1; slot >= 0; slot--)
        {
            rig.pushFloats(slot, 1, ASSIGNED.tableId(), new long[]{3}, new float[]{slot});
            rig.pushFloats(slot, 2, ASSIGNED.tableId(), new long[]{3}, new float[]{slot + 0.5f});
            clock(slot, 3, 1);
        }
        rig.partition.doClockWork(0);
        final UnsafeBuffer row = new UnsafeBuffer(new byte[4]);
        rig.partition.rows().read(ASSIGNED.tableId(), 3, row, 0);
        assertThat(row.getFloat(0, ByteOrder.LITTLE_ENDIAN)).isEqualTo(2.5f);
    }

    @Test
    void shouldLetAPullWaitForClocksAndNotForWhatWasPushedSince()
    {
        push(0, 1, 7, 1);
        assertThat(rig.partition.hasApplied(0, 1)).isTrue();
        assertThat(rig.partition.hasApplied(SLOTS, 1)).isFalse();
    }

    private void push(final int slot, final long sequence, final long key, final float value)
    {
        assertThat(rig.pushFloats(slot, sequence, COUNTS, new long[]{key}, new float[]{value}))
            .isEqualTo(Outcome.APPENDED);
    }

    private void pushLong(final int slot, final long sequence, final long key, final float value)
    {
        final float[] values = new float[LONG_ROWS.dim()];
        Arrays.fill(values, value);
        assertThat(rig.pushFloats(slot, sequence, LONG_ROWS.tableId(), new long[]{key}, values))
            .isEqualTo(Outcome.APPENDED);
    }

    private float longRow(final long key)
    {
        final UnsafeBuffer row = new UnsafeBuffer(new byte[LONG_ROWS.valuesLength()]);
        rig.partition.rows().read(LONG_ROWS.tableId(), key, row, 0);

        return row.getFloat(LONG_ROWS.valuesLength() - 4, ByteOrder.LITTLE_ENDIAN);
    }

    private void clock(final int slot, final long sequence, final long clock)
    {
        clock(rig, slot, sequence, clock);
    }

    private static void clock(final PartitionRig rig, final int slot, final long sequence, final long clock)
    {
        rig.part.set(slot, 1, rig.partition.epoch(), sequence, 0, clock);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
    }
}
