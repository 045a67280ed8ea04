// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class GradientSumTest
{
    private static final int DIM = 2;

    private final GradientSum sum = new GradientSum(DIM, 3);

    @Test
    void shouldAddUpEachRowAndKeepTheOrderInWhichRowsCame()
    {
        sum.add(new long[]{7, 3}, 0, 2, new float[]{1, 2, 3, 4});
        sum.add(new long[]{9, 3, -1}, 1, 2, new float[]{10, 20, 30, 40});

        assertThat(keys()).containsExactly(7, 3, -1);
        assertThat(gradients()).containsExactly(1, 2, 13, 24, 30, 40);
    }

    @Test
    void shouldAddAKeyTwiceThatAppearsTwice()
    {
        sum.add(new long[]{5, 5}, 0, 2, new float[]{1, 2, 3, 4});

        assertThat(keys()).containsExactly(5);
        assertThat(gradients()).containsExactly(4, 6);
    }

    @Test
    void shouldKeepTheBitsOfASingleBatch()
    {
        sum.add(new long[]{1}, 0, 1, new float[]{-0.0f, 0.0f});

        assertThat(Float.floatToRawIntBits(sum.gradients()[0])).isEqualTo(Float.floatToRawIntBits(-0.0f));
        assertThat(Float.floatToRawIntBits(sum.gradients()[1])).isZero();
    }

    @Test
    void shouldBeEmptyAndUsableAgainAfterItIsCleared()
    {
        assertThat(sum.isEmpty()).isTrue();
        sum.add(new long[]{1, 2, 3}, 0, 3, new float[]{1, 1, 2, 2, 3, 3});
        assertThat(sum.isEmpty()).isFalse();
        sum.clear();
        assertThat(sum.isEmpty()).isTrue();
        sum.add(new long[]{2}, 0, 1, new float[]{5, 6});

        assertThat(keys()).containsExactly(2);
        assertThat(gradients()).containsExactly(5, 6);
    }

    @Test
    void shouldAddNothingOfABatchForWhichThereIsNoRoom()
    {
        sum.add(new long[]{1, 2}, 0, 2, new float[]{1, 1, 2, 2});

        assertThat(sum.tryAdd(new long[]{1, 3, 4}, 0, 3, new float[6])).isFalse();
        assertThatThrownBy(() -> sum.add(new long[]{1, 3, 4}, 0, 3, new float[]{9, 9, 9, 9, 9, 9}))
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("a sum of at most 3 rows has 2, and no room for the new ones of 3: push it first, or give it" +
                " a higher maxRows");
        assertThat(gradients()).containsExactly(1, 1, 2, 2);
        sum.add(new long[]{4, 4, 4, 1}, 0, 4, new float[]{1, 1, 1, 1, 1, 1, 1, 1});
        assertThat(keys()).containsExactly(1, 2, 4);
        assertThat(gradients()).containsExactly(2, 2, 2, 2, 3, 3);
    }

    @Test
    void shouldRefuseWhatIsTooShort()
    {
        assertThatThrownBy(() -> sum.add(new long[]{1, 2}, 0, 2, new float[3]))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("invalid gradients.length=3: 2 rows of 2 need 4");
        assertThatThrownBy(() -> sum.add(new long[]{1, 2}, 1, 2, new float[4]))
            .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(sum.isEmpty()).isTrue();
    }

    @Test
    void shouldRefuseALimitThatNoArrayHolds()
    {
        assertThatThrownBy(() -> new GradientSum(0, 1)).isInstanceOf(IllegalArgumentException.class)
            .hasMessage("invalid dim=0: must be at least 1");
        assertThatThrownBy(() -> new GradientSum(2, 0)).isInstanceOf(IllegalArgumentException.class)
            .hasMessage("invalid maxRows=0: must be 1..1073741819 with dim=2");
        assertThatThrownBy(() -> new GradientSum(2, 1 << 30)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldAddUpAsAMapDoesWhileItGrowsToItsLimit()
    {
        final int maxRows = 5_000;
        final GradientSum grown = new GradientSum(DIM, maxRows);
        final Map<Long, float[]> expected = new HashMap<>();
        final Random random = new Random(7);
        final long[] keys = new long[100];
        final float[] gradients = new float[keys.length * DIM];
        for (int batch = 0; batch < 400; batch++)
        {
            for (int i = 0; i < keys.length; i++)
            {
                keys[i] = random.nextInt(maxRows) * 0x9E3779B97F4A7C15L;
                final float[] row = expected.computeIfAbsent(keys[i], (key) -> new float[DIM]);
                for (int j = 0; j < DIM; j++)
                {
                    gradients[i * DIM + j] = random.nextFloat();
                    row[j] += gradients[i * DIM + j];
                }
            }
            grown.add(keys, 0, keys.length, gradients);
        }

        assertThat(grown.rows()).isEqualTo(expected.size());
        for (int i = 0; i < grown.rows(); i++)
        {
            assertThat(Arrays.copyOfRange(grown.gradients(), i * DIM, (i + 1) * DIM))
                .isEqualTo(expected.get(grown.keys()[i]));
        }
    }

    private long[] keys()
    {
        return Arrays.copyOf(sum.keys(), sum.rows());
    }

    private float[] gradients()
    {
        return Arrays.copyOf(sum.gradients(), sum.rows() * DIM);
    }
}
