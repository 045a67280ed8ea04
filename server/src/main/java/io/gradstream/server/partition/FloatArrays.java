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

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.UnsafeApi;

import java.nio.ByteOrder;

/**
 * Copies floats between buffers and arrays: C2 vectorises loops over arrays but not over memory off heap, so copying a
 * row there and back is faster than updating it in place.
 */
final class FloatArrays
{
    private static final long BASE = UnsafeApi.arrayBaseOffset(float[].class);
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    /** From here on one block copy beats single reads. */
    private static final int BLOCK_COPY_FROM = 16;

    private FloatArrays()
    {
    }

    static void read(final DirectBuffer source, final int offset, final float[] target, final int count)
    {
        if (count < BLOCK_COPY_FROM)
        {
            for (int i = 0; i < count; i++)
            {
                target[i] = source.getFloat(offset + i * Float.BYTES, ORDER);
            }
            return;
        }

        final int length = count * Float.BYTES;
        source.boundsCheck(offset, length);
        requireRoom(target, count);
        UnsafeApi.copyMemory(source.byteArray(), source.addressOffset() + offset, target, BASE, length);
    }

    static void write(final float[] source, final int count, final MutableDirectBuffer target, final int offset)
    {
        if (count < BLOCK_COPY_FROM)
        {
            for (int i = 0; i < count; i++)
            {
                target.putFloat(offset + i * Float.BYTES, source[i], ORDER);
            }
            return;
        }

        final int length = count * Float.BYTES;
        target.boundsCheck(offset, length);
        requireRoom(source, count);
        UnsafeApi.copyMemory(source, BASE, target.byteArray(), target.addressOffset() + offset, length);
    }

    private static void requireRoom(final float[] array, final int count)
    {
        if (count > array.length)
        {
            throw new IndexOutOfBoundsException("count=" + count + " length=" + array.length);
        }
    }
}
