// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FiniteFloatsTest
{
    /** A length with whole blocks and a rest, odd. */
    private static final int COUNT = 21;
    private static final int OFFSET = 12;

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
    void shouldFindTheOneThatIsNotWhereverItIs(final float value)
    {
        for (int count = 1; count <= COUNT; count++)
        {
            for (int at = 0; at < count; at++)
            {
                final float[] values = largest();
                values[at] = value;

                assertFalse(FiniteFloats.areFinite(values, count), "count=" + count + " at=" + at);
                assertFalse(FiniteFloats.areFinite(buffer(values), OFFSET, count),
                    "buffer count=" + count + " at=" + at);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0xFFFF_FFFF, 0x7F80_0001, 0xFFC0_0000})
    void shouldFindEachKindOfNaN(final int bits)
    {
        final float[] values = largest();
        values[1] = Float.intBitsToFloat(bits);

        assertFalse(FiniteFloats.areFinite(values, COUNT));
    }

    @Test
    void shouldTakeAllThatAre()
    {
        final float[] odd =
            {0f, -0f, Float.MIN_VALUE, -Float.MIN_VALUE, Float.MAX_VALUE, -Float.MAX_VALUE, 1f, -1f, 2f};

        assertTrue(FiniteFloats.areFinite(largest(), COUNT));
        assertTrue(FiniteFloats.areFinite(odd, odd.length));
        assertTrue(FiniteFloats.areFinite(buffer(odd), OFFSET, odd.length));
        assertTrue(FiniteFloats.areFinite(new float[0], 0));
    }

    @Test
    void shouldNotLookBeyond()
    {
        final float[] values = largest();
        values[COUNT - 1] = Float.NaN;

        assertTrue(FiniteFloats.areFinite(values, COUNT - 1));
        assertTrue(FiniteFloats.areFinite(buffer(values), OFFSET, COUNT - 1));
        assertThrows(IndexOutOfBoundsException.class, () -> FiniteFloats.areFinite(values, COUNT + 1));
        final UnsafeBuffer buffer = buffer(values);
        assertThrows(IndexOutOfBoundsException.class, () -> FiniteFloats.areFinite(buffer, OFFSET + 1, COUNT));
    }

    private static float[] largest()
    {
        final float[] values = new float[COUNT];
        Arrays.fill(values, -Float.MAX_VALUE);
        return values;
    }

    private static UnsafeBuffer buffer(final float[] values)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(OFFSET + values.length * Float.BYTES));
        for (int i = 0; i < values.length; i++)
        {
            buffer.putFloat(OFFSET + i * Float.BYTES, values[i], ByteOrder.LITTLE_ENDIAN);
        }
        return buffer;
    }
}
