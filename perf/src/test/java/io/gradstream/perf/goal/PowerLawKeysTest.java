// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

class PowerLawKeysTest
{
    private static final int COUNT = 1 << 18;
    private static final int ROWS = 100_000;

    private final long[] keys = PowerLawKeys.of(COUNT, ROWS);

    @Test
    void shouldGiveTheSameKeysOfTheTableWhenAskedAgain()
    {
        assertThat(keys).isEqualTo(PowerLawKeys.of(COUNT, ROWS));
        assertThat(Arrays.stream(keys)).allMatch((key) -> key >= 0 && key < ROWS);
    }

    @Test
    void shouldGiveTheNthKeyInProportionToOneOverNWhenMany()
    {
        final int[] counts = new int[ROWS];
        Arrays.stream(keys).forEach((key) -> counts[(int)key]++);
        final int[] sorted = counts.clone();
        Arrays.sort(sorted);

        // the integral of 1/x over [n, n + 1), of ln(rows) in all
        assertThat((double)sorted[ROWS - 1]).isCloseTo(COUNT * Math.log(2) / Math.log(ROWS), withPercentage(5));
        assertThat((double)sorted[ROWS - 10]).isCloseTo(COUNT * Math.log(1.1) / Math.log(ROWS), withPercentage(10));
        // not side by side
        assertThat(Math.abs(indexOf(counts, sorted[ROWS - 1]) - indexOf(counts, sorted[ROWS - 2]))).isGreaterThan(64);
    }

    private static int indexOf(final int[] counts, final int count)
    {
        int index = 0;
        while (counts[index] != count)
        {
            index++;
        }

        return index;
    }
}
