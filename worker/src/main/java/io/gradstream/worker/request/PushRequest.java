// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.request;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.FiniteFloats;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;
import io.gradstream.worker.cache.CachedRows;
import io.gradstream.worker.session.Spool;
import org.agrona.DirectBuffer;

import java.nio.ByteOrder;
import java.util.BitSet;

/**
 * One push: rows of a table, and their values in the caller's array or in a buffer of raw little-endian elements. The
 * values are gradients; or whole rows, values and state, that replace the rows there. Used again and again.
 */
public final class PushRequest
{
    private final RowPlan plan;
    private TableSpec spec;
    private int rows;
    // the values are in one of the three
    private float[] floats;
    private long[] longs;
    private DirectBuffer buffer;
    private int offset;
    private int rowLength;
    private ValueEncoding encoding;
    private boolean isWholeRows;
    private boolean isKeyCached;
    /** A row of the caller. */
    private float[] oneRow = new float[0];
    /** Index in the plan of the first row that is in no spool. */
    private int written;

    public PushRequest(final int partitions)
    {
        plan = new RowPlan(new PartitionFunction(partitions));
    }

    /** Push to rows by their keys; {@link #values} or {@link #wholeRows} follow. */
    public PushRequest of(final TableSpec newSpec, final long[] keys, final int from, final int count)
    {
        written = 0;
        plan.ofKeys(newSpec, keys, from, count);
        return begin(newSpec, count);
    }

    /** Push to consecutive rows; {@link #values} follow. */
    public PushRequest ofRange(final TableSpec newSpec, final long firstKey, final int count)
    {
        written = 0;
        plan.ofRange(newSpec, firstKey, count);
        return begin(newSpec, count);
    }

    /** Send the gradients in an encoding; {@link #values} follow. Only floats have another one than raw elements. */
    public PushRequest as(final ValueEncoding newEncoding)
    {
        encoding = newEncoding;
        rowLength = ValueEncoding.RAW == newEncoding ? spec.valuesLength() : spec.dim() * newEncoding.elementLength();

        return this;
    }

    /** Have servers keep the keys as lists, and name these: {@link #values} follow. */
    public PushRequest cacheKeys(final boolean isCached)
    {
        isKeyCached = isCached;
        return this;
    }

    /**
     * Set the gradients.
     *
     * @throws IllegalArgumentException if the table holds other elements, there are too few, or one is not finite, or
     *                                  would not be once it is encoded; it names the value.
     */
    public PushRequest values(final float[] array)
    {
        floats = array;
        return checked(ElementType.FLOAT32, array.length);
    }

    /** As {@link #values(float[])} for a table of longs. */
    public PushRequest values(final long[] array)
    {
        longs = array;
        return checked(ElementType.INT64, array.length);
    }

    /** As {@link #values(float[])} from a buffer of raw little-endian elements, whatever the table holds. */
    public PushRequest values(final DirectBuffer elements, final int firstOffset)
    {
        buffer = elements;
        offset = firstOffset;
        return checked(spec.elementType(), (elements.capacity() - firstOffset) / spec.elementType().length());
    }

    /** Set whole rows, one after the other, each of so many bytes of values and state. */
    public PushRequest wholeRows(final DirectBuffer wholeRows, final int firstOffset, final int length)
    {
        wholeRows.boundsCheck(firstOffset, rows * length);
        buffer = wholeRows;
        offset = firstOffset;
        rowLength = length;
        isWholeRows = true;

        return this;
    }

    public RowPlan plan()
    {
        return plan;
    }

    /** Forget the caller's values. */
    public void release()
    {
        floats = null;
        longs = null;
        buffer = null;
    }

    /** Number of the table. */
    public int tableId()
    {
        return spec.tableId();
    }

    /** The rows of the plan up to an index are in spools. Partitions follow each other, as in the plan. */
    public void onWritten(final int end)
    {
        written = end;
    }

    /** The caller's rows, by their index in the call, that are in spools: of a push that fails they stay pushed. */
    public BitSet rowsWritten()
    {
        final BitSet rowsWritten = new BitSet(rows);
        for (int i = 0; i < written; i++)
        {
            rowsWritten.set(plan.row(i));
        }

        return rowsWritten;
    }

    /** Tell a cache that rows of the plan were pushed: those from one index up to another. */
    public void cache(final CachedRows cached, final int index, final int end)
    {
        cached.onPush();
        for (int i = index; i < end; i++)
        {
            final long key = plan.key(i);
            final int row = plan.row(i);
            if (isWholeRows)
            {
                cached.drop(key);
            }
            else if (ValueEncoding.RAW != encoding)
            {
                cached.push(key, rounded(row), 0);
            }
            else if (null != floats)
            {
                cached.push(key, floats, row * spec.dim());
            }
            else if (null != longs)
            {
                cached.push(key, longs, row * spec.dim());
            }
            else
            {
                cached.push(key, buffer, offset + row * rowLength);
            }
        }
    }

    /** True if its keys are to be lists. */
    boolean isKeyCached()
    {
        return isKeyCached && !plan.isRange();
    }

    TableSpec spec()
    {
        return spec;
    }

    /** Bytes that the values of a row take. */
    int rowLength()
    {
        return rowLength;
    }

    /** The encoding of the rows in a section, of those in {@link Sections}. */
    int encoding()
    {
        return isWholeRows ? Sections.ROWS : encoding.wire();
    }

    /** Copy rows of the plan, from an index on: at once where they stand next to each other here, too. */
    void copyRows(final int index, final int count, final Spool spool, final int to)
    {
        if (plan.areNeighbours(index, index + count))
        {
            copy(plan.row(index), count, spool, to);
            return;
        }
        for (int i = 0; i < count; i++)
        {
            copy(plan.row(index + i), 1, spool, to + i * rowLength);
        }
    }

    private PushRequest begin(final TableSpec newSpec, final int count)
    {
        release();
        spec = newSpec;
        rows = count;
        isWholeRows = false;
        isKeyCached = false;

        return as(ValueEncoding.RAW);
    }

    private PushRequest checked(final ElementType elementType, final long length)
    {
        if (elementType != spec.elementType())
        {
            throw new IllegalArgumentException("table '" + spec.name() + "' holds " + spec.elementType());
        }
        final long elements = (long)rows * spec.dim();
        if (length < elements)
        {
            throw new IllegalArgumentException("invalid gradients.length=" + length + ": " + rows + " rows of " +
                spec.dim() + " need " + elements);
        }
        if (ElementType.FLOAT32 == elementType)
        {
            checkFinite((int)elements, spec.dim());
        }

        return this;
    }

    private void copy(final int row, final int count, final Spool spool, final int to)
    {
        final int elements = count * spec.dim();
        if (ValueEncoding.RAW != encoding && null != floats)
        {
            encoding.encode(floats, row * spec.dim(), spool.buffer(), to, elements);
        }
        else if (ValueEncoding.RAW != encoding)
        {
            for (int i = 0; i < count; i++)
            {
                encoding.encode(row(row + i), 0, spool.buffer(), to + i * rowLength, spec.dim());
            }
        }
        else if (null != floats)
        {
            spool.putFloats(to, floats, row * spec.dim(), elements);
        }
        else if (null != longs)
        {
            spool.putLongs(to, longs, row * spec.dim(), elements);
        }
        else
        {
            spool.buffer().putBytes(to, buffer, offset + row * rowLength, count * rowLength);
        }
    }

    private void checkFinite(final int elements, final int dim)
    {
        final boolean areFinite = null != floats ?
            FiniteFloats.areFinite(floats, elements) : FiniteFloats.areFinite(buffer, offset, elements);
        if (areFinite)
        {
            checkRange(elements, dim);
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

    /** Finite gradients may be infinite in an encoding of 2 bytes. */
    private void checkRange(final int elements, final int dim)
    {
        for (int i = 0; ValueEncoding.RAW != encoding && i < elements; i++)
        {
            if (!encoding.keepsFinite(element(i)))
            {
                throw new IllegalArgumentException("gradient " + element(i) + " at row " + (i / dim) + " element " +
                    (i % dim) + " is infinite as " + encoding + ": push " +
                    (ValueEncoding.FLOAT16 == encoding ? "BFLOAT16 or " : "") + "RAW, or smaller gradients");
            }
        }
    }

    /** A row of the caller as servers decode it. */
    private float[] rounded(final int row)
    {
        final float[] values = row(row);
        for (int i = 0; i < spec.dim(); i++)
        {
            values[i] = encoding.rounded(values[i]);
        }

        return values;
    }

    private float[] row(final int row)
    {
        oneRow = oneRow.length < spec.dim() ? new float[spec.dim()] : oneRow;
        for (int i = 0; i < spec.dim(); i++)
        {
            oneRow[i] = element(row * spec.dim() + i);
        }

        return oneRow;
    }

    private float element(final int i)
    {
        return null != floats ? floats[i] : buffer.getFloat(offset + i * Float.BYTES, ByteOrder.LITTLE_ENDIAN);
    }
}
