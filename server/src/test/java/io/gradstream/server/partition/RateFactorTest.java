// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.LogRecords;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.log.MessageHeaderDecoder;
import io.gradstream.codecs.log.RateFactorSetDecoder;
import io.gradstream.codecs.log.RateFactorSetEncoder;
import io.gradstream.server.table.InMemoryRowStore;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteOrder;
import java.util.List;
import java.util.function.UnaryOperator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the rate of a scheduled table counts by is decided by the primary, once for each step, and is in the log and in
 * snapshots. Gradients are -1 and the rate is 1, so that a row is the sum of the factors of its updates.
 */
class RateFactorTest
{
    private static final TableSpec RATED =
        TableSpec.sparse(2, "rated", 1, "sgd/1 rate=1 schedule=step:every=2:factor=0.5 refuse-non-finite");
    private static final TableSpec WARMING =
        TableSpec.sparse(3, "warming", 1, "sgd/1 rate=1 schedule=constant:warmup=4");
    private static final long KEY = 5;

    private final PartitionRig rig = new PartitionRig();

    @BeforeEach
    void createTables()
    {
        rig.createTables();
        rig.partition.onCreateTable(RATED, rig.partition.epoch());
        rig.partition.onCreateTable(WARMING, rig.partition.epoch());
    }

    private void push(final int slot, final TableSpec spec)
    {
        assertThat(rig.pushFloats(slot, rig.partition.nextSequence(slot), spec.tableId(), new long[]{KEY},
            new float[]{-1})).isEqualTo(Outcome.APPENDED);
    }

    private void clock(final int slot)
    {
        rig.part.set(slot, 1, rig.partition.epoch(), rig.partition.nextSequence(slot), 0,
            rig.partition.progress().clock(slot) + 1);
        assertThat(rig.partition.onClockDone(rig.part)).isEqualTo(Outcome.APPENDED);
    }

    private float rated()
    {
        return rig.value(RATED.tableId(), KEY);
    }

    private float warming()
    {
        return rig.value(WARMING.tableId(), KEY);
    }

    private List<Float> loggedFactors()
    {
        return rig.storage.records().stream().filter(RateFactorTest::isFactor).map(RateFactorTest::factor).toList();
    }

    @Test
    void shouldCountTheUpdatesOfEachTableWhereNobodyIsBound()
    {
        push(0, RATED);
        push(1, RATED);
        push(0, WARMING);
        push(0, RATED);
        push(1, RATED);
        push(0, RATED);

        assertThat(rated()).isEqualTo(1 + 1 + 0.5f + 0.5f + 0.25f);
        assertThat(warming()).isEqualTo(0.25f);
    }

    @Test
    void shouldTakeNoStepForRowsThatTakeThePlaceOfOthers()
    {
        push(0, RATED);
        push(0, RATED);
        for (int i = 0; i < 5; i++)
        {
            assertThat(rig.pushRows(0, rig.partition.nextSequence(0), RATED, new long[]{KEY}, new float[]{8}))
                .isEqualTo(Outcome.APPENDED);
        }
        push(0, RATED);

        assertThat(rated()).isEqualTo(8.5f);
    }

    @Test
    void shouldLogAFactorOnlyWhereItChanges()
    {
        for (int i = 0; i < 5; i++)
        {
            push(0, RATED);
        }
        assertThat(loggedFactors()).containsExactly(0.25f, 0.5f, 0.25f);
    }

    @Test
    void shouldCountIterationsWhereSlotsAreBound()
    {
        rig.partition.onConsistency(new Consistency(2, 3));
        push(0, RATED);
        push(0, RATED);
        push(1, RATED);
        assertThat(rated()).isEqualTo(3);
        clock(0);
        clock(0);
        push(0, RATED);
        assertThat(rated()).as("the other slot has ended none").isEqualTo(4);
        clock(1);
        clock(1);
        push(0, RATED);
        assertThat(rated()).isEqualTo(4.5f);
        push(1, RATED);
        assertThat(rated()).isEqualTo(5f);
    }

    @Test
    void shouldGoOnFromIterationsWithUpdates()
    {
        rig.partition.onConsistency(new Consistency(1, 1));
        clock(0);
        clock(0);
        clock(0);
        push(0, RATED);
        assertThat(rated()).isEqualTo(0.5f);
        rig.partition.onConsistency(Consistency.EVENTUAL);
        push(0, RATED);
        push(0, RATED);
        assertThat(rated()).isEqualTo(0.5f + 0.5f + 0.25f);
    }

    @Test
    void shouldGoOnFromUpdatesWithIterations()
    {
        for (int i = 0; i < 4; i++)
        {
            push(i % 2, RATED);
        }
        assertThat(rated()).isEqualTo(1 + 1 + 0.5f + 0.5f);
        rig.partition.onConsistency(new Consistency(2, 3));
        push(0, RATED);
        assertThat(rated()).as("the fifth step, and no iteration has ended").isEqualTo(3.25f);
        for (int i = 0; i < 2; i++)
        {
            clock(0);
            clock(1);
        }
        push(0, RATED);
        assertThat(rated()).as("the seventh step").isEqualTo(3.375f);
        final long hash = rig.partition.stateHash();
        rig.takeSnapshot();
        rig.storage.recordAll();
        rig.storage.corruptRecord(4);
        rig.crashAndRestart();
        assertThat(rig.partition.stateHash()).isEqualTo(hash);
        for (int i = 0; i < 2; i++)
        {
            clock(0);
            clock(1);
        }
        push(0, RATED);
        assertThat(rated()).as("the ninth, from a snapshot").isEqualTo(3.4375f);
    }

    /** Iterations that brought no update are steps, too. */
    @Test
    void shouldNotGoBackWhereTheBoundIsLifted()
    {
        rig.partition.onConsistency(new Consistency(1, 1));
        for (int i = 0; i < 4; i++)
        {
            clock(0);
        }
        rig.partition.onConsistency(Consistency.EVENTUAL);
        push(0, RATED);
        assertThat(rated()).isEqualTo(0.25f);
    }

    @Test
    void shouldStayWhereTheLastSlotHasFinished()
    {
        rig.partition.onConsistency(new Consistency(1, 1));
        clock(0);
        clock(0);
        push(0, RATED);
        rig.part.set(0, 1, rig.partition.epoch(), rig.partition.nextSequence(0), 0, Consistency.FINISHED);
        rig.partition.onClockDone(rig.part);
        push(0, RATED);
        assertThat(rated()).isEqualTo(1f);
    }

    @Test
    void shouldTakeAStepForEachSumOfAClock()
    {
        rig.partition.onConsistency(new Consistency(2, 0));
        for (int i = 0; i < 3; i++)
        {
            push(0, RATED);
            push(1, RATED);
            push(1, WARMING);
            clock(0);
            clock(1);
            rig.partition.doClockWork(0);
        }

        assertThat(rated()).isEqualTo(2 + 2 + 1);
        assertThat(warming()).isEqualTo(0.25f + 0.5f + 0.75f);
    }

    @Test
    void shouldTakeTheNewRateForASlotThatIsNotBoundBesideOneThatIs()
    {
        rig.partition.onConsistency(new Consistency(1, 0));
        for (int i = 0; i < 2; i++)
        {
            push(0, RATED);
            clock(0);
            rig.partition.doClockWork(0);
        }
        push(1, RATED);

        assertThat(rated()).isEqualTo(1 + 1 + 0.5f);
    }

    @Test
    void shouldTakeAStepForEachSumOfACycle()
    {
        rig.partition.sumCycles(PartitionRig.MAX_HELD_BYTES);
        for (int i = 0; i < 3; i++)
        {
            push(0, RATED);
            push(1, RATED);
            rig.partition.endCycle();
        }

        assertThat(rated()).isEqualTo(2 + 2 + 1);
    }

    @Test
    void shouldBeTheSameAfterRecoveryFromTheLogAndFromASnapshot()
    {
        for (int i = 0; i < 3; i++)
        {
            push(0, RATED);
            push(0, WARMING);
        }
        final long hash = rig.partition.stateHash();
        rig.storage.recordAll();
        rig.crashAndRestart();
        assertThat(rig.partition.stateHash()).isEqualTo(hash);
        rig.takeSnapshot();
        rig.storage.recordAll();
        rig.storage.corruptRecord(3);
        rig.crashAndRestart();
        assertThat(rig.replica.haltReason()).isNull();
        assertThat(rig.partition.stateHash()).isEqualTo(hash);
        push(0, RATED);
        push(0, RATED);
        push(0, WARMING);

        assertThat(rated()).isEqualTo(1 + 1 + 0.5f + 0.5f + 0.25f);
        assertThat(warming()).isEqualTo(0.25f + 0.5f + 0.75f + 1);
    }

    @Test
    void shouldBeTheSameAtAStandby()
    {
        for (int i = 0; i < 5; i++)
        {
            push(i % 2, RATED);
            push(0, WARMING);
        }

        assertThat(standby((factor) -> factor).stateHash()).isEqualTo(rig.partition.stateHash());
    }

    /** What the log says counts, and not what this version's schedule would. */
    @Test
    void shouldApplyTheFactorOfTheLog()
    {
        for (int i = 0; i < 4; i++)
        {
            push(0, RATED);
        }
        final UnsafeBuffer row = new UnsafeBuffer(new byte[Float.BYTES]);
        standby((factor) -> 0.125f).rows().read(RATED.tableId(), KEY, row, 0);

        assertThat(row.getFloat(0, ByteOrder.LITTLE_ENDIAN)).isEqualTo(1 + 1 + 0.125f + 0.125f);
    }

    /** A partition that has applied the log, with factors changed. */
    private Partition standby(final UnaryOperator<Float> change)
    {
        final Partition standby = new Partition(1, 0, 1, new PartitionFunction(1),
            (number, spec, rowLength) -> new InMemoryRowStore(rowLength, PartitionRig.CAPACITY));
        long position = 0;
        for (final UnsafeBuffer record : rig.storage.records())
        {
            final UnsafeBuffer copy = new UnsafeBuffer(new byte[record.capacity()]);
            copy.putBytes(0, record, 0, record.capacity());
            if (isFactor(copy))
            {
                new RateFactorSetEncoder().wrap(copy, MessageHeaderDecoder.ENCODED_LENGTH)
                    .factor(change.apply(factor(copy)));
            }
            position += record.capacity();
            standby.applyRecord(copy, 0, record.capacity(), position);
        }

        return standby;
    }

    private static boolean isFactor(final UnsafeBuffer record)
    {
        return RateFactorSetDecoder.TEMPLATE_ID == LogRecords.templateId(record, 0);
    }

    private static float factor(final UnsafeBuffer record)
    {
        return new RateFactorSetDecoder().wrapAndApplyHeader(record, 0, new MessageHeaderDecoder()).factor();
    }

    @Test
    void shouldJudgeByTheFactorThatCounts()
    {
        for (int i = 0; i < 2; i++)
        {
            push(0, RATED);
        }
        final Outcome outcome = rig.pushFloats(0, rig.partition.nextSequence(0), RATED.tableId(),
            new long[]{KEY, KEY}, new float[]{Float.MAX_VALUE, Float.MAX_VALUE});

        assertThat(outcome).isEqualTo(Outcome.APPENDED);
        assertThat(rated()).as("by half each").isEqualTo(-Float.MAX_VALUE);
    }
}
