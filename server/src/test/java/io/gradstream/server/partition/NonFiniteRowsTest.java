// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.TableSpec;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rows that overflow: they are counted, and a table can refuse what would make them.
 */
class NonFiniteRowsTest
{
    private static final float HUGE = 3e38f;
    private static final TableSpec SUMS = TableSpec.sparse(2, "sums", 2, "add/1");
    private static final TableSpec GUARDED = TableSpec.sparse(3, "guarded", 2, "add/1 refuse-non-finite");
    private static final TableSpec LAST = TableSpec.sparse(4, "last", 1, "assign/1");
    private static final TableSpec FTRL = TableSpec.sparse(5, "ftrl", 1, "ftrl/1 alpha=0.1 beta=1 l1=0.01 l2=0.1");

    private final PartitionRig rig = new PartitionRig();
    private long sequence;

    @Test
    void shouldCountEachRowThatBecameInfiniteOnceForItsTable()
    {
        create(SUMS);
        create(LAST);
        push(SUMS, keys(1, 2, 3), HUGE, 1, 1, -HUGE, 1, 1);
        assertThat(notFinite(SUMS)).isZero();
        push(SUMS, keys(1, 2, 3), HUGE, 1, 1, -HUGE, 1, 1);
        assertThat(notFinite(SUMS)).isEqualTo(2);
        push(SUMS, keys(1, 1), HUGE, HUGE, -HUGE, 1);
        push(SUMS, keys(1), -HUGE, -HUGE);

        assertThat(notFinite(SUMS)).isEqualTo(2);
        assertThat(notFinite(LAST)).isZero();
        assertThat(notFinite(TableSpec.AUDIT)).isZero();
    }

    @Test
    void shouldCountTheSameAfterReplayAndFromASnapshot()
    {
        create(SUMS);
        push(SUMS, keys(1, 2, 3), HUGE, 1, 1, -HUGE, 1, 1);
        push(SUMS, keys(1), HUGE, HUGE);
        rig.takeSnapshot();
        rig.takeSnapshot();
        rig.storage.recordAll();
        rig.crashAndRestart();
        assertThat(rig.partition.snapshotPosition()).isPositive();
        assertThat(notFinite(SUMS)).isEqualTo(1);

        push(SUMS, keys(2), 1, -HUGE);
        rig.storage.recordAll();
        rig.crashAndRestart();
        assertThat(notFinite(SUMS)).isEqualTo(2);
        rig.partition.reset();
        assertThat(rig.partition.contents().tableCount()).isEqualTo(1);
    }

    @Test
    void shouldNoLongerCountARowThatIsFiniteAgain()
    {
        create(SUMS);
        create(LAST);
        push(SUMS, keys(1), HUGE, HUGE);
        push(SUMS, keys(1), HUGE, HUGE);
        push(LAST, keys(9), 1);
        assertThat(notFinite(SUMS)).isEqualTo(1);
        assertThat(notFinite(LAST)).isZero();

        // no gradient brings a sum back, and only finite values are assigned: a seeded row can begin as infinite
        final TableSpec wide = new TableSpec(6, "wide", 64, ElementType.FLOAT32, 0, TableSpec.NORMAL, 7, 3e38f,
            "assign/1");
        create(wide);
        push(wide, keys(1), new float[64]);
        assertThat(notFinite(wide)).isZero();
        assertThat(rig.partition.contents().rowsPresent(index(wide))).isEqualTo(1);
    }

    @Test
    void shouldCountARowWhoseStateOverflows()
    {
        create(FTRL);
        push(FTRL, keys(1, 2), 1e20f, 1f);

        assertThat(values(FTRL, 1)).containsExactly(Float.NaN);
        assertThat(notFinite(FTRL)).isEqualTo(1);
    }

    @Test
    void shouldRefuseBeforeItIsLoggedWhatWouldMakeARowInfinite()
    {
        create(GUARDED);
        assertThat(push(GUARDED, keys(1, 2), HUGE, 1, 5, 5)).isEqualTo(Outcome.APPENDED);
        final long hash = rig.partition.stateHash();

        assertThat(push(GUARDED, keys(2, 1), 1, 1, HUGE, 0)).isEqualTo(Outcome.APPENDED);
        assertThat(refusals()).containsExactly("2:" + Refusal.ROW_NOT_FINITE.code());
        assertThat(rig.partition.lastSequence(0)).isEqualTo(2);
        assertThat(values(GUARDED, 1)).containsExactly(HUGE, 1);
        assertThat(values(GUARDED, 2)).as("the part is refused whole").containsExactly(5, 5);
        assertThat(notFinite(GUARDED)).isZero();
        assertThat(rig.partition.stateHash()).isNotEqualTo(hash);

        assertThat(push(GUARDED, keys(1), -HUGE, 1)).isEqualTo(Outcome.APPENDED);
        assertThat(values(GUARDED, 1)).containsExactly(0, 2);
        rig.storage.recordAll();
        rig.crashAndRestart();
        assertThat(refusals()).containsExactly("2:" + Refusal.ROW_NOT_FINITE.code());
        assertThat(values(GUARDED, 1)).containsExactly(0, 2);
    }

    @Test
    void shouldSeeThatARowNamedTwiceInAPartOverflowsByBothTogether()
    {
        create(GUARDED);
        push(GUARDED, keys(1, 2, 1), HUGE, 0, HUGE, 0, HUGE, 0);
        assertThat(refusals()).containsExactly("1:" + Refusal.ROW_NOT_FINITE.code());
        assertThat(rig.partition.contents().rowsPresent(index(GUARDED))).as("a refused part makes no rows").isZero();

        push(GUARDED, keys(1, 2, 1), HUGE, 0, HUGE, 0, -HUGE, 0);
        assertThat(values(GUARDED, 1)).containsExactly(0, 0);
        assertThat(values(GUARDED, 2)).containsExactly(HUGE, 0);
        assertThat(refusals()).hasSize(1);
    }

    @Test
    void shouldRefuseByItsStateToo()
    {
        final TableSpec spec = TableSpec.sparse(7, "f", 1, FTRL.function() + " refuse-non-finite");
        create(spec);
        push(spec, keys(1), 1e20f);

        assertThat(refusals()).containsExactly("1:" + Refusal.ROW_NOT_FINITE.code());
    }

    @Test
    void shouldClipEachElementOfAGradient()
    {
        final TableSpec spec = TableSpec.sparse(8, "clipped", 3, "sgd/1 rate=2 clip=0.5 refuse-non-finite");
        create(spec);
        push(spec, keys(1), HUGE, -HUGE, 0.25f);
        assertThat(values(spec, 1)).containsExactly(-1f, 1f, -0.5f);
        rig.storage.recordAll();
        final long hash = rig.partition.stateHash();
        rig.crashAndRestart();

        assertThat(rig.partition.stateHash()).isEqualTo(hash);
        assertThat(values(spec, 1)).containsExactly(-1f, 1f, -0.5f);
    }

    private void create(final TableSpec spec)
    {
        assertThat(rig.partition.onCreateTable(spec, rig.partition.epoch()))
            .as(rig.partition.tableRefusalReason()).isEqualTo(Outcome.APPENDED);
    }

    private Outcome push(final TableSpec spec, final long[] keys, final float... values)
    {
        return rig.pushFloats(0, ++sequence, spec.tableId(), keys, values);
    }

    private static long[] keys(final long... keys)
    {
        return keys;
    }

    private int index(final TableSpec spec)
    {
        int index = 0;
        while (!rig.partition.contents().tableSpec(index).equals(spec))
        {
            index++;
        }

        return index;
    }

    private int notFinite(final TableSpec spec)
    {
        return rig.partition.contents().rowsNotFinite(index(spec));
    }

    private float[] values(final TableSpec spec, final long key)
    {
        final UnsafeBuffer row = new UnsafeBuffer(new byte[spec.valuesLength()]);
        rig.partition.rows().read(spec.tableId(), key, row, 0);
        final float[] values = new float[spec.dim()];
        for (int i = 0; i < values.length; i++)
        {
            values[i] = row.getFloat(i * Float.BYTES, ByteOrder.LITTLE_ENDIAN);
        }

        return values;
    }

    private List<String> refusals()
    {
        final List<String> refusals = new ArrayList<>();
        rig.partition.progress().forEachRefusal(0, (at, code) -> refusals.add(at + ":" + code));
        return refusals;
    }
}
