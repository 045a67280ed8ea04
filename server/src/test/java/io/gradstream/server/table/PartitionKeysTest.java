// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.table;

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;

class PartitionKeysTest
{
    private static final TableSpec SPARSE = TableSpec.sparse(3, "rows", 1, "add/1");
    private static final TableSpec DENSE = TableSpec.dense(4, "dense", 1_000, 1, "add/1");

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 8, 4_096})
    void shouldContainTheKeysOfItsPartition(final int partitionCount)
    {
        final PartitionFunction placement = new PartitionFunction(partitionCount);
        final PartitionKeys ownKeys = new PartitionKeys(placement, 0);
        final SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 2_000; i++)
        {
            final long[] keys = {ownKey(placement, random), random.nextLong(Long.MAX_VALUE)};
            final boolean isOwn = 0 == placement.partitionOf(SPARSE.tableId(), keys[1]);
            assertThat(ownKeys.containAll(SPARSE, keys, 1)).isTrue();
            assertThat(ownKeys.containAll(SPARSE, keys, 2)).isEqualTo(isOwn);

            final int count = 1 + random.nextInt(200);
            boolean areOwn = true;
            for (long key = keys[0]; key < keys[0] + count; key++)
            {
                areOwn &= 0 == placement.partitionOf(SPARSE.tableId(), key);
            }
            assertThat(ownKeys.containRange(SPARSE, keys[0], count)).isEqualTo(areOwn);
        }
    }

    @Test
    void shouldNotContainWhatIsOutOfTheTablesRange()
    {
        final PartitionKeys ownKeys = new PartitionKeys(new PartitionFunction(1), 0);
        assertThat(ownKeys.containAll(DENSE, new long[]{0, 999}, 2)).isTrue();
        for (final long key : new long[]{-1, 1_000, Long.MIN_VALUE, Long.MAX_VALUE})
        {
            assertThat(ownKeys.containAll(DENSE, new long[]{5, key}, 2)).isFalse();
        }
        assertThat(ownKeys.containAll(SPARSE, new long[]{Long.MAX_VALUE}, 1)).isTrue();
        assertThat(ownKeys.containAll(SPARSE, new long[]{-1}, 1)).isFalse();

        assertThat(ownKeys.containRange(DENSE, 990, 10)).isTrue();
        assertThat(ownKeys.containRange(DENSE, 991, 10)).isFalse();
        assertThat(ownKeys.containRange(DENSE, -1, 2)).isFalse();
        assertThat(ownKeys.containRange(SPARSE, Long.MAX_VALUE - 1, 2)).isFalse();
        assertThat(ownKeys.containRange(SPARSE, Long.MAX_VALUE - 2, 2)).isTrue();
    }

    @Test
    void shouldContainTheGreatestKeysOfItsPartition()
    {
        final PartitionFunction placement = new PartitionFunction(5);
        final int partition = placement.partitionOf(SPARSE.tableId(), Long.MAX_VALUE - 9);
        assertThat(new PartitionKeys(placement, partition).containRange(SPARSE, Long.MAX_VALUE - 9, 9)).isTrue();
    }

    private static long ownKey(final PartitionFunction placement, final SplittableRandom random)
    {
        long key = random.nextLong(1L << 40);
        while (0 != placement.partitionOf(SPARSE.tableId(), key))
        {
            key = random.nextLong(1L << 40);
        }

        return key;
    }
}
