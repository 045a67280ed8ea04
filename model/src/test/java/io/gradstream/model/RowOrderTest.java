// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class RowOrderTest
{
    private final Random random = new Random(11);

    @Test
    void shouldSortKeysOfAnyDistributionWithTheirOffsets()
    {
        assertSorts(new long[0]);
        assertSorts(new long[]{5});
        assertSorts(LongStream.range(0, 1000).toArray());
        assertSorts(LongStream.range(0, 1000).map((i) -> 500 - i).toArray());
        assertSorts(LongStream.range(0, 64).flatMap((i) -> LongStream.of(1L << i, ~(1L << i))).toArray());
        for (int i = 0; i < 50; i++)
        {
            assertSorts(random.longs(random.nextInt(2000)).map((key) -> key >> random.nextInt(64)).toArray());
        }
    }

    @Test
    void shouldFindADoubledKey()
    {
        final long[] keys = random.longs(5000).distinct().toArray();
        assertThat(sorted(keys).indexOfDoubled()).isEqualTo(-1);
        keys[4000] = keys[17];
        final RowOrder order = sorted(keys);
        assertThat(order.key(order.indexOfDoubled())).isEqualTo(keys[17]);
        final RowOrder equal = sorted(new long[100]);
        assertThat(equal.indexOfDoubled()).isZero();
    }

    private static void assertSorts(final long[] keys)
    {
        final RowOrder order = sorted(keys);
        final long[] expected = keys.clone();
        Arrays.sort(expected);
        assertThat(order.size()).isEqualTo(keys.length);
        for (int i = 0; i < expected.length; i++)
        {
            assertThat(order.key(i)).isEqualTo(expected[i]);
            assertThat(keys[(int)order.offset(i)]).isEqualTo(expected[i]);
        }
        assertThat(LongStream.range(0, keys.length).map((i) -> order.offset((int)i)).distinct().count())
            .isEqualTo(keys.length);
    }

    private static RowOrder sorted(final long[] keys)
    {
        final RowOrder order = new RowOrder(keys.length);
        for (int i = 0; i < keys.length; i++)
        {
            order.add(keys[i], i);
        }
        order.sort();
        return order;
    }
}
