// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.function.UpdateFunction;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.server.table.InMemoryRowStore;
import io.gradstream.server.table.RowTable;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rows that are updated in pieces, or few at a time, beside one loop over the whole row.
 */
class LongRowsTest
{
    private static final int UPDATES = 5;
    private static final int KEYS = 3;
    private static final long SEED = 7;

    private final Random random = new Random(SEED);
    private final PartitionState state = new PartitionState(0, new PartitionFunction(1),
        (number, spec, rowLength) -> new InMemoryRowStore(rowLength, KEYS));
    private final SnapshotTaker snapshotTaker = new SnapshotTaker(1, state);
    private long position;

    static Stream<TableSpec> shouldChangeRowsToTheBitAsOneLoop()
    {
        final IntStream dims = IntStream.of(65, 255, 511, 513, 1023, 1024, 1025, 2047, 3072, 4097, 8192);
        final List<String> functions = List.of("ftrl/1 alpha=0.1 beta=1 l1=0.01 l2=0.1", "sgd/1 rate=0.1",
            "sgd/1 rate=0.1 clip=0.5", "add/1", "assign/1", "adam/1 rate=0.1", "sgd/1 rate=0.1 clip-norm=0.5");
        return dims.boxed().flatMap((dim) -> functions.stream()
            .map((function) -> TableSpec.sparse(3, "rows", dim, function)));
    }

    @ParameterizedTest
    @MethodSource
    void shouldChangeRowsToTheBitAsOneLoop(final TableSpec spec)
    {
        shouldChangeRows(spec, ValueEncoding.RAW);
    }

    @ParameterizedTest
    @MethodSource("shouldChangeRowsToTheBitAsOneLoop")
    void shouldChangeRowsByEncodedGradientsAsByTheRoundedOnes(final TableSpec spec)
    {
        shouldChangeRows(spec, 0 == spec.dim() % 2 ? ValueEncoding.BFLOAT16 : ValueEncoding.FLOAT16);
    }

    private void shouldChangeRows(final TableSpec spec, final ValueEncoding encoding)
    {
        final RowTable table = state.addTable(spec);
        final UpdateFunction function = UpdateFunctions.BUILT_IN.parse(spec.function());
        final int dim = spec.dim();
        final float[][] values = new float[KEYS][dim];
        final float[][] states = new float[KEYS][dim * function.statePerValue()];
        for (int i = 0; i < UPDATES; i++)
        {
            final float[] gradient = new float[KEYS * dim];
            for (int j = 0; j < gradient.length; j++)
            {
                gradient[j] = 4 * random.nextFloat() - 2;
            }
            update(table, gradient, encoding);
            for (int j = 0; j < gradient.length; j++)
            {
                gradient[j] = encoding.rounded(gradient[j]);
            }
            for (int key = 0; key < KEYS; key++)
            {
                function.updateFloats(
                    values[key], states[key], Arrays.copyOfRange(gradient, key * dim, (key + 1) * dim), dim, 1f);
            }
        }

        assertThat(table.rowsNotFinite()).isZero();
        for (int key = 0; key < KEYS; key++)
        {
            assertThat(table.version(table.findOrCreate(key))).isEqualTo(position);
            final UnsafeBuffer expected = new UnsafeBuffer(new byte[table.rowLength()]);
            expected.putLong(0, position, ByteOrder.LITTLE_ENDIAN);
            put(expected, RowTable.VERSION_LENGTH, values[key]);
            put(expected, RowTable.VERSION_LENGTH + spec.valuesLength(), states[key]);
            final UnsafeBuffer row = new UnsafeBuffer(new byte[table.rowLength()]);
            table.copy(key, row, 0);
            assertThat(row.byteArray()).isEqualTo(expected.byteArray());
        }
    }

    @Test
    void shouldCountARowWithInfinitiesInSeveralPiecesOnce()
    {
        final int dim = 2_500;
        final RowTable table = state.addTable(TableSpec.sparse(3, "rows", dim, "assign/1"));
        final int[][] places = {{0}, {2_499}, {1_023, 1_024}, {0, 2_000}, {}, {2_048}, {}};
        for (final int[] infinities : places)
        {
            final float[] gradient = new float[KEYS * dim];
            for (final int at : infinities)
            {
                gradient[dim + at] = Float.POSITIVE_INFINITY;
            }
            update(table, gradient, ValueEncoding.RAW);
            assertThat(table.rowsNotFinite()).as(Arrays.toString(infinities)).isEqualTo(Math.min(1, infinities.length));
        }
    }

    private void update(final RowTable table, final float[] gradient, final ValueEncoding encoding)
    {
        final int valuesLength = gradient.length * encoding.elementLength();
        final int bodyLength = Long.BYTES + valuesLength;
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[Sections.lengthOf(1, bodyLength)]);
        final int entry = Sections.GROUP_HEADER_LENGTH;
        buffer.putShort(0, (short)Sections.ENTRY_LENGTH, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(2, (short)1, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(entry, table.spec().tableId(), ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(entry + 4, KEYS, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(entry + 8, valuesLength, ByteOrder.LITTLE_ENDIAN);
        buffer.putByte(entry + 12, (byte)KeyForm.RANGE);
        buffer.putByte(entry + 13, (byte)encoding.wire());
        buffer.putInt(entry + Sections.ENTRY_LENGTH, bodyLength, ByteOrder.LITTLE_ENDIAN);
        encoding.encode(gradient, 0, buffer, Sections.lengthOf(1, Long.BYTES), gradient.length);
        final Sections sections = new Sections().wrap(buffer, 0, buffer.capacity());
        assertThat(sections.isMalformed()).isFalse();
        assertThat(sections.next()).isTrue();
        table.update(sections, snapshotTaker.scan(), ++position);
    }

    private static void put(final UnsafeBuffer buffer, final int offset, final float[] values)
    {
        for (int i = 0; i < values.length; i++)
        {
            buffer.putFloat(offset + i * Float.BYTES, values[i], ByteOrder.LITTLE_ENDIAN);
        }
    }
}
