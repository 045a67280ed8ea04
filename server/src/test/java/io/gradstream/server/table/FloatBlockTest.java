// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.table;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;

class FloatBlockTest
{
    private final FloatBlock block = new FloatBlock();

    @ParameterizedTest
    @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
    void shouldSeeWhatIsNotFiniteAtEachPlace(final float notFinite)
    {
        for (final int count : new int[]{1, 7, 511, 512, 513, 1023, FloatBlock.MAX_VALUES})
        {
            Arrays.fill(block.values(), 1f);
            for (int at = 0; at < count; at++)
            {
                block.values()[at] = notFinite;
                assertThat(block.areFinite(count)).as("count=%d at=%d", count, at).isFalse();
                block.values()[at] = 1f;
            }
            assertThat(block.areFinite(count)).isTrue();
        }
    }

    @Test
    void shouldNotTakeLargeAndSmallValuesForInfinities()
    {
        final float[] finite = {
            Float.MAX_VALUE, -Float.MAX_VALUE, Float.MIN_VALUE, -Float.MIN_VALUE, Float.MIN_NORMAL, 0f, -0f};
        for (final float value : finite)
        {
            Arrays.fill(block.values(), value);
            assertThat(block.areFinite(FloatBlock.MAX_VALUES)).isTrue();
        }
    }

    @Test
    void shouldNotLookBehindTheFirstValues()
    {
        for (final int count : new int[]{0, 511, 512, 1023})
        {
            block.values()[count] = Float.NaN;
            assertThat(block.areFinite(count)).as("count=%d", count).isTrue();
            assertThat(block.areFinite(count + 1)).isFalse();
            block.values()[count] = 0f;
        }
    }

    @Test
    void shouldLeaveTheValuesAsTheyAre()
    {
        final float[] values = block.values();
        for (int i = 0; i < FloatBlock.MAX_VALUES; i++)
        {
            values[i] = Float.intBitsToFloat(i * 0x9E37_79B9);
        }
        final float[] before = Arrays.copyOf(values, FloatBlock.MAX_VALUES);
        block.areFinite(FloatBlock.MAX_VALUES);

        for (int i = 0; i < FloatBlock.MAX_VALUES; i++)
        {
            assertThat(Float.floatToRawIntBits(values[i])).isEqualTo(Float.floatToRawIntBits(before[i]));
        }
    }
}
