// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.FiniteFloats;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.session.Spool;
import org.agrona.DirectBuffer;

import java.nio.ByteOrder;

/**
 * The content of one push, row by row: gradients, in an array or in a buffer of raw little-endian elements; or whole
 * rows in a buffer, values and state, that replace the rows there.
 */
public final class RowSource
{
    private float[] floats;
    private long[] longs;
    private DirectBuffer buffer;
    private int offset;
    /** Bytes of a whole row; 0 if gradients are pushed. */
    private int wholeRowLength;

    public RowSource of(final float[] values)
    {
        wholeRowLength = 0;
        floats = values;
        longs = null;
        buffer = null;
        return this;
    }

    public RowSource of(final long[] values)
    {
        wholeRowLength = 0;
        floats = null;
        longs = values;
        buffer = null;
        return this;
    }

    public RowSource of(final DirectBuffer values, final int valuesOffset)
    {
        wholeRowLength = 0;
        floats = null;
        longs = null;
        buffer = values;
        offset = valuesOffset;
        return this;
    }

    /**
     * Whole rows, one after the other.
     *
     * @param rowLength bytes of values and state of one row.
     */
    public RowSource ofRows(final DirectBuffer rows, final int rowsOffset, final int rowLength)
    {
        of(rows, rowsOffset);
        wholeRowLength = rowLength;
        return this;
    }

    /** Bytes that a row of a table takes. */
    int rowLength(final TableSpec spec)
    {
        return wholeRowLength > 0 ? wholeRowLength : spec.valuesLength();
    }

    /** The encoding of the rows in a section, of those in {@link Sections}. */
    int encoding()
    {
        return wholeRowLength > 0 ? Sections.ROWS : Sections.RAW;
    }

    /**
     * Check type, length and finiteness.
     *
     * @throws IllegalArgumentException that names the value.
     */
    void check(final TableSpec spec, final int rowCount)
    {
        if (wholeRowLength > 0)
        {
            buffer.boundsCheck(offset, rowCount * wholeRowLength);
            return;
        }
        final long elements = (long)rowCount * spec.dim();
        final boolean isFloat = ElementType.FLOAT32 == spec.elementType();
        if (isFloat ? null != longs : null != floats)
        {
            throw new IllegalArgumentException("table '" + spec.name() + "' holds " + spec.elementType());
        }
        final long length = null != floats ? floats.length : null != longs ? longs.length :
            (buffer.capacity() - offset) / spec.elementType().length();
        if (length < elements)
        {
            throw new IllegalArgumentException("invalid gradients.length=" + length + ": " + rowCount + " rows of " +
                spec.dim() + " need " + elements);
        }
        if (isFloat)
        {
            checkFinite((int)elements, spec.dim());
        }
    }

    /** Copy rows of a plan, from an index on: at once where they stand next to each other here, too. */
    void copyRows(
        final TableSpec spec, final RowPlan plan, final int index, final int count, final Spool spool, final int to)
    {
        if (plan.areNeighbours(index, index + count))
        {
            copy(spec, plan.row(index), count, spool, to);
            return;
        }
        for (int i = 0; i < count; i++)
        {
            copy(spec, plan.row(index + i), 1, spool, to + i * rowLength(spec));
        }
    }

    private void copy(final TableSpec spec, final int row, final int count, final Spool spool, final int to)
    {
        final int elements = count * spec.dim();
        if (null != floats)
        {
            spool.putFloats(to, floats, row * spec.dim(), elements);
        }
        else if (null != longs)
        {
            spool.putLongs(to, longs, row * spec.dim(), elements);
        }
        else
        {
            final int length = rowLength(spec);
            spool.buffer().putBytes(to, buffer, offset + row * length, count * length);
        }
    }

    void release()
    {
        floats = null;
        longs = null;
        buffer = null;
    }

    private void checkFinite(final int elements, final int dim)
    {
        final boolean areFinite = null != floats ?
            FiniteFloats.areFinite(floats, elements) : FiniteFloats.areFinite(buffer, offset, elements);
        if (areFinite)
        {
            return;
        }

        int i = 0;
        while (Float.isFinite(element(i)))
        {
            i++;
        }
        throw new IllegalArgumentException("invalid gradient " + element(i) + " at row " + (i / dim) + " element " +
            (i % dim) + ": must be finite; if values grow from push to push, training has diverged: use a lower rate," +
            " clip= in the function of the table, or inputs of a smaller scale");
    }

    private float element(final int i)
    {
        return null != floats ? floats[i] : buffer.getFloat(offset + i * Float.BYTES, ByteOrder.LITTLE_ENDIAN);
    }
}
