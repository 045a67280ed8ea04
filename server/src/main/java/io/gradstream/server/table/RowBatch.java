// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.table;

import io.gradstream.codecs.FiniteFloats;
import io.gradstream.codecs.FloatArrays;
import io.gradstream.codecs.Sections;
import io.gradstream.function.UpdateFunction;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;

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

    private final RowTable table;
    private final UpdateFunction function;
    private final int dim;
    private final int statePerValue;
    private final RowLookup lookup;
    private final int maxRows;
    private final long[] addresses;
    private final FloatBlock block = new FloatBlock();
    private final float[] values = block.values();
    private final float[] state;
    private final float[] gradient;
    private final int rowLength;
    /** Written so that no compiler leaves out what is read for it. */
    @SuppressWarnings("UnusedVariable")
    private int fetched;

    RowBatch(final RowTable table, final UpdateFunction function, final RowLookup lookup)
    {
        this.table = table;
        this.function = function;
        this.lookup = lookup;
        dim = table.spec().dim();
        statePerValue = function.statePerValue();
        maxRows = Math.max(1, MAX_VALUES / dim);
        addresses = lookup.addresses;
        state = new float[MAX_VALUES * statePerValue];
        gradient = new float[MAX_VALUES];
        rowLength = RowTable.VERSION_LENGTH + dim * Float.BYTES * (1 + statePerValue);
    }

    /**
     * Update rows of a section, from one on.
     *
     * @param position of the record that brings them.
     * @return how many were updated, at least 1.
     */
    int update(final Sections sections, final int from, final RowObserver observer, final long position)
    {
        final int found = Math.min(maxRows, sections.rowCount() - from);
        lookup.findOrCreate(sections, from, found);
        fetch(found);
        int done = 0;
        while (done < found)
        {
            final int end = take(done, found, observer, position);
            final int gradientOffset = sections.elementsOffset() + (from + done) * dim * Float.BYTES;
            if (dim > MAX_VALUES)
            {
                updateInPieces(sections.elements(), gradientOffset);
            }
            else
            {
                update(done, end - done, sections.elements(), gradientOffset);
            }
            done = end;
        }

        return found;
    }

    /**
     * Read a byte of each line of the rows, so that those which are not in a cache are on their way all at once: what
     * follows works on one row after the other, and would wait for each.
     */
    private void fetch(final int found)
    {
        if (dim > MAX_VALUES)
        {
            return;
        }
        int sum = 0;
        for (int i = 0; i < found; i++)
        {
            final long address = addresses[i];
            for (int offset = 0; offset < rowLength; offset += BitUtil.CACHE_LINE_LENGTH)
            {
                sum += UnsafeApi.getByte(address + offset);
            }
            sum += UnsafeApi.getByte(address + rowLength - 1);
        }
        fetched = sum;
    }

    private void update(final int first, final int count, final DirectBuffer buffer, final int gradientOffset)
    {
        final int valueCount = count * dim;
        gather(first, count);
        FloatArrays.read(buffer, gradientOffset, gradient, 0, valueCount);
        final int wereNotFinite = 0 == table.rowsNotFinite() ? 0 : rowsNotFinite(count);
        function.updateFloats(values, state, gradient, valueCount, table.rateFactor());
        table.addRowsNotFinite((areFinite(valueCount) ? 0 : rowsNotFinite(count)) - wereNotFinite);
        scatter(first, count);
    }

    private void updateInPieces(final DirectBuffer buffer, final int gradientOffset)
    {
        final boolean isSureToBeFinite = 0 == table.rowsNotFinite();
        boolean wasFinite = true;
        boolean isFinite = true;
        for (int done = 0; done < dim; done += MAX_VALUES)
        {
            final int count = Math.min(MAX_VALUES, dim - done);
            final long address = addresses[0] + RowTable.VERSION_LENGTH + (long)done * Float.BYTES;
            FloatArrays.read(address, values, 0, count);
            for (int kind = 0; kind < statePerValue; kind++)
            {
                FloatArrays.read(stateAddress(address, kind), state, kind * count, count);
            }
            FloatArrays.read(buffer, gradientOffset + done * Float.BYTES, gradient, 0, count);
            wasFinite &= isSureToBeFinite || areFinite(count);
            function.updateFloats(values, state, gradient, count, table.rateFactor());
            isFinite &= areFinite(count);
            FloatArrays.write(values, 0, count, address);
            for (int kind = 0; kind < statePerValue; kind++)
            {
                FloatArrays.write(state, kind * count, count, stateAddress(address, kind));
            }
        }
        table.addRowsNotFinite((wasFinite ? 1 : 0) - (isFinite ? 1 : 0));
    }

    /** The values of each kind of state stand behind those of the row. */
    private long stateAddress(final long valueAddress, final int kind)
    {
        return valueAddress + (kind + 1L) * dim * Float.BYTES;
    }

    /**
     * Take found rows into a batch; a row that this record has updated already ends it: it may be one of the batch.
     *
     * @return where it ends.
     */
    private int take(final int begin, final int end, final RowObserver observer, final long position)
    {
        for (int i = begin; i < end; i++)
        {
            final long address = addresses[i];
            if (i > begin && position == UnsafeApi.getLong(address))
            {
                return i;
            }
            observer.beforeUpdate(table, lookup.rows[i]);
            UnsafeApi.putLong(address, position);
        }

        return end;
    }

    private void gather(final int first, final int count)
    {
        if (1 == dim)
        {
            gatherSingles(first, count);
            return;
        }
        for (int i = 0; i < count; i++)
        {
            final long address = addresses[first + i] + RowTable.VERSION_LENGTH;
            FloatArrays.read(address, values, i * dim, dim);
            for (int kind = 0; kind < statePerValue; kind++)
            {
                FloatArrays.read(stateAddress(address, kind), state, (kind * count + i) * dim, dim);
            }
        }
    }

    private void gatherSingles(final int first, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            values[i] = UnsafeApi.getFloat(addresses[first + i] + RowTable.VERSION_LENGTH);
        }
        for (int kind = 0; kind < statePerValue; kind++)
        {
            for (int i = 0; i < count; i++)
            {
                state[kind * count + i] =
                    UnsafeApi.getFloat(stateAddress(addresses[first + i] + RowTable.VERSION_LENGTH, kind));
            }
        }
    }

    private void scatter(final int first, final int count)
    {
        if (1 == dim)
        {
            scatterSingles(first, count);
            return;
        }
        for (int i = 0; i < count; i++)
        {
            final long address = addresses[first + i] + RowTable.VERSION_LENGTH;
            FloatArrays.write(values, i * dim, dim, address);
            for (int kind = 0; kind < statePerValue; kind++)
            {
                FloatArrays.write(state, (kind * count + i) * dim, dim, stateAddress(address, kind));
            }
        }
    }

    private void scatterSingles(final int first, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            UnsafeApi.putFloat(addresses[first + i] + RowTable.VERSION_LENGTH, values[i]);
        }
        for (int kind = 0; kind < statePerValue; kind++)
        {
            for (int i = 0; i < count; i++)
            {
                UnsafeApi.putFloat(
                    stateAddress(addresses[first + i] + RowTable.VERSION_LENGTH, kind), state[kind * count + i]);
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
