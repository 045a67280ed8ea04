// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs.values;

import io.gradstream.codecs.FloatArrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What values become in messages, against arithmetic in double precision. */
class ValueEncodingTest
{
    private static final int OFFSET = 3;
    private static final float[] SPECIAL =
        {0f, -0f, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN, 1f, -2.5f, 65_504f, 0x1p-14f, 0x1p-24f};

    @Test
    void shouldKeepWhatEachEncodingHolds()
    {
        for (final ValueEncoding encoding : ValueEncoding.values())
        {
            if (ValueEncoding.BFLOAT16 != encoding)
            {
                assertThat(roundTrip(encoding, SPECIAL)).as("%s", encoding).containsExactly(SPECIAL);
            }
        }
        assertThat(roundTrip(ValueEncoding.BFLOAT16, 0f, -0f, 1f, -2.5f, Float.NaN, Float.NEGATIVE_INFINITY, 0x1p-24f))
            .containsExactly(0f, -0f, 1f, -2.5f, Float.NaN, Float.NEGATIVE_INFINITY, 0x1p-24f);
    }

    @Test
    void shouldDecodeAllValuesOfTwoBytesAndEncodeThemAgainToTheSameBytes()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[Float.BYTES]);
        for (final ValueEncoding encoding : new ValueEncoding[]{ValueEncoding.BFLOAT16, ValueEncoding.FLOAT16})
        {
            for (int half = 0; half < 1 << 16; half++)
            {
                buffer.putShort(0, (short)half);
                final float[] value = new float[1];
                encoding.decode(buffer, 0, value, 0, 1);
                buffer.putFloat(0, value[0]);
                encoding.encodeInPlace(buffer, 0, 1);
                if (!Float.isNaN(value[0]))
                {
                    assertThat(buffer.getShort(0) & 0xFFFF).as("%s %x", encoding, half).isEqualTo(half);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"BFLOAT16", "FLOAT16"})
    void shouldRoundToTheNearestValueAndToTheEvenOneOfTwo(final ValueEncoding encoding)
    {
        final Random random = new Random(37);
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[Float.BYTES]);
        final float leastInfinite = ValueEncoding.FLOAT16 == encoding ? 65_520f : 0x1.FFp127f;
        for (int i = 0; i < 200_000; i++)
        {
            final float value = switch (i % 3)
            {
                case 0 -> (float)random.nextGaussian();
                case 1 -> (float)(random.nextGaussian() * 50_000);
                default -> Float.intBitsToFloat(
                    random.nextInt() & (ValueEncoding.FLOAT16 == encoding ? ~0x40000000 : ~0));
            };
            if (!Float.isFinite(value))
            {
                continue;
            }
            buffer.putFloat(0, value);
            encoding.encodeInPlace(buffer, 0, 1);
            final int half = buffer.getShort(0) & 0xFFFF;
            assertThat(Double.isInfinite(decoded(encoding, half))).as("%s %s", encoding, value)
                .isEqualTo(Math.abs(value) >= leastInfinite);
            final double error = Math.abs((double)value - decoded(encoding, half));
            for (final int other : new int[]{half - 1, half + 1})
            {
                final double otherError = Math.abs((double)value - decoded(encoding, other & 0xFFFF));
                assertThat(error < otherError || error == otherError && 0 == (half & 1) || Double.isNaN(otherError) ||
                    Double.isInfinite(decoded(encoding, half))).as("%s %s", encoding, value).isTrue();
            }
        }
        assertThat(roundTrip(ValueEncoding.FLOAT16, 65_519.996f, 65_520f, -1e9f))
            .containsExactly(65_504f, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY);
    }

    @ParameterizedTest
    @EnumSource(ValueEncoding.class)
    void shouldEncodeAnArrayAsInPlace(final ValueEncoding encoding)
    {
        final Random random = new Random(3);
        final float[] values = new float[100_000];
        for (int i = 0; i < values.length; i++)
        {
            values[i] = 0 == i % 2 ? 1_000 * (float)random.nextGaussian() : Float.intBitsToFloat(random.nextInt());
        }
        System.arraycopy(SPECIAL, 0, values, 0, SPECIAL.length);
        final UnsafeBuffer inPlace = new UnsafeBuffer(new byte[values.length * Float.BYTES]);
        FloatArrays.write(values, 0, values.length, inPlace, 0);
        encoding.encodeInPlace(inPlace, 0, values.length);
        final UnsafeBuffer encoded = new UnsafeBuffer(new byte[1 + values.length * encoding.elementLength()]);
        encoding.encode(values, 0, encoded, 1, values.length);
        final UnsafeBuffer decoded = new UnsafeBuffer(new byte[values.length * Float.BYTES]);
        encoding.decode(encoded, 1, decoded, 0, values.length);
        final float[] array = new float[values.length];
        encoding.decode(inPlace, 0, array, 0, values.length);

        for (int i = 0; i < values.length; i++)
        {
            assertThat(decoded.getFloat(i * Float.BYTES)).as("%s", values[i]).isEqualTo(Float.valueOf(array[i]));
            assertThat(encoding.rounded(values[i])).isEqualTo(Float.valueOf(array[i]));
            assertThat(encoding.keepsFinite(values[i])).as("%s", values[i]).isEqualTo(Float.isFinite(array[i]));
        }
        assertThatThrownBy(() -> encoding.encode(values, 0, encoded, 2, values.length))
            .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldKnowTheGreatestValueThatStaysFinite()
    {
        assertThat(ValueEncoding.FLOAT16.keepsFinite(-65_519.996f)).isTrue();
        assertThat(ValueEncoding.FLOAT16.keepsFinite(65_520f)).isFalse();
        assertThat(ValueEncoding.BFLOAT16.keepsFinite(Float.intBitsToFloat(0x7F7F_7FFF))).isTrue();
        assertThat(ValueEncoding.BFLOAT16.keepsFinite(Float.intBitsToFloat(0x7F7F_8000))).isFalse();
        assertThat(ValueEncoding.RAW.keepsFinite(-Float.MAX_VALUE)).isTrue();
        assertThat(ValueEncoding.RAW.keepsFinite(Float.NaN)).isFalse();
    }

    @Test
    void shouldTakeANumberThatItDoesNotKnowForElementsAsTheyAre()
    {
        assertThat(ValueEncoding.ofWire(255)).isEqualTo(ValueEncoding.RAW);
        for (final ValueEncoding encoding : ValueEncoding.values())
        {
            assertThat(ValueEncoding.ofWire(encoding.wire())).isEqualTo(encoding);
        }
    }

    @Test
    void shouldNotReadBehindTheEnd()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[7]);
        assertThatThrownBy(() -> ValueEncoding.FLOAT16.decode(buffer, 0, new float[4], 0, 4))
            .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> ValueEncoding.FLOAT16.decode(buffer, 0, new float[2], 0, 3))
            .isInstanceOf(IndexOutOfBoundsException.class);
    }

    private static double decoded(final ValueEncoding encoding, final int half)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[Short.BYTES]);
        buffer.putShort(0, (short)half);
        final float[] value = new float[1];
        encoding.decode(buffer, 0, value, 0, 1);

        return value[0];
    }

    private static float[] roundTrip(final ValueEncoding encoding, final float... values)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[OFFSET + values.length * Float.BYTES]);
        for (int i = 0; i < values.length; i++)
        {
            buffer.putFloat(OFFSET + i * Float.BYTES, values[i]);
        }
        encoding.encodeInPlace(buffer, OFFSET, values.length);
        final float[] decoded = new float[values.length + 1];
        encoding.decode(buffer, OFFSET, decoded, 1, values.length);

        return java.util.Arrays.copyOfRange(decoded, 1, decoded.length);
    }
}
