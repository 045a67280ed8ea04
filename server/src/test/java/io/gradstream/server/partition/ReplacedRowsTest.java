// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.TableSpec;
import io.gradstream.function.UpdateFunction;
import io.gradstream.server.function.UpdateFunctions;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteOrder;
import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whole rows, values and state, that take the place of those there.
 */
class ReplacedRowsTest
{
    private static final TableSpec WEIGHTS = PartitionRig.WEIGHTS;
    private static final TableSpec GUARDED = TableSpec.sparse(2, "guarded", 1, "add/1 refuse-non-finite");
    private static final int DIM = WEIGHTS.dim();
    private static final long KEY = 7;
    private static final int SLOT = 1;

    private final PartitionRig rig = new PartitionRig();
    private final UpdateFunction function = UpdateFunctions.BUILT_IN.parse(WEIGHTS.function());
    private final float[] values = new float[DIM];
    private final float[] state = new float[DIM * function.statePerValue()];
    private long sequence;

    ReplacedRowsTest()
    {
        rig.createTables();
        rig.partition.onCreateTable(GUARDED, rig.partition.epoch());
    }

    /** A row has been trained elsewhere: further pushes change it as they would have there. */
    @Test
    void shouldGoOnFromValuesAndState()
    {
        trainElsewhere(5);
        push(0.25f, -3f);

        assertThat(replace()).isEqualTo(Outcome.APPENDED);
        assertThat(weights()).containsExactly(values);

        for (int i = 0; i < 4; i++)
        {
            push(0.5f - i, 2f * i);
            learn(0.5f - i, 2f * i);
            assertThat(weights()).containsExactly(values);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldBeThereAfterACrash(final boolean isWithSnapshot)
    {
        trainElsewhere(3);
        push(1f, 1f);
        replace();
        rig.storage.recordAll();
        if (isWithSnapshot)
        {
            rig.takeSnapshot();
        }

        rig.crashAndRestart();

        assertThat(weights()).containsExactly(values);
        push(-1f, 4f);
        learn(-1f, 4f);
        assertThat(weights()).containsExactly(values);
    }

    @Test
    void shouldKeepWhatTheRowWasForTheSnapshotUnderWay()
    {
        push(1f, 1f);
        rig.storage.recordAll();
        final float[] before = weights();
        rig.partition.snapshots().start(rig.storage.openSnapshotSink(rig.partition.cursor().position()));
        trainElsewhere(3);
        replace();
        rig.finishSnapshot();
        assertThat(weights()).isNotEqualTo(before);

        // the log behind the snapshot was not recorded
        rig.crashAndRestart();
        assertThat(weights()).containsExactly(before);
    }

    /** What slots push in a clock is added up; rows that are replaced are no part of the sum. */
    @Test
    void shouldReplaceAtOnceWhereClocksAreAddedUp()
    {
        rig.partition.onConsistency(new Consistency(2, 0));
        trainElsewhere(2);

        assertThat(replace()).isEqualTo(Outcome.APPENDED);
        assertThat(weights()).containsExactly(values);

        push(1f, 1f);
        assertThat(weights()).as("held until the clock ends").containsExactly(values);
        assertThat(replace()).as("behind what is held").isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.BUSY);
    }

    @Test
    void shouldWaitForTheSumOfTheDutyCycle()
    {
        rig.partition.sumCycles(PartitionRig.MAX_HELD_BYTES);
        push(1f, 1f);
        trainElsewhere(2);
        assertThat(replace()).isEqualTo(Outcome.REFUSED);
        assertThat(rig.refusal()).isEqualTo(Refusal.BUSY);
        sequence--;

        rig.partition.endCycle();
        assertThat(replace()).isEqualTo(Outcome.APPENDED);
        assertThat(weights()).containsExactly(values);
    }

    /** An import must not use the schedule up. */
    @Test
    void shouldBeNoStepOfASchedule()
    {
        final TableSpec spec = TableSpec.sparse(5, "scheduled", 1, "sgd/1 rate=1 schedule=step:every=1:factor=0.5");
        rig.partition.onCreateTable(spec, rig.partition.epoch());
        for (int i = 0; i < 3; i++)
        {
            rig.pushRows(SLOT, ++sequence, spec, new long[]{KEY}, new float[]{8f});
        }

        rig.pushFloats(SLOT, ++sequence, spec.tableId(), new long[]{KEY}, new float[]{1f});
        assertThat(value(spec)).as("at the whole rate").isEqualTo(7f);
        rig.pushFloats(SLOT, ++sequence, spec.tableId(), new long[]{KEY}, new float[]{1f});
        assertThat(value(spec)).as("at the half").isEqualTo(6.5f);
    }

    private float value(final TableSpec spec)
    {
        final UnsafeBuffer row = new UnsafeBuffer(new byte[spec.valuesLength()]);
        rig.partition.rows().read(spec.tableId(), KEY, row, 0);
        return row.getFloat(0, ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void shouldRefuseRowsOfAnotherLength()
    {
        assertRefused(Refusal.DIMENSION_MISMATCH, WEIGHTS, KEY, new float[DIM]);
        assertRefused(Refusal.DIMENSION_MISMATCH, WEIGHTS, KEY, new float[DIM + state.length + 1]);
    }

    @Test
    void shouldRefuseToReplaceWhatIsCounted()
    {
        final float[] row = new float[TableSpec.AUDIT.valuesLength() / Float.BYTES];
        assertRefused(Refusal.BAD_KEY, TableSpec.AUDIT, SLOT, row);
    }

    @Test
    void shouldRefuseRowsThatAreNotFiniteWhereNoneMayBe()
    {
        assertRefused(Refusal.ROW_NOT_FINITE, GUARDED, KEY, new float[]{Float.NaN});
        assertThat(rig.pushRows(SLOT, ++sequence, GUARDED, new long[]{KEY}, new float[]{3f}))
            .isEqualTo(Outcome.APPENDED);
    }

    @Test
    void shouldCountRowsThatAreNotFinite()
    {
        assertThat(rig.pushRows(SLOT, ++sequence, PartitionRig.COUNTS, new long[]{KEY, 8},
            new float[]{Float.POSITIVE_INFINITY, 2f})).isEqualTo(Outcome.APPENDED);
        assertThat(rowsNotFinite()).isOne();

        rig.pushRows(SLOT, ++sequence, PartitionRig.COUNTS, new long[]{KEY, 8}, new float[]{1f, 2f});
        assertThat(rowsNotFinite()).isZero();
        assertThat(rig.count(KEY)).isEqualTo(1f);
    }

    private long rowsNotFinite()
    {
        int index = 0;
        while (!rig.partition.contents().tableSpec(index).equals(PartitionRig.COUNTS))
        {
            index++;
        }

        return rig.partition.contents().rowsNotFinite(index);
    }

    private void assertRefused(final Refusal refusal, final TableSpec spec, final long key, final float[] row)
    {
        assertThat(rig.pushRows(SLOT, ++sequence, spec, new long[]{key}, row)).isEqualTo(Outcome.APPENDED);
        assertThat(rig.partition.slot(SLOT).refusals.get(sequence)).isEqualTo(refusal.code());
        assertThat(weights()).containsExactly(new float[DIM]);
    }

    private void trainElsewhere(final int steps)
    {
        for (int i = 1; i <= steps; i++)
        {
            learn(i, -0.5f * i);
        }
    }

    private void learn(final float... gradient)
    {
        function.updateFloats(values, state, gradient, DIM, 1f);
    }

    private void push(final float... gradient)
    {
        assertThat(rig.pushFloats(SLOT, ++sequence, WEIGHTS.tableId(), new long[]{KEY}, gradient))
            .isEqualTo(Outcome.APPENDED);
    }

    private Outcome replace()
    {
        final float[] row = Arrays.copyOf(values, DIM + state.length);
        System.arraycopy(state, 0, row, DIM, state.length);
        return rig.pushRows(SLOT, ++sequence, WEIGHTS, new long[]{KEY}, row);
    }

    private float[] weights()
    {
        final UnsafeBuffer row = new UnsafeBuffer(new byte[WEIGHTS.valuesLength()]);
        rig.partition.rows().read(WEIGHTS.tableId(), KEY, row, 0);
        final float[] read = new float[DIM];
        for (int i = 0; i < DIM; i++)
        {
            read[i] = row.getFloat(i * Float.BYTES, ByteOrder.LITTLE_ENDIAN);
        }

        return read;
    }
}
