// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.request;

import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;
import org.agrona.MutableDirectBuffer;

import java.nio.ByteOrder;
import java.util.Arrays;

/** The rows of one push or pull grouped by partition, each group in the caller's order. Used again and again. */
public final class RowPlan
{
    private final PartitionFunction partitionFunction;
    private final int[] begin;
    private final int[] keyForms;
    private final long[] leastKeys;
    private int[] rows = new int[64];
    private int[] partitions = new int[64];
    private long[] grouped = new long[64];
    /** Keys in the order of the plan, from {@link #keysFrom} on; null for a range. */
    private long[] keys;
    private int keysFrom;
    private long firstKey;

    RowPlan(final PartitionFunction partitionFunction)
    {
        this.partitionFunction = partitionFunction;
        begin = new int[partitionFunction.partitionCount() + 1];
        keyForms = new int[partitionFunction.partitionCount()];
        leastKeys = new long[partitionFunction.partitionCount()];
    }

    public void ofKeys(final TableSpec spec, final long[] newKeys, final int newFrom, final int count)
    {
        if (newFrom < 0 || count < 1 || count > newKeys.length - newFrom)
        {
            throw new IllegalArgumentException(
                "invalid from=" + newFrom + " count=" + count + ": keys.length=" + newKeys.length);
        }
        checkKeys(spec, newKeys, newFrom, count);
        if (isOnePartition())
        {
            begin[1] = count;
            keys = newKeys;
            keysFrom = newFrom;
        }
        else
        {
            ensureCapacity(count);
            place(spec, newKeys, newFrom, count);
            group(count);
            for (int i = 0; i < count; i++)
            {
                grouped[i] = newKeys[newFrom + rows[i]];
            }
            keys = grouped;
            keysFrom = 0;
        }
        for (int partition = 0; partition < keyForms.length; partition++)
        {
            chooseForm(partition);
        }
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
        Arrays.fill(keyForms, KeyForm.RANGE);
        if (isOnePartition())
        {
            begin[1] = count;
            return;
        }
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

    private boolean isOnePartition()
    {
        return 1 == keyForms.length;
    }

    private static void checkKeys(final TableSpec spec, final long[] newKeys, final int newFrom, final int count)
    {
        final long last = spec.rows() > 0 ? spec.rows() - 1 : Long.MAX_VALUE;
        long signs = 0;
        for (int i = newFrom; i < newFrom + count; i++)
        {
            signs |= newKeys[i] | last - newKeys[i];
        }
        for (int i = newFrom; signs < 0 && i < newFrom + count; i++)
        {
            if (newKeys[i] < 0 || newKeys[i] > last)
            {
                throw new IllegalArgumentException("invalid key=" + newKeys[i] + " at index " + i +
                    ": must be 0.." + last);
            }
        }
    }

    /** Find the partition of each key. Keys mostly ascend, and those of a block have one partition. */
    private void place(final TableSpec spec, final long[] newKeys, final int newFrom, final int count)
    {
        long blockBegin = 0;
        long blockEnd = 0;
        int partition = 0;
        for (int i = 0; i < count; i++)
        {
            final long key = newKeys[newFrom + i];
            if (key < blockBegin || key >= blockEnd)
            {
                partition = partitionFunction.partitionOf(spec.tableId(), key);
                blockEnd = PartitionFunction.blockEnd(key);
                blockBegin = blockEnd - (1L << PartitionFunction.BLOCK_BITS);
            }
            partitions[i] = partition;
        }
    }

    private void chooseForm(final int partition)
    {
        long least = Long.MAX_VALUE;
        long greatest = 0;
        for (int i = keysFrom + begin[partition]; i < keysFrom + begin[partition + 1]; i++)
        {
            least = Math.min(least, keys[i]);
            greatest = Math.max(greatest, keys[i]);
        }
        leastKeys[partition] = least;
        keyForms[partition] = KeyForm.shortest(least, greatest, begin[partition + 1] - begin[partition]);
    }

    public boolean isRange()
    {
        return null == keys;
    }

    /** Index in the plan of a partition's first row; that of the next partition is the end. */
    public int begin(final int partition)
    {
        return begin[partition];
    }

    public int end(final int partition)
    {
        return begin[partition + 1];
    }

    /** Index of a row among the caller's rows. Within a partition these indexes ascend. */
    int row(final int index)
    {
        return isOnePartition() ? index : rows[index];
    }

    long key(final int index)
    {
        return null == keys ? firstKey + row(index) : keys[keysFrom + index];
    }

    /** The {@link KeyForm} that names the rows of a partition. */
    int keyForm(final int partition)
    {
        return keyForms[partition];
    }

    /** The least key of a partition, where the form of its keys names it. */
    long leastKey(final int partition)
    {
        return leastKeys[partition];
    }

    /** Write the keys of some rows of a partition in its form. */
    void writeKeys(
        final int partition, final int index, final int count, final MutableDirectBuffer buffer, final int offset)
    {
        if (isRange())
        {
            buffer.putLong(offset, key(index), ByteOrder.LITTLE_ENDIAN);
        }
        else
        {
            KeyForm.write(
                keyForms[partition], keys, keysFrom + index, count, leastKeys[partition], buffer, offset);
        }
    }

    /** True if the caller's rows are consecutive from an index on. */
    boolean areNeighbours(final int index, final int end)
    {
        return row(end - 1) - row(index) == end - 1 - index;
    }

    /** True if the plan is of a range whose keys are consecutive from an index on, so that the first names them all. */
    boolean isRun(final int index, final int end)
    {
        return isRange() && areNeighbours(index, end);
    }

    /** The end, in a range, of the consecutive keys from an index on. */
    int runEnd(final int index, final int end)
    {
        int last = isOnePartition() ? end : index + 1;
        while (last < end && rows[last] == rows[last - 1] + 1)
        {
            last++;
        }

        return last;
    }

    private void group(final int count)
    {
        Arrays.fill(begin, 0);
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
            grouped = new long[rows.length];
        }
    }
}
