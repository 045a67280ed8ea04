// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.table;

import org.agrona.BufferUtil;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows in direct buffers of this process: what the simulator, tests and the rebuilding of a partition
 * use where a node uses Chronicle Map.
 */
public final class InMemoryRowStore implements RowStore
{
    private static final int ROWS_PER_SLAB = 256;

    private final int rowLength;
    private final int capacity;
    private final Long2LongHashMap rowByKey = new Long2LongHashMap(-1);
    private final List<ByteBuffer> slabs = new ArrayList<>();
    private long[] keys = new long[ROWS_PER_SLAB];
    private int size;

    public InMemoryRowStore(final int rowLength, final int capacity)
    {
        this.rowLength = rowLength;
        this.capacity = capacity;
    }

    @Override
    public int size()
    {
        return size;
    }

    @Override
    public int capacity()
    {
        return capacity;
    }

    @Override
    public int find(final long key)
    {
        return (int)rowByKey.get(key);
    }

    @Override
    public void find(final long[] keysToFind, final int count, final int[] rows)
    {
        for (int i = 0; i < count; i++)
        {
            rows[i] = find(keysToFind[i]);
        }
    }

    @Override
    public int create(final long key)
    {
        if (size == capacity)
        {
            throw new IllegalStateException("no room for another row, capacity=" + capacity);
        }
        if (size == slabs.size() * ROWS_PER_SLAB)
        {
            slabs.add(ByteBuffer.allocateDirect(ROWS_PER_SLAB * rowLength));
        }
        if (size == keys.length)
        {
            keys = Arrays.copyOf(keys, 2 * keys.length);
        }
        keys[size] = key;
        rowByKey.put(key, size);

        return size++;
    }

    @Override
    public long key(final int row)
    {
        return keys[row];
    }

    @Override
    public void addresses(final int[] rows, final int count, final long[] addresses)
    {
        for (int i = 0; i < count; i++)
        {
            final int row = rows[i];
            addresses[i] = row < 0 ? 0 :
                BufferUtil.address(slabs.get(row / ROWS_PER_SLAB)) + (long)(row % ROWS_PER_SLAB) * rowLength;
        }
    }

    @Override
    public void wrap(final int row, final UnsafeBuffer view)
    {
        view.wrap(slabs.get(row / ROWS_PER_SLAB), row % ROWS_PER_SLAB * rowLength, rowLength);
    }

    @Override
    public void close()
    {
        slabs.clear();
    }
}
