// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import java.util.Arrays;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LocalRowsTest
{
    private static final int DIM = 2;
    private static final float RATE = 0.5f;

    private final LocalRows rows = new LocalRows(DIM, 3);
    private final long[] missing = new long[4];
    private final float[] weights = new float[2 * DIM];

    @Test
    void shouldPullARowOnceAndStepFromWhereTheStepBeforeHasLeftIt()
    {
        assertThat(rows.missing(new long[]{4, 9}, 2, missing)).isEqualTo(2);
        assertThat(rows.tryPut(missing, 2, new float[]{1, 2, 3, 4})).isTrue();
        rows.step(new long[]{4, 9}, 2, new float[]{2, 4, 6, 8}, RATE);

        assertThat(rows.missing(new long[]{9, 5}, 2, missing)).isEqualTo(1);
        assertThat(missing[0]).isEqualTo(5);
        rows.tryPut(missing, 1, new float[]{7, 8});
        rows.copy(new long[]{9, 5}, 2, weights);
        assertThat(weights).containsExactly(0, 0, 7, 8);
        rows.step(new long[]{9}, 1, new float[]{2, -2}, RATE);

        assertThat(Arrays.copyOf(rows.keys(), rows.stepped())).containsExactly(4, 9, 5);
        assertThat(Arrays.copyOf(rows.differences(), rows.stepped() * DIM))
            .as("old - new").containsExactly(1, 2, 4, 3, 0, 0);
    }

    @Test
    void shouldKeepTheRowThatItHasWhenItIsPulledAgain()
    {
        rows.tryPut(new long[]{1}, 1, new float[]{1, 1});
        rows.step(new long[]{1}, 1, new float[]{2, 2}, RATE);
        rows.tryPut(new long[]{1}, 1, new float[]{9, 9});
        rows.copy(new long[]{1}, 1, weights);

        assertThat(weights).startsWith(0, 0);
    }

    @Test
    void shouldPushNoRowThatWasPulledForAStepThatIsNotTaken()
    {
        rows.tryPut(new long[]{1, 2}, 2, new float[]{1, 1, 2, 2});
        assertThat(rows.stepped()).isZero();
        rows.step(new long[]{1, 2}, 2, new float[]{2, 2, 2, 2}, RATE);
        rows.tryPut(new long[]{3}, 1, new float[]{3, 3});

        assertThat(rows.stepped()).isEqualTo(2);
        assertThat(Arrays.copyOf(rows.keys(), 2)).containsExactly(1, 2);
        assertThat(Arrays.copyOf(rows.differences(), 2 * DIM)).containsExactly(1, 1, 1, 1);
    }

    @Test
    void shouldHaveNoRowAfterItIsCleared()
    {
        rows.tryPut(new long[]{1}, 1, new float[]{1, 1});
        rows.step(new long[]{1}, 1, new float[]{1, 1}, RATE);
        rows.clear();

        assertThat(rows.stepped()).isZero();
        assertThat(rows.missing(new long[]{1}, 1, missing)).isEqualTo(1);
        assertThatThrownBy(() -> rows.copy(new long[]{1}, 1, weights)).isInstanceOf(IllegalStateException.class)
            .hasMessage("no row of key=1 was pulled");
    }

    @Test
    void shouldSayThatItIsFull()
    {
        assertThat(rows.tryPut(new long[]{1, 2, 3, 1}, 4, new float[8])).isTrue();
        assertThat(rows.tryPut(new long[]{3, 4}, 2, new float[4])).isFalse();
        assertThat(rows.missing(new long[]{1, 2, 3, 4}, 4, missing)).isEqualTo(1);
    }

    @Test
    void shouldGrow()
    {
        final int count = 1_000;
        final LocalRows grown = new LocalRows(1, count);
        final long[] keys = new long[count];
        final float[] values = new float[count];
        for (int i = 0; i < count; i++)
        {
            keys[i] = 3L * i;
            values[i] = i;
        }
        assertThat(grown.tryPut(keys, count, values)).isTrue();
        grown.step(keys, count, values, 1);
        assertThat(Arrays.copyOf(grown.differences(), count)).isEqualTo(values);
    }
}
