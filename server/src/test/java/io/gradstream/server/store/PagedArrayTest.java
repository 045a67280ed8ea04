// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.store;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;

class PagedArrayTest
{
    private static final int LONGS = PagedArray.PAGE_LENGTH / Long.BYTES;
    private static final int INTS = PagedArray.PAGE_LENGTH / Integer.BYTES;

    private final PagedArray longs = PagedArray.ofLongs();
    private final PagedArray ints = PagedArray.ofInts();

    @AfterEach
    void close()
    {
        longs.close();
        ints.close();
    }

    @Test
    void shouldKeepElementsAtTheEdgesOfPagesApart()
    {
        final int[] longIndexes = {0, 1, LONGS - 1, LONGS, 2 * LONGS - 1, 40 * LONGS, 40 * LONGS + 1};
        final int[] intIndexes = {0, 1, INTS - 1, INTS, 2 * INTS - 1, 40 * INTS, 40 * INTS + 1, 1 << 30};
        for (final int index : longIndexes)
        {
            longs.putLong(index, Long.MIN_VALUE + index);
        }
        for (final int index : intIndexes)
        {
            ints.putInt(index, ~index);
        }

        for (final int index : longIndexes)
        {
            assertThat(longs.getLong(index)).isEqualTo(Long.MIN_VALUE + index);
        }
        for (final int index : intIndexes)
        {
            assertThat(ints.getInt(index)).isEqualTo(~index);
        }
    }

    @Test
    void shouldHoldZeroWhereNothingWasWritten()
    {
        assertThat(longs.getLong(5)).isZero();
        assertThat(ints.getInt(Integer.MAX_VALUE)).isZero();
        longs.putLong(3 * LONGS, -1);

        for (int index = 0; index < 3 * LONGS; index++)
        {
            assertThat(longs.getLong(index)).isZero();
        }
        for (int index = 3 * LONGS + 1; index < 5 * LONGS; index++)
        {
            assertThat(longs.getLong(index)).isZero();
        }
    }

    @Test
    void shouldBeEmptyAndOfUseOnceItWasClosed()
    {
        longs.putLong(7, 1);
        longs.close();
        assertThat(longs.getLong(7)).isZero();

        longs.putLong(7, 2);
        assertThat(longs.getLong(7)).isEqualTo(2);
        assertThat(longs.getLong(8)).isZero();
    }

    @Test
    void shouldHoldWhatWasWrittenLastAnywhere()
    {
        final SplittableRandom random = new SplittableRandom(11);
        final Map<Integer, Integer> expected = new HashMap<>();
        for (int i = 0; i < 10_000; i++)
        {
            final int index = random.nextInt(20 * INTS);
            ints.putInt(index, i);
            expected.put(index, i);
        }

        expected.forEach((index, value) -> assertThat(ints.getInt(index)).isEqualTo(value));
    }
}
