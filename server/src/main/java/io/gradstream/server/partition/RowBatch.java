/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.server.partition;

import io.gradstream.codecs.FiniteFloats;
import io.gradstream.codecs.FloatArrays;
import io.gradstream.codecs.Sections;
import io.gradstream.server.function.UpdateFunction;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * Updates rows of floats about a thousand values at a time: short rows many at once, long ones in pieces. It gathers
 * the values into arrays that stay in the processor's first level cache, lets the update function work on all of them
 * in one loop, and writes them back. Each row comes out, to the bit, as if it had been updated alone and whole, because
 * such a function changes each value by itself, and a row is in a batch only once.
 */
final class RowBatch
{
    /** Most values of one batch. */
    static final int MAX_VALUES = FloatBlock.MAX_VALUES;

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private final RowTable table;
    private final UpdateFunction function;
    private final int dim;
    private final int statePerValue;
    private final UnsafeBuffer row = new UnsafeBuffer(0, 0);
    private final int[] rows;
    private final FloatBlock block = new FloatBlock();
    private final float[] values = block.values();
    private final float[] state;
    private final float[] gradient;

    RowBatch(final RowTable table, final UpdateFunction function)
    {
        this.table = table;
        this.function = function;
        dim = table.spec().dim();
        statePerValue = function.statePerValue();
        rows = new int[Math.max(1, MAX_VALUES / dim)];
        state = new float[MAX_VALUES * statePerValue];
        gradient = new float[MAX_VALUES];
    }

    /**
     * Update rows of a section, from one on.
     *
     * @param position of the record that brings them.
     * @return how many were updated, at least 1.
     */
    int update(final Sections sections, final int from, final SnapshotTaker snapshotTaker, final long position)
    {
        final int count = select(sections, from, snapshotTaker, position);
        final int valueCount = count * dim;
        if (valueCount > MAX_VALUES)
        {
            updateInPieces(sections.buffer(), sections.valuesOffset() + from * dim * Float.BYTES);
            return 1;
        }
        read(count);
        FloatArrays.read(sections.buffer(), sections.valuesOffset() + from * dim * Float.BYTES,
            gradient, 0, valueCount);
        final int wereNotFinite = 0 == table.rowsNotFinite() ? 0 : rowsNotFinite(count);
        function.updateFloats(values, state, gradient, valueCount);
        table.addRowsNotFinite((areFinite(valueCount) ? 0 : rowsNotFinite(count)) - wereNotFinite);
        write(count);

        return count;
    }

    private void updateInPieces(final DirectBuffer buffer, final int gradientOffset)
    {
        table.store().wrap(rows[0], row);
        final boolean isSureToBeFinite = 0 == table.rowsNotFinite();
        boolean wasFinite = true;
        boolean isFinite = true;
        for (int done = 0; done < dim; done += MAX_VALUES)
        {
            final int count = Math.min(MAX_VALUES, dim - done);
            final int offset = RowTable.VERSION_LENGTH + done * Float.BYTES;
            FloatArrays.read(row, offset, values, 0, count);
            for (int kind = 0; kind < statePerValue; kind++)
            {
                FloatArrays.read(row, offset + (kind + 1) * dim * Float.BYTES, state, kind * count, count);
            }
            FloatArrays.read(buffer, gradientOffset + done * Float.BYTES, gradient, 0, count);
            wasFinite &= isSureToBeFinite || areFinite(count);
            function.updateFloats(values, state, gradient, count);
            isFinite &= areFinite(count);
            FloatArrays.write(values, 0, count, row, offset);
            for (int kind = 0; kind < statePerValue; kind++)
            {
                FloatArrays.write(state, kind * count, count, row, offset + (kind + 1) * dim * Float.BYTES);
            }
        }
        table.addRowsNotFinite((wasFinite ? 1 : 0) - (isFinite ? 1 : 0));
    }

    /** A row that this record has updated already ends the batch before it: it may be one of the batch. */
    private int select(
        final Sections sections, final int from, final SnapshotTaker snapshotTaker, final long position)
    {
        final int most = Math.min(rows.length, sections.rowCount() - from);
        for (int i = 0; i < most; i++)
        {
            final int index = table.findOrCreate(sections.key(from + i));
            table.store().wrap(index, row);
            if (i > 0 && position == row.getLong(0, ORDER))
            {
                return i;
            }
            snapshotTaker.beforeUpdate(table, index);
            row.putLong(0, position, ORDER);
            rows[i] = index;
        }

        return most;
    }

    private void read(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            table.store().wrap(rows[i], row);
            int offset = RowTable.VERSION_LENGTH;
            FloatArrays.read(row, offset, values, i * dim, dim);
            for (int kind = 0; kind < statePerValue; kind++)
            {
                offset += dim * Float.BYTES;
                FloatArrays.read(row, offset, state, (kind * count + i) * dim, dim);
            }
        }
    }

    private void write(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            table.store().wrap(rows[i], row);
            int offset = RowTable.VERSION_LENGTH;
            FloatArrays.write(values, i * dim, dim, row, offset);
            for (int kind = 0; kind < statePerValue; kind++)
            {
                offset += dim * Float.BYTES;
                FloatArrays.write(state, (kind * count + i) * dim, dim, row, offset);
            }
        }
    }

    private boolean areFinite(final int valueCount)
    {
        return block.areFinite(valueCount) &&
            FiniteFloats.areFinite(state, valueCount * statePerValue);
    }

    private int rowsNotFinite(final int count)
    {
        int notFinite = 0;
        for (int i = 0; i < count; i++)
        {
            notFinite += isFinite(i, count) ? 0 : 1;
        }

        return notFinite;
    }

    private boolean isFinite(final int index, final int count)
    {
        for (int i = index * dim; i < (index + 1) * dim; i++)
        {
            boolean isFinite = Float.isFinite(values[i]);
            for (int kind = 0; kind < statePerValue; kind++)
            {
                isFinite &= Float.isFinite(state[kind * count * dim + i]);
            }
            if (!isFinite)
            {
                return false;
            }
        }

        return true;
    }
}
