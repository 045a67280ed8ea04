// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.request;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.values.ValueEncoding;

import java.lang.reflect.Array;

/** One pull: rows of a table, and the caller's array into which they are to come. Used again and again. */
public final class PullRequest
{
    private final RowPlan plan;
    private TableSpec spec;
    private int rows;
    private ValueEncoding encoding = ValueEncoding.RAW;
    /** Bytes of a row in pushes of the same keys, which are to be lists; 0 where they are not. */
    private int pushedRowLength;
    /** Of floats or of longs, as the table has them. */
    private Object out;

    public PullRequest(final int partitions)
    {
        plan = new RowPlan(new PartitionFunction(partitions));
    }

    /** Pull rows by their keys; {@link #into} follows. */
    public PullRequest of(final TableSpec newSpec, final long[] keys, final int from, final int count)
    {
        plan.ofKeys(newSpec, keys, from, count);
        return begin(newSpec, count);
    }

    /** Pull consecutive rows; {@link #into} follows. */
    public PullRequest ofRange(final TableSpec newSpec, final long firstKey, final int count)
    {
        plan.ofRange(newSpec, firstKey, count);
        return begin(newSpec, count);
    }

    /**
     * Set the destination of the rows.
     *
     * @throws IllegalArgumentException if the table holds other elements, or the array is too short.
     */
    public PullRequest into(final float[] floats)
    {
        return into(ElementType.FLOAT32, floats);
    }

    /** As {@link #into(float[])} for a table of longs. */
    public PullRequest into(final long[] longs)
    {
        return into(ElementType.INT64, longs);
    }

    /** Ask for floats in an encoding; before {@link #into(float[])}. */
    public PullRequest as(final ValueEncoding newEncoding)
    {
        encoding = newEncoding;
        return this;
    }

    /**
     * Have servers keep the keys as lists, and name these; before {@link #into(float[])}.
     *
     * @param isCached     false to send the keys.
     * @param pushEncoding of pushes that have the same keys: the lists are those of such a push.
     */
    public PullRequest cacheKeys(final boolean isCached, final ValueEncoding pushEncoding)
    {
        final int encoded = spec.dim() * pushEncoding.elementLength();
        pushedRowLength = !isCached ? 0 : ValueEncoding.RAW == pushEncoding ? spec.valuesLength() : encoded;

        return this;
    }

    /** True if its keys are to be lists. */
    boolean isKeyCached()
    {
        return pushedRowLength > 0 && !plan.isRange();
    }

    int pushedRowLength()
    {
        return pushedRowLength;
    }

    ValueEncoding encoding()
    {
        return encoding;
    }

    public RowPlan plan()
    {
        return plan;
    }

    TableSpec spec()
    {
        return spec;
    }

    Object out()
    {
        return out;
    }

    private PullRequest begin(final TableSpec newSpec, final int count)
    {
        spec = newSpec;
        rows = count;
        encoding = ValueEncoding.RAW;
        pushedRowLength = 0;
        out = null;

        return this;
    }

    private PullRequest into(final ElementType elementType, final Object array)
    {
        if (elementType != spec.elementType())
        {
            throw new IllegalArgumentException("table '" + spec.name() + "' holds " + spec.elementType());
        }
        final long elements = (long)rows * spec.dim();
        if (Array.getLength(array) < elements)
        {
            throw new IllegalArgumentException("invalid out.length=" + Array.getLength(array) + ": " + rows +
                " rows of " + spec.dim() + " need " + elements);
        }
        out = array;

        return this;
    }
}
