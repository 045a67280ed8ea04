// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.store;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;

class RowIndexTest
{
    private static final int ROWS = 5_000;

    private final RowIndex index = new RowIndex();

    @ParameterizedTest
    @ValueSource(longs = {ROWS, 4L * ROWS, 40L * ROWS, 1L << 40, Long.MAX_VALUE})
    void shouldFindEachKeyWhereverItIsKept(final long bound)
    {
        final SplittableRandom random = new SplittableRandom(7);
        final Map<Long, Integer> expected = new HashMap<>();
        while (expected.size() < ROWS)
        {
            final long key = Long.MAX_VALUE == bound ? random.nextLong() : random.nextLong(bound);
            assertThat(index.find(key)).as("key=%d", key).isEqualTo(expected.getOrDefault(key, RowIndex.NONE));
            if (!expected.containsKey(key))
            {
                index.add(key, expected.size());
                expected.put(key, expected.size());
            }
        }

        expected.forEach((key, row) -> assertThat(index.find(key)).as("key=%d", key).isEqualTo(row));
        for (int i = 0; i < ROWS; i++)
        {
            final long key = random.nextLong();
            assertThat(index.find(key)).as("key=%d", key).isEqualTo(expected.getOrDefault(key, RowIndex.NONE));
        }
    }

    @Test
    void shouldKeepKeysAtTheBounds()
    {
        final long places = (long)RowIndex.MAX_PLACES_PER_ROW * RowIndex.LEAST_ROWS;
        final long[] keys = {0, places - 1, places, -1, Integer.MAX_VALUE, 1L << 32, Long.MIN_VALUE, Long.MAX_VALUE};
        for (int row = 0; row < keys.length; row++)
        {
            assertThat(index.find(keys[row])).isEqualTo(RowIndex.NONE);
            index.add(keys[row], row);
        }

        for (int row = 0; row < keys.length; row++)
        {
            assertThat(index.find(keys[row])).as("key=%d", keys[row]).isEqualTo(row);
        }
        index.clear();
        for (final long key : keys)
        {
            assertThat(index.find(key)).isEqualTo(RowIndex.NONE);
        }
    }
}
