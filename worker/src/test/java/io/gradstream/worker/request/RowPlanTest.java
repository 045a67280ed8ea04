// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.request;

import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;
import org.agrona.ExpandableArrayBuffer;
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
    private static final int FROM = 3;

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
        final RowPlan plan = new RowPlan(new PartitionFunction(1));
        assertThatThrownBy(() -> plan.ofKeys(SPEC, new long[]{1, -1}, 0, 2)).hasMessageContaining("key=-1 at index 1");
    }

    private static void assertGrouped(final long[] keys)
    {
        assertGrouped(keys, new PartitionFunction(1));
        assertGrouped(keys, new PartitionFunction(5));
        assertGrouped(keys, new PartitionFunction(8));
    }

    private static void assertGrouped(final long[] keys, final PartitionFunction partitions)
    {
        final RowPlan plan = new RowPlan(partitions);
        final long[] callersKeys = new long[keys.length + FROM];
        System.arraycopy(keys, 0, callersKeys, FROM, keys.length);
        plan.ofKeys(SPEC, callersKeys, FROM, keys.length);
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
            assertWritten(plan, partition);
        }
        assertThat(rows).isEqualTo(keys.length);
    }

    private static void assertWritten(final RowPlan plan, final int partition)
    {
        final int begin = plan.begin(partition);
        final int count = plan.end(partition) - begin;
        final int form = plan.keyForm(partition);
        final int first = Math.min(1, count);
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        plan.writeKeys(partition, begin + first, count - first, buffer, 0);
        final long[] read = new long[count - first];
        KeyForm.read(form, buffer, 0, 0, count - first, read);
        for (int i = first; i < count; i++)
        {
            assertThat(read[i - first]).isEqualTo(plan.key(begin + i));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 8})
    void shouldSplitARangeIntoRuns(final int partitionCount)
    {
        final PartitionFunction partitions = new PartitionFunction(partitionCount);
        final RowPlan plan = new RowPlan(partitions);
        plan.ofRange(SPEC, 1_000, COUNT);
        int rows = 0;
        for (int partition = 0; partition < partitionCount; partition++)
        {
            int index = plan.begin(partition);
            while (index < plan.end(partition))
            {
                final int end = plan.runEnd(index, plan.end(partition));
                assertThat(plan.isRun(index, end)).isTrue();
                assertThat(end == plan.end(partition) || !plan.isRun(index, end + 1)).isTrue();
                for (int i = index; i < end; i++)
                {
                    assertThat(plan.key(i)).isEqualTo(plan.key(index) + i - index).isEqualTo(1_000 + plan.row(i));
                    assertThat(partitions.partitionOf(SPEC.tableId(), plan.key(i))).isEqualTo(partition);
                    rows++;
                }
                index = end;
            }
        }
        assertThat(rows).isEqualTo(COUNT);
    }
}
