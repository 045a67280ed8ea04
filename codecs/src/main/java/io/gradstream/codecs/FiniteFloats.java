// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;

/**
 * Tells whether floats are finite, two of them in one step: each push is looked at by its worker and by its server.
 * <p>
 * Only if a value is infinite or NaN are all bits of its exponent set. Adding one to these carries into the bit of the
 * sign, which is masked out before.
 */
public final class FiniteFloats
{
    private static final long BASE = UnsafeApi.arrayBaseOffset(float[].class);
    /** Of two values side by side: the bits of their exponents, the lowest of these, and their signs. */
    private static final long EXPONENTS = 0x7F80_0000_7F80_0000L;
    private static final long ONES = 0x0080_0000_0080_0000L;
    private static final long SIGNS = 0x8000_0000_8000_0000L;
    /** Values that one turn of the loop looks at. */
    private static final int BLOCK = 8;

    private FiniteFloats()
    {
    }

    /**
     * True if none of the first values is infinite or NaN.
     *
     * @throws IndexOutOfBoundsException if there are fewer.
     */
    public static boolean areFinite(final float[] values, final int count)
    {
        if (count > values.length)
        {
            throw new IndexOutOfBoundsException("count=" + count + " length=" + values.length);
        }

        return areFinite(values, BASE, count);
    }

    /**
     * True if none of the little-endian values that begin at an offset is infinite or NaN.
     *
     * @throws IndexOutOfBoundsException if the buffer ends before them.
     */
    public static boolean areFinite(final DirectBuffer buffer, final int offset, final int count)
    {
        buffer.boundsCheck(offset, count * Float.BYTES);

        return areFinite(buffer.byteArray(), buffer.addressOffset() + offset, count);
    }

    private static boolean areFinite(final Object base, final long from, final int count)
    {
        long carries = 0;
        long address = from;
        int left = count;
        for (; left >= BLOCK; left -= BLOCK, address += BLOCK * Float.BYTES)
        {
            carries |= exponentCarries(UnsafeApi.getLong(base, address)) |
                exponentCarries(UnsafeApi.getLong(base, address + Long.BYTES)) |
                exponentCarries(UnsafeApi.getLong(base, address + 2 * Long.BYTES)) |
                exponentCarries(UnsafeApi.getLong(base, address + 3 * Long.BYTES));
        }
        for (; left > 0; left--, address += Float.BYTES)
        {
            carries |= exponentCarries(Integer.toUnsignedLong(UnsafeApi.getInt(base, address)));
        }

        return 0 == (carries & SIGNS);
    }

    private static long exponentCarries(final long bits)
    {
        return (bits & EXPONENTS) + ONES;
    }
}
