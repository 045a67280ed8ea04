// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs.values;

import io.gradstream.codecs.FloatArrays;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import java.nio.ByteOrder;
import java.util.Objects;

/**
 * How the elements of rows are encoded in a message, in little-endian order. The encodings of 2 bytes round to the
 * nearest value, to the even one of two that are as near. They keep infinities, NaN and the sign of zero.
 */
public enum ValueEncoding
{
    /** Elements as the table holds them. */
    RAW(1, Float.BYTES, 0x7F80_0000),
    /**
     * The upper half of an IEEE 754 binary32: as great a range, 8 significant bits. A value changes by at most 2^-8 of
     * its size; the greatest ones become infinite.
     */
    BFLOAT16(3, Short.BYTES, 0x7F7F_8000),
    /**
     * IEEE 754 binary16: 11 significant bits. A value from 6.1e-5 to 65,504 changes by at most 2^-11 of its size, a
     * smaller one by at most 3.0e-8, and a greater one becomes infinite.
     */
    FLOAT16(4, Short.BYTES, 0x477F_F000);

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private static final int SIGN_16 = 0x8000;
    private static final int INFINITY_16 = 0x7C00;
    private static final int QUIET_NAN_16 = 0x7E00;
    /** Bits of the significand that binary32 has and binary16 has not. */
    private static final int LOST_BITS_16 = 13;
    /** Difference of the exponents' biases, in place. */
    private static final int REBIAS = (127 - 15) << 23;
    /** Bits of 2^-14, the least binary16 that is not subnormal. */
    private static final int LEAST_NORMAL = (127 - 14) << 23;
    private static final int INFINITY_32 = 0x7F800000;
    private static final int QUIET_NAN_BIT_32 = 0x00400000;
    /** 2^-24, the unit of subnormal binary16 values. */
    private static final float UNIT = 0x1p-24f;

    private final int wire;
    private final int elementLength;
    /** Bits of the least binary32 that becomes infinite. */
    private final int leastInfinite;

    ValueEncoding(final int wire, final int elementLength, final int leastInfinite)
    {
        this.wire = wire;
        this.elementLength = elementLength;
        this.leastInfinite = leastInfinite;
    }

    /** The encoding that a message names; {@link #RAW} if it names none, or one that is not known here. */
    public static ValueEncoding ofWire(final int wire)
    {
        return BFLOAT16.wire == wire ? BFLOAT16 : FLOAT16.wire == wire ? FLOAT16 : RAW;
    }

    /** The number in a message. */
    public int wire()
    {
        return wire;
    }

    /** Bytes of an element that is a float. */
    public int elementLength()
    {
        return elementLength;
    }

    /** True if a value that is finite is still finite once it is encoded. */
    public boolean keepsFinite(final float value)
    {
        return (Float.floatToRawIntBits(value) & ~Integer.MIN_VALUE) < leastInfinite;
    }

    /** The value that is decoded from an encoded one. */
    public float rounded(final float value)
    {
        return RAW == this ? value : ofHalf(toHalf(Float.floatToRawIntBits(value)));
    }

    /**
     * Encode floats of an array.
     *
     * @param from   index of the first float.
     * @param offset of the first encoded element, in bytes.
     * @param count  of elements.
     * @throws IndexOutOfBoundsException if array or buffer end before them.
     */
    public void encode(
        final float[] source, final int from, final MutableDirectBuffer target, final int offset, final int count)
    {
        if (RAW == this)
        {
            FloatArrays.write(source, from, count, target, offset);
            return;
        }
        target.boundsCheck(offset, count * Short.BYTES);
        Objects.checkFromIndexSize(from, count, source.length);
        for (int i = 0; i < count; i++)
        {
            final int half = toHalf(Float.floatToRawIntBits(source[from + i]));
            target.putShort(offset + i * Short.BYTES, (short)half, ORDER);
        }
    }

    /**
     * Encode floats in the place where they are.
     *
     * @param offset of the first float, in bytes, and of the first encoded element afterwards.
     * @param count  of elements.
     */
    public void encodeInPlace(final MutableDirectBuffer buffer, final int offset, final int count)
    {
        if (RAW == this)
        {
            return;
        }
        for (int i = 0; i < count; i++)
        {
            final int half = toHalf(buffer.getInt(offset + i * Float.BYTES, ORDER));
            buffer.putShort(offset + i * Short.BYTES, (short)half, ORDER);
        }
    }

    /**
     * Decode elements.
     *
     * @param offset of the first element, in bytes.
     * @param target of the floats.
     * @param from   index of the first one.
     * @param count  of elements.
     * @throws IndexOutOfBoundsException if buffer or array end before them.
     */
    public void decode(
        final DirectBuffer source, final int offset, final float[] target, final int from, final int count)
    {
        if (RAW == this)
        {
            FloatArrays.read(source, offset, target, from, count);
            return;
        }
        source.boundsCheck(offset, count * Short.BYTES);
        Objects.checkFromIndexSize(from, count, target.length);
        for (int i = 0; i < count; i++)
        {
            target[from + i] = ofHalf(source.getShort(offset + i * Short.BYTES, ORDER) & 0xFFFF);
        }
    }

    /**
     * Decode elements to floats of a buffer that is not the source.
     *
     * @param offset       of the first element, in bytes.
     * @param targetOffset of the first float, in bytes.
     * @param count        of elements.
     */
    public void decode(
        final DirectBuffer source,
        final int offset,
        final MutableDirectBuffer target,
        final int targetOffset,
        final int count)
    {
        if (RAW == this)
        {
            target.putBytes(targetOffset, source, offset, count * Float.BYTES);
            return;
        }
        for (int i = 0; i < count; i++)
        {
            final float value = ofHalf(source.getShort(offset + i * Short.BYTES, ORDER) & 0xFFFF);
            target.putFloat(targetOffset + i * Float.BYTES, value, ORDER);
        }
    }

    private int toHalf(final int bits)
    {
        return BFLOAT16 == this ? toBfloat16(bits) : toFloat16(bits);
    }

    private float ofHalf(final int half)
    {
        return BFLOAT16 == this ? Float.intBitsToFloat(half << 16) : ofFloat16(half);
    }

    private static int toBfloat16(final int bits)
    {
        if ((bits & ~Integer.MIN_VALUE) > INFINITY_32)
        {
            return (bits | QUIET_NAN_BIT_32) >>> 16;
        }
        return (bits + 0x7FFF + (bits >>> 16 & 1)) >>> 16;
    }

    private static int toFloat16(final int bits)
    {
        final int sign = bits >>> 16 & SIGN_16;
        final int magnitude = bits & ~Integer.MIN_VALUE;
        if (magnitude >= FLOAT16.leastInfinite)
        {
            return sign | (magnitude > INFINITY_32 ? QUIET_NAN_16 : INFINITY_16);
        }
        if (magnitude < LEAST_NORMAL)
        {
            // exact up to the last step: a multiplication by a power of two, then one rounding
            return sign | (int)Math.rint(Float.intBitsToFloat(magnitude) / UNIT);
        }
        final int half = (1 << LOST_BITS_16 - 1) - 1 + (magnitude >>> LOST_BITS_16 & 1);

        return sign | magnitude - REBIAS + half >>> LOST_BITS_16;
    }

    private static float ofFloat16(final int half)
    {
        final int magnitude = half & ~SIGN_16;
        final int sign = (half & SIGN_16) << 16;
        if (magnitude >= INFINITY_16)
        {
            return Float.intBitsToFloat(sign | INFINITY_32 | (magnitude & 0x3FF) << LOST_BITS_16);
        }
        final float value = magnitude < 0x400 ?
            magnitude * UNIT : Float.intBitsToFloat((magnitude << LOST_BITS_16) + REBIAS);

        return Float.intBitsToFloat(sign | Float.floatToRawIntBits(value));
    }
}
