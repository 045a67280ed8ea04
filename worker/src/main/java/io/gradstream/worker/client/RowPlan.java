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

/**
 * The rows of one push or pull grouped by partition, each group in the caller's order. Used again and again.
 */
public final class RowPlan
{
    private final PartitionFunction partitionFunction;
    private final int[] begin;
    private int[] rows = new int[64];
    private int[] partitions = new int[64];
    private long[] keys;
    private int from;
    private long firstKey;

    RowPlan(final PartitionFunction partitionFunction)
    {
        this.partitionFunction = partitionFunction;
        begin = new int[partitionFunction.partitionCount() + 1];
    }

    public void ofKeys(final TableSpec spec, final long[] newKeys, final int newFrom, final int count)
    {
        if (newFrom < 0 || count < 1 || count > newKeys.length - newFrom)
        {
            throw new IllegalArgumentException(
                "invalid from=" + newFrom + " count=" + count + ": keys.length=" + newKeys.length);
        }
        keys = newKeys;
        from = newFrom;
        ensureCapacity(count);
        // keys mostly ascend, and those of a block have one partition
        long blockBegin = 0;
        long blockEnd = 0;
        int partition = 0;
        for (int i = 0; i < count; i++)
        {
            final long key = newKeys[newFrom + i];
            if (key < 0 || (spec.rows() > 0 && key >= spec.rows()))
            {
                throw new IllegalArgumentException("invalid key=" + key + " at index " + (newFrom + i) +
                    ": must be 0.." + (spec.rows() > 0 ? spec.rows() - 1 : Long.MAX_VALUE));
            }
            if (key < blockBegin || key >= blockEnd)
            {
                partition = partitionFunction.partitionOf(spec.tableId(), key);
                blockEnd = PartitionFunction.blockEnd(key);
                blockBegin = blockEnd - (1L << PartitionFunction.BLOCK_BITS);
            }
            partitions[i] = partition;
        }
        group(count);
    }

    public void ofRange(final TableSpec spec, final long beginKey, final int count)
    {
        if (beginKey < 0 || count < 1 || (spec.rows() > 0 && beginKey > spec.rows() - count))
        {
            throw new IllegalArgumentException("invalid range begin=" + beginKey + " rows=" + count +
                ": must be within 0.." + (spec.rows() > 0 ? spec.rows() : Long.MAX_VALUE));
        }
        keys = null;
        firstKey = beginKey;
        ensureCapacity(count);
        int i = 0;
        while (i < count)
        {
            final long key = beginKey + i;
            final int partition = partitionFunction.partitionOf(spec.tableId(), key);
            final int end = (int)Math.min(count, i + (PartitionFunction.blockEnd(key) - key));
            while (i < end)
            {
                partitions[i++] = partition;
            }
        }
        group(count);
    }

    boolean isRange()
    {
        return null == keys;
    }

    /** Index in the plan of a partition's first row; that of the next partition is the end. */
    int begin(final int partition)
    {
        return begin[partition];
    }

    int end(final int partition)
    {
        return begin[partition + 1];
    }

    int row(final int index)
    {
        return rows[index];
    }

    long key(final int index)
    {
        return null == keys ? firstKey + rows[index] : keys[from + rows[index]];
    }

    /** Are the keys from an index on consecutive, so that the first names them all? */
    boolean isRun(final int index, final int end)
    {
        return null == keys && rows[end - 1] - rows[index] == end - 1 - index;
    }

    private void group(final int count)
    {
        java.util.Arrays.fill(begin, 0);
        for (int i = 0; i < count; i++)
        {
            begin[partitions[i] + 1]++;
        }
        for (int p = 1; p < begin.length; p++)
        {
            begin[p] += begin[p - 1];
        }
        for (int i = 0; i < count; i++)
        {
            rows[begin[partitions[i]]++] = i;
        }
        // each begin has moved to its end, which is the next one's begin
        System.arraycopy(begin, 0, begin, 1, begin.length - 1);
        begin[0] = 0;
    }

    private void ensureCapacity(final int count)
    {
        if (rows.length < count)
        {
            rows = new int[Math.max(count, rows.length * 2)];
            partitions = new int[rows.length];
        }
    }
}
