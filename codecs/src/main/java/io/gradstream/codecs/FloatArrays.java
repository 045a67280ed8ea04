// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.UnsafeApi;

import java.nio.ByteOrder;
import java.util.Objects;

/**
 * Copies floats between little-endian bytes in buffers and arrays: C2 vectorises loops over arrays but not over memory
 * off heap, so copying a row there and back is faster than updating it in place.
 */
public final class FloatArrays
{
    private static final long BASE = UnsafeApi.arrayBaseOffset(float[].class);
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    /** From here on one block copy beats single reads. */
    private static final int BLOCK_COPY_FROM = 16;
    /** Up to so many values are copied two at a time: calling a block copy takes long for them. Not measured alone. */
    private static final int MAX_PAIRED = 64;

    private FloatArrays()
    {
    }

    /**
     * Copy from a buffer.
     *
     * @param offset of the first value in the buffer, in bytes.
     * @param from   index of the first value in the array.
     * @param count  of values.
     * @throws IndexOutOfBoundsException if buffer or array end before them.
     */
    public static void read(
        final DirectBuffer source, final int offset, final float[] target, final int from, final int count)
    {
        if (count < BLOCK_COPY_FROM)
        {
            for (int i = 0; i < count; i++)
            {
                target[from + i] = source.getFloat(offset + i * Float.BYTES, ORDER);
            }
            return;
        }

        final int length = count * Float.BYTES;
        source.boundsCheck(offset, length);
        Objects.checkFromIndexSize(from, count, target.length);
        UnsafeApi.copyMemory(
            source.byteArray(), source.addressOffset() + offset, target, BASE + (long)from * Float.BYTES, length);
    }

    /**
     * Copy to a buffer.
     *
     * @param from   index of the first value in the array.
     * @param count  of values.
     * @param offset of the first value in the buffer, in bytes.
     * @throws IndexOutOfBoundsException if array or buffer end before them.
     */
    public static void write(
        final float[] source, final int from, final int count, final MutableDirectBuffer target, final int offset)
    {
        if (count < BLOCK_COPY_FROM)
        {
            for (int i = 0; i < count; i++)
            {
                target.putFloat(offset + i * Float.BYTES, source[from + i], ORDER);
            }
            return;
        }

        final int length = count * Float.BYTES;
        target.boundsCheck(offset, length);
        Objects.checkFromIndexSize(from, count, source.length);
        UnsafeApi.copyMemory(
            source, BASE + (long)from * Float.BYTES, target.byteArray(), target.addressOffset() + offset, length);
    }

    /**
     * Copy from memory off heap.
     *
     * @param address of the first value; nobody checks that there are so many.
     * @param from    index of the first value in the array.
     * @param count   of values.
     * @throws IndexOutOfBoundsException if the array ends before them.
     */
    public static void read(final long address, final float[] target, final int from, final int count)
    {
        Objects.checkFromIndexSize(from, count, target.length);
        final long to = BASE + (long)from * Float.BYTES;
        if (count > MAX_PAIRED)
        {
            UnsafeApi.copyMemory(null, address, target, to, (long)count * Float.BYTES);
            return;
        }

        final long length = (long)count * Float.BYTES;
        long done = 0;
        for (; done <= length - Long.BYTES; done += Long.BYTES)
        {
            UnsafeApi.putLong(target, to + done, UnsafeApi.getLong(address + done));
        }
        if (done < length)
        {
            UnsafeApi.putInt(target, to + done, UnsafeApi.getInt(address + done));
        }
    }

    /**
     * Copy to memory off heap.
     *
     * @param from    index of the first value in the array.
     * @param count   of values.
     * @param address of the first value; nobody checks that there is room for so many.
     * @throws IndexOutOfBoundsException if the array ends before them.
     */
    public static void write(final float[] source, final int from, final int count, final long address)
    {
        Objects.checkFromIndexSize(from, count, source.length);
        final long at = BASE + (long)from * Float.BYTES;
        if (count > MAX_PAIRED)
        {
            UnsafeApi.copyMemory(source, at, null, address, (long)count * Float.BYTES);
            return;
        }

        final long length = (long)count * Float.BYTES;
        long done = 0;
        for (; done <= length - Long.BYTES; done += Long.BYTES)
        {
            UnsafeApi.putLong(address + done, UnsafeApi.getLong(source, at + done));
        }
        if (done < length)
        {
            UnsafeApi.putInt(address + done, UnsafeApi.getInt(source, at + done));
        }
    }
}
