// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.cache;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class PulledNormsTest
{
    private final PulledNorms norms = new PulledNorms(2, 4);

    @Test
    void shouldKnowTheNormOfARowAsItCameLast()
    {
        norms.onRow(7, new float[]{9, 9, 3, 4}, 2, false);
        assertThat(norms.of(7)).isEqualTo(5);
        norms.onRow(7, new float[]{0, -2}, 0, false);
        assertThat(norms.of(7)).isEqualTo(2);
        norms.onRow(7, new float[]{0, -0.0f}, 0, false);
        assertThat(norms.of(7)).isZero();
        norms.onRow(7, new float[]{0, Float.MIN_VALUE}, 0, false);
        assertThat(norms.of(7)).isPositive();
        assertThat(norms.of(8)).isNaN();
    }

    @Test
    void shouldKnowTheMeanOfTheRowsThatItKnows()
    {
        assertThat(norms.mean()).isNaN();
        row(1, 1);
        row(1, 3);
        assertThat(norms.mean()).isEqualTo(3);
        row(2, 5);
        row(3, 10);
        assertThat(norms.mean()).isCloseTo(6, within(1e-9));
        row(1, 6);
        // the older half, 2 alone, is forgotten
        row(4, 8);
        assertThat(norms.of(2)).isNaN();
    }

    @Test
    void shouldForgetTheRowsThatCameLongAgo()
    {
        for (int key = 0; key < 100; key++)
        {
            row(key, key);
            assertThat(norms.of(key)).isEqualTo(key);
            assertThat(norms.of(Math.max(0, key - 1))).isEqualTo(Math.max(0, key - 1));
            assertThat(norms.of(key - 4)).isNaN();
        }
        assertThat(norms.mean()).isCloseTo(98.5, within(1e-9));
    }

    @Test
    void shouldForgetARowThatIsNotFinite()
    {
        row(1, 2);
        row(2, 7);
        row(3, 4);
        row(2, Float.POSITIVE_INFINITY);
        row(5, 1);
        row(1, Float.NaN);
        row(6, Float.NaN);
        assertThat(norms.of(1)).isNaN();
        assertThat(norms.of(2)).isNaN();
        assertThat(norms.of(6)).isNaN();
        assertThat(norms.mean()).isEqualTo(2.5);
    }

    @Test
    void shouldNotTakeRoundedZerosForZeros()
    {
        norms.onRow(7, new float[]{0, 0}, 0, false);
        norms.onRow(7, new float[]{0, 0}, 0, true);
        assertThat(norms.of(7)).isEqualTo(Float.MIN_VALUE);
        norms.onRow(7, new float[]{3, 4}, 0, true);
        assertThat(norms.of(7)).isEqualTo(5);
    }

    private void row(final long key, final float value)
    {
        norms.onRow(key, new float[]{value, 0}, 0, false);
    }
}
