// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Gradients that come in 2 bytes: the rows change by what they are decoded to, at once, in sums and after a restart.
 */
class EncodedPushesTest
{
    private static final TableSpec SUMS = TableSpec.sparse(2, "sums", 1, "add/1");
    private static final TableSpec GUARDED = TableSpec.sparse(3, "guarded", 1, "sgd/1 rate=1 refuse-non-finite");
    private static final float THIRD = 1f / 3;

    private final PartitionRig rig = new PartitionRig();
    private long sequence;

    @ParameterizedTest
    @EnumSource(ValueEncoding.class)
    void shouldBeTheSameAfterReplayAndFromASnapshot(final ValueEncoding encoding)
    {
        create(SUMS);
        push(SUMS, encoding, keys(1, 2), THIRD, -5);
        rig.takeSnapshot();
        push(SUMS, encoding, keys(2, 3, 2), THIRD, 7, 1);
        final long hash = rig.partition.stateHash();
        rig.storage.recordAll();
        rig.crashAndRestart();

        assertThat(rig.partition.stateHash()).isEqualTo(hash);
        assertThat(rig.value(SUMS.tableId(), 1)).isEqualTo(encoding.rounded(THIRD));
        assertThat(rig.value(SUMS.tableId(), 2)).isEqualTo(-5 + encoding.rounded(THIRD) + 1);
        assertThat(rig.value(SUMS.tableId(), 3)).isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource(ValueEncoding.class)
    void shouldAddDecodedGradientsToTheSumOfAnIteration(final ValueEncoding encoding)
    {
        create(SUMS);
        assertThat(rig.partition.onConsistency(new Consistency(1, 0))).isTrue();
        push(SUMS, encoding, keys(1, 2), THIRD, 3);
        push(SUMS, encoding, keys(1), THIRD);
        assertThat(rig.value(SUMS.tableId(), 1)).isZero();
        rig.part.set(0, rig.incarnation, rig.partition.epoch(), ++sequence, 0, 1);
        rig.partition.onClockDone(rig.part);
        rig.partition.doClockWork(0);
        rig.storage.recordAll();

        assertThat(rig.value(SUMS.tableId(), 1)).isEqualTo(encoding.rounded(THIRD) + encoding.rounded(THIRD));
        assertThat(rig.value(SUMS.tableId(), 2)).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(ValueEncoding.class)
    void shouldRefuseWhatIsNotFiniteOnceItIsDecoded(final ValueEncoding encoding)
    {
        create(SUMS);
        create(GUARDED);
        push(SUMS, encoding, keys(1, 2), 1, Float.NaN);
        push(SUMS, encoding, keys(1), Float.NEGATIVE_INFINITY);
        push(GUARDED, encoding, keys(1), 1);

        assertThat(refusals()).containsExactly("1:" + Refusal.NOT_FINITE.code(), "2:" + Refusal.NOT_FINITE.code());
        assertThat(rig.value(GUARDED.tableId(), 1)).isEqualTo(-1);
    }

    @Test
    void shouldRefuseARowThatDecodedGradientsMakeInfinite()
    {
        create(GUARDED);
        push(GUARDED, ValueEncoding.BFLOAT16, keys(1), -2e38f);
        push(GUARDED, ValueEncoding.BFLOAT16, keys(1), -2e38f);

        assertThat(refusals()).containsExactly("2:" + Refusal.ROW_NOT_FINITE.code());
        assertThat(rig.value(GUARDED.tableId(), 1)).isEqualTo(ValueEncoding.BFLOAT16.rounded(2e38f));
    }

    @Test
    void shouldRefuseOtherLengthsAndTablesOfLongs()
    {
        create(SUMS);
        // one of two rows has no value
        push(SUMS, ValueEncoding.FLOAT16, keys(1, 2), 1);
        push(TableSpec.AUDIT, ValueEncoding.FLOAT16, keys(0), new float[TableSpec.AUDIT.dim()]);
        push(TableSpec.AUDIT, ValueEncoding.FLOAT16, keys(0), new float[2 * TableSpec.AUDIT.dim()]);
        push(TableSpec.AUDIT, ValueEncoding.BFLOAT16, keys(0), new float[4 * TableSpec.AUDIT.dim()]);

        final String mismatch = ":" + Refusal.DIMENSION_MISMATCH.code();
        assertThat(refusals())
            .containsExactlyInAnyOrder("1" + mismatch, "2" + mismatch, "3" + mismatch, "4" + mismatch);
        assertThat(rig.audit(0)).containsExactly(0, 0, 0);
    }

    @Test
    void shouldTakeWholeRowsAsTheyAre()
    {
        create(SUMS);
        push(SUMS, ValueEncoding.FLOAT16, keys(1), 1);
        rig.pushFloats(0, ++sequence, SUMS.tableId(), Sections.ROWS, KeyForm.KEYS, keys(1), new float[]{THIRD});

        assertThat(rig.value(SUMS.tableId(), 1)).isEqualTo(THIRD);
    }

    private void create(final TableSpec spec)
    {
        assertThat(rig.partition.onCreateTable(spec, rig.partition.epoch())).isEqualTo(Outcome.APPENDED);
    }

    private void push(final TableSpec spec, final ValueEncoding encoding, final long[] keys, final float... values)
    {
        assertThat(rig.pushFloats(0, ++sequence, spec.tableId(), encoding.wire(), KeyForm.KEYS, keys, values))
            .isEqualTo(Outcome.APPENDED);
    }

    private static long[] keys(final long... keys)
    {
        return keys;
    }

    private List<String> refusals()
    {
        final List<String> refusals = new ArrayList<>();
        rig.partition.progress().forEachRefusal(0, (at, code) -> refusals.add(at + ":" + code));
        return refusals;
    }
}
