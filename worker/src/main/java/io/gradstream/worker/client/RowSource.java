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
package io.gradstream.worker.client;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.FiniteFloats;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.session.Spool;
import org.agrona.DirectBuffer;

import java.nio.ByteOrder;

/**
 * The gradients of one push, row by row: an array, or a buffer of raw little-endian elements.
 */
public final class RowSource
{
    private float[] floats;
    private long[] longs;
    private DirectBuffer buffer;
    private int offset;

    public RowSource of(final float[] values)
    {
        floats = values;
        longs = null;
        buffer = null;
        return this;
    }

    public RowSource of(final long[] values)
    {
        floats = null;
        longs = values;
        buffer = null;
        return this;
    }

    public RowSource of(final DirectBuffer values, final int valuesOffset)
    {
        floats = null;
        longs = null;
        buffer = values;
        offset = valuesOffset;
        return this;
    }

    /**
     * Check type, length and finiteness.
     *
     * @throws IllegalArgumentException that names the value.
     */
    void check(final TableSpec spec, final int rowCount)
    {
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

    void copyRow(final TableSpec spec, final int row, final Spool spool, final int toOffset)
    {
        final int dim = spec.dim();
        if (null != floats)
        {
            spool.putFloats(toOffset, floats, row * dim, dim);
        }
        else if (null != longs)
        {
            spool.putLongs(toOffset, longs, row * dim, dim);
        }
        else
        {
            final int length = spec.valuesLength();
            spool.buffer().putBytes(toOffset, buffer, offset + row * length, length);
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
            (i % dim) + ": must be finite");
    }

    private float element(final int i)
    {
        return null != floats ? floats[i] : buffer.getFloat(offset + i * Float.BYTES, ByteOrder.LITTLE_ENDIAN);
    }
}
