// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.table;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.FloatArrays;
import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.Sections;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Long2LongHashMap;

import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The sum of what slots push to the rows of one table in one clock. Values are added in the order of the calls; the
 * sums are written in the order of the keys.
 */
public final class RowSums
{
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final long MISSING = -1;

    private final RowTable table;
    private final int dim;
    private final boolean isFloat;
    private final Long2LongHashMap rowByKey = new Long2LongHashMap(MISSING);
    private long[] keys;
    private float[] floats;
    private long[] longs;
    private final float[] gradient;
    private int count;
    private int next;

    /** Of no rows, with room for so many at first. */
    public RowSums(final RowTable table, final int expectedRows)
    {
        this.table = table;
        keys = new long[Math.max(1, expectedRows)];
        dim = table.spec().dim();
        isFloat = ElementType.FLOAT32 == table.spec().elementType();
        floats = new float[isFloat ? keys.length * dim : 0];
        longs = new long[isFloat ? 0 : keys.length * dim];
        gradient = new float[isFloat ? dim : 0];
    }

    public RowTable table()
    {
        return table;
    }

    public void clear()
    {
        rowByKey.clear();
        count = 0;
        next = 0;
    }

    public int rowCount()
    {
        return count;
    }

    /** Add the current section of a part. */
    public void add(final Sections sections)
    {
        final int rowCount = sections.rowCount();
        for (int i = 0; i < rowCount; i++)
        {
            final long key = sections.key(i);
            final long known = rowByKey.get(key);
            final boolean isFirst = MISSING == known || table.takesLast();
            final int row = MISSING == known ? addRow(key) : (int)known;
            final int offset = sections.elementsOffset() + i * table.spec().valuesLength();
            if (isFloat)
            {
                addFloats(row, sections, offset, isFirst);
            }
            else
            {
                addLongs(row, sections, offset, isFirst);
            }
        }
    }

    private int addRow(final long key)
    {
        if (count == keys.length)
        {
            keys = Arrays.copyOf(keys, 2 * count);
            floats = isFloat ? Arrays.copyOf(floats, 2 * count * dim) : floats;
            longs = isFloat ? longs : Arrays.copyOf(longs, 2 * count * dim);
        }
        keys[count] = key;
        rowByKey.put(key, count);

        return count++;
    }

    private void addFloats(final int row, final Sections sections, final int offset, final boolean isFirst)
    {
        final int from = row * dim;
        if (isFirst)
        {
            FloatArrays.read(sections.elements(), offset, floats, from, dim);
            return;
        }
        FloatArrays.read(sections.elements(), offset, gradient, 0, dim);
        for (int i = 0; i < dim; i++)
        {
            floats[from + i] += gradient[i];
        }
    }

    private void addLongs(final int row, final Sections sections, final int offset, final boolean isFirst)
    {
        for (int i = 0; i < dim; i++)
        {
            final long value = sections.buffer().getLong(offset + i * Long.BYTES, ORDER);
            longs[row * dim + i] = value + (isFirst ? 0 : longs[row * dim + i]);
        }
    }

    /** All is added: write from the least key on. */
    public void sort()
    {
        Arrays.sort(keys, 0, count);
        next = 0;
    }

    public boolean isWritten()
    {
        return next == count;
    }

    public int rowsLeft()
    {
        return count - next;
    }

    /** How many of the next rows a section of at most so many bytes can hold; 0 if none. */
    public int nextRows(final int maxBytes)
    {
        final int left = count - next;
        final int form = form(left);
        final long perRow = KeyForm.lengthPerRow(form) + (long)table.spec().valuesLength();

        return (int)Math.max(0, Math.min(left, (maxBytes - KeyForm.headLength(form)) / perRow));
    }

    /** The form of the keys of so many of the next rows. */
    public int form(final int rows)
    {
        final long least = keys[next];
        final long greatest = keys[next + rows - 1];

        return greatest - least == rows - 1 ? KeyForm.RANGE : KeyForm.shortest(least, greatest, rows);
    }

    /** Bytes of a section of so many of the next rows. */
    public int length(final int rows)
    {
        return (int)KeyForm.length(form(rows), rows) + rows * table.spec().valuesLength();
    }

    /** Write keys and sums of so many of the next rows, and continue after them; returns the bytes, {@link #length}. */
    public int write(final int rows, final MutableDirectBuffer buffer, final int offset)
    {
        final int form = form(rows);
        final int length = length(rows);
        KeyForm.write(form, keys, next, rows, keys[next], buffer, offset);
        int to = offset + (int)KeyForm.length(form, rows);
        for (int i = next; i < next + rows; i++)
        {
            final int row = (int)rowByKey.get(keys[i]);
            if (isFloat)
            {
                FloatArrays.write(floats, row * dim, dim, buffer, to);
            }
            else
            {
                for (int k = 0; k < dim; k++)
                {
                    buffer.putLong(to + k * Long.BYTES, longs[row * dim + k], ORDER);
                }
            }
            to += table.spec().valuesLength();
        }
        next += rows;

        return length;
    }
}
