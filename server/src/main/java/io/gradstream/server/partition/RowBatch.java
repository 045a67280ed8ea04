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
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * Updates short rows of floats many at a time: gathers them into arrays, lets the update function work on all their
 * values in one loop, and writes them back. Each row comes out, to the bit, as if it had been updated alone, because
 * such a function changes each value by itself, and a row is in a batch only once.
 */
final class RowBatch
{
    /** Longest rows, in values, that are gathered; for longer ones a loop of their own is as fast. */
    static final int MAX_DIM = 64;
    /** Most values of one batch: with gradient and state they fit the processor's first level cache. */
    static final int MAX_VALUES = 1024;

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private final RowTable table;
    private final UpdateFunction function;
    private final int dim;
    private final int statePerValue;
    private final UnsafeBuffer row = new UnsafeBuffer(0, 0);
    private final int[] rows;
    private final float[] values;
    private final float[] state;
    private final float[] gradient;

    RowBatch(final RowTable table, final UpdateFunction function)
    {
        this.table = table;
        this.function = function;
        dim = table.spec().dim();
        statePerValue = function.statePerValue();
        rows = new int[MAX_VALUES / dim];
        values = new float[rows.length * dim];
        state = new float[values.length * statePerValue];
        gradient = new float[values.length];
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
        read(count);
        FloatArrays.read(sections.buffer(), sections.valuesOffset() + from * dim * Float.BYTES,
            gradient, 0, valueCount);
        final int wereNotFinite = 0 == table.rowsNotFinite() ? 0 : rowsNotFinite(count);
        function.updateFloats(values, state, gradient, valueCount);
        table.addRowsNotFinite((areFinite(valueCount) ? 0 : rowsNotFinite(count)) - wereNotFinite);
        write(count);

        return count;
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
        return FiniteFloats.areFinite(values, valueCount) &&
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
