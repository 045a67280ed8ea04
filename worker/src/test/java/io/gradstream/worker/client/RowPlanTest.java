/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.worker.client;

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RowPlanTest
{
    private static final TableSpec SPEC = TableSpec.sparse(3, "rows", 1, "add/1");
    private static final int COUNT = 2_000;

    private final PartitionFunction partitions = new PartitionFunction(5);
    private final RowPlan plan = new RowPlan(partitions);

    @ParameterizedTest
    @ValueSource(longs = {100, 10_000, 1L << 40, Long.MAX_VALUE})
    void shouldGroupKeysByPartitionInTheirOrder(final long bound)
    {
        final SplittableRandom random = new SplittableRandom(11);
        final long[] keys = new long[COUNT];
        for (int i = 0; i < COUNT; i++)
        {
            keys[i] = random.nextLong(bound);
        }
        assertGrouped(keys);
        java.util.Arrays.sort(keys);
        assertGrouped(keys);
    }

    @Test
    void shouldGroupTheGreatestKeys()
    {
        final long[] keys = new long[200];
        for (int i = 0; i < keys.length; i++)
        {
            keys[i] = Long.MAX_VALUE - i;
        }
        assertGrouped(keys);
    }

    @Test
    void shouldRefuseKeysBelowZero()
    {
        assertThatThrownBy(() -> plan.ofKeys(SPEC, new long[]{1, -1}, 0, 2)).hasMessageContaining("key=-1 at index 1");
    }

    private void assertGrouped(final long[] keys)
    {
        plan.ofKeys(SPEC, keys, 0, keys.length);
        int rows = 0;
        for (int partition = 0; partition < partitions.partitionCount(); partition++)
        {
            int last = -1;
            for (int i = plan.begin(partition); i < plan.end(partition); i++)
            {
                assertThat(partitions.partitionOf(SPEC.tableId(), plan.key(i))).isEqualTo(partition);
                assertThat(plan.key(i)).isEqualTo(keys[plan.row(i)]);
                assertThat(plan.row(i)).isGreaterThan(last);
                last = plan.row(i);
                rows++;
            }
        }
        assertThat(rows).isEqualTo(keys.length);
    }
}
