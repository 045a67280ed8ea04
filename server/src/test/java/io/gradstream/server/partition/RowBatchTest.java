// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.function.UpdateFunction;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.server.table.InMemoryRowStore;
import io.gradstream.server.table.RowTable;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rows that are updated many at a time, beside a model that updates them one by one.
 */
class RowBatchTest
{
    private static final int KEYS = 400;
    private static final int ROWS = 1_000;
    private static final int SECTIONS = 20;
    private static final long SEED = 7;

    private final Random random = new Random(SEED);
    private final PartitionState state = new PartitionState(0, new PartitionFunction(1),
        (number, spec, rowLength) -> new InMemoryRowStore(rowLength, 2 * KEYS));
    private final SnapshotTaker snapshotTaker = new SnapshotTaker(1, state);
    private final Map<Long, float[][]> model = new HashMap<>();
    private long position;

    @ParameterizedTest
    @CsvSource({
        "ftrl/1 alpha=0.1 beta=1 l1=0.01 l2=0.1, 1", "ftrl/1 alpha=0.1 beta=1 l1=0.01 l2=0.1, 5",
        "ftrl/1 alpha=0.1 beta=1 l1=0.01 l2=0.1, 64", "sgd/1 rate=0.1, 1", "sgd/1 rate=0.1, 16",
        "sgd/1 rate=0.1 clip=0.5, 3", "add/1, 2", "assign/1, 1", "sgd/1 rate=0.1, 100",
        "ftrl/1 alpha=0.1 beta=1 l1=0.01 l2=0.1, 500", "sgd/1 rate=0.1 clip=0.5, 1030",
        "adam/1 rate=0.1, 1", "adam/1 rate=0.1, 5", "adamw/1 rate=0.1 decay=0.01, 64",
        "sgd/2 rate=0.1 momentum=0.9 nesterov decay=0.01, 3", "adagrad/1 rate=0.1, 16",
        "sgd/1 rate=0.1 clip-norm=0.5, 1", "adam/1 rate=0.1 clip-norm=0.5, 5", "add/1 clip-norm=0.5, 1030"})
    void shouldChangeRowsToTheBitAsOneByOne(final String function, final int dim)
    {
        final TableSpec spec = TableSpec.sparse(3, "rows", dim, function);
        final RowTable table = state.addTable(spec);
        for (int i = 0; i < SECTIONS; i++)
        {
            // in some sections a key comes twice, next to itself or far from it
            final long[] keys = random.longs(ROWS, 0, 0 == i % 2 ? KEYS : 10 * KEYS).map((key) -> key % KEYS).toArray();
            final float[] gradient = gradient(keys.length * dim);
            table.update(section(spec, keys, gradient), snapshotTaker.scan(), ++position);
            updateModel(spec, keys, gradient);
        }

        assertThat(table.store().size()).isEqualTo(model.size());
        assertThat(table.rowsNotFinite()).isZero();
        checkRows(table);
    }

    @Test
    void shouldCountRowsThatAreNotFiniteInAndOutOfABatch()
    {
        final TableSpec spec = TableSpec.sparse(3, "rows", 1, "add/1");
        final RowTable table = state.addTable(spec);
        final long[] keys = {1, 2, 3, 2, 4};
        final float huge = Float.MAX_VALUE;

        table.update(section(spec, keys, new float[]{1, huge, 1, huge, 1}), snapshotTaker.scan(), ++position);
        assertThat(table.rowsNotFinite()).isEqualTo(1);
        table.update(section(spec, keys, new float[]{huge, 1, huge, 1, 1}), snapshotTaker.scan(), ++position);
        assertThat(table.rowsNotFinite()).isEqualTo(1);
        table.update(section(spec, keys, new float[]{huge, 1, huge, 1, 1}), snapshotTaker.scan(), ++position);
        assertThat(table.rowsNotFinite()).isEqualTo(3);
    }

    @Test
    void shouldGiveEachRowThePositionOfItsLastUpdate()
    {
        final TableSpec spec = TableSpec.sparse(3, "rows", 1, "add/1");
        final RowTable table = state.addTable(spec);
        table.update(section(spec, new long[]{1, 2, 3}, new float[3]), snapshotTaker.scan(), 10);
        table.update(section(spec, new long[]{3, 3}, new float[2]), snapshotTaker.scan(), 20);

        assertThat(table.version(table.findOrCreate(1))).isEqualTo(10);
        assertThat(table.version(table.findOrCreate(3))).isEqualTo(20);
    }

    private float[] gradient(final int count)
    {
        final float[] gradient = new float[count];
        for (int i = 0; i < count; i++)
        {
            gradient[i] = 4 * random.nextFloat() - 2;
        }

        return gradient;
    }

    private Sections section(final TableSpec spec, final long[] keys, final float[] gradient)
    {
        final int bodyLength = keys.length * Long.BYTES + gradient.length * Float.BYTES;
        final UnsafeBuffer buffer =
            new UnsafeBuffer(ByteBuffer.allocateDirect(Sections.lengthOf(1, bodyLength)));
        buffer.putShort(0, (short)Sections.ENTRY_LENGTH, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(2, (short)1, ByteOrder.LITTLE_ENDIAN);
        final int entry = Sections.GROUP_HEADER_LENGTH;
        buffer.putInt(entry, spec.tableId(), ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(entry + 4, keys.length, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(entry + 8, gradient.length * Float.BYTES, ByteOrder.LITTLE_ENDIAN);
        buffer.putByte(entry + 12, (byte)KeyForm.KEYS);
        buffer.putByte(entry + 13, (byte)Sections.RAW);
        buffer.putInt(entry + Sections.ENTRY_LENGTH, bodyLength, ByteOrder.LITTLE_ENDIAN);
        int offset = Sections.lengthOf(1, 0);
        for (final long key : keys)
        {
            buffer.putLong(offset, key, ByteOrder.LITTLE_ENDIAN);
            offset += Long.BYTES;
        }
        for (final float value : gradient)
        {
            buffer.putFloat(offset, value, ByteOrder.LITTLE_ENDIAN);
            offset += Float.BYTES;
        }
        final Sections sections = new Sections().wrap(buffer, 0, buffer.capacity());
        assertThat(sections.isMalformed()).isFalse();
        assertThat(sections.next()).isTrue();

        return sections;
    }

    private void updateModel(final TableSpec spec, final long[] keys, final float[] gradient)
    {
        final UpdateFunction function = UpdateFunctions.BUILT_IN.parse(spec.function());
        for (int i = 0; i < keys.length; i++)
        {
            final float[][] row = model.computeIfAbsent(keys[i],
                (key) -> new float[][]{new float[spec.dim()], new float[spec.dim() * function.statePerValue()]});
            final float[] rowGradient = new float[spec.dim()];
            System.arraycopy(gradient, i * spec.dim(), rowGradient, 0, spec.dim());
            function.updateFloats(row[0], row[1], rowGradient, spec.dim(), 1f);
        }
    }

    private void checkRows(final RowTable table)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[table.rowLength()]);
        model.forEach((key, row) ->
        {
            table.copy(key, bytes, 0);
            int offset = RowTable.VERSION_LENGTH;
            for (final float[] part : row)
            {
                for (final float value : part)
                {
                    assertThat(bytes.getInt(offset, ByteOrder.LITTLE_ENDIAN)).as("key=%d offset=%d", key, offset)
                        .isEqualTo(Float.floatToRawIntBits(value));
                    offset += Float.BYTES;
                }
            }
        });
    }
}
