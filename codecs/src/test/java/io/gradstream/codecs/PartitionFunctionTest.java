// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class PartitionFunctionTest
{
    @Test
    void shouldKeepABlockOfKeysTogether()
    {
        final PartitionFunction function = new PartitionFunction(16);
        for (long key = 0; key < 10_000; key++)
        {
            final long begin = PartitionFunction.blockEnd(key) - (1L << PartitionFunction.BLOCK_BITS);
            assertThat(function.partitionOf(3, key)).isEqualTo(function.partitionOf(3, begin)).isBetween(0, 15);
        }
    }

    @Test
    void shouldSpreadBlocksEvenly()
    {
        final int[] blocks = new int[8];
        final PartitionFunction function = new PartitionFunction(8);
        for (long block = 0; block < 8_000; block++)
        {
            blocks[function.partitionOf(0, block << PartitionFunction.BLOCK_BITS)]++;
        }
        assertThat(java.util.Arrays.stream(blocks).boxed()).allMatch((count) -> count > 850 && count < 1150);
    }

    @Test
    void shouldNeverChange()
    {
        final PartitionFunction function = new PartitionFunction(1000);
        assertThat(function.partitionOf(0, 0)).isZero();
        assertThat(function.partitionOf(1, 1_000_000)).isEqualTo(876);
        assertThat(function.partitionOf(7, Long.MAX_VALUE)).isEqualTo(448);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64, 1000, PartitionFunction.MAX_PARTITIONS})
    void shouldBeTheRemainderOfTheMixedBlock(final int partitionCount)
    {
        final PartitionFunction function = new PartitionFunction(partitionCount);
        for (long block = 0; block < 1_000; block++)
        {
            final long mixed = PartitionFunction.mix(block * 0x9E3779B97F4A7C15L + 3);
            assertThat(function.partitionOf(3, block << PartitionFunction.BLOCK_BITS))
                .isEqualTo((int)Long.remainderUnsigned(mixed, partitionCount));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, PartitionFunction.MAX_PARTITIONS + 1})
    void shouldRefuseAnImpossibleCount(final int partitionCount)
    {
        assertThatIllegalArgumentException().isThrownBy(() -> new PartitionFunction(partitionCount))
            .withMessageContaining("must be 1.." + PartitionFunction.MAX_PARTITIONS);
    }
}
