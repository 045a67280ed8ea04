// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.store;

import io.gradstream.codecs.TableSpec;
import io.gradstream.server.table.RowStore;
import net.openhft.chronicle.hash.ChronicleHashClosedException;
import net.openhft.chronicle.hash.Data;
import net.openhft.chronicle.hash.serialization.impl.ByteArrayDataAccess;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ExternalMapQueryContext;
import net.openhft.chronicle.map.MapEntry;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The rows of one table of one partition in a Chronicle Map off heap. Values have one size and are never removed, so a
 * row stays at its address while the map is open; each address is looked up once and kept by the row's number.
 */
public final class ChronicleRowStore implements RowStore
{
    /** Keys never spread quite evenly over the map's segments; further tiers are allocated only when one is full. */
    private static final double MAX_BLOAT = 4;

    private final int rowLength;
    private final int capacity;
    /**
     * The content of each new row. All puts share this one view, because any other kind of put would leave seven
     * objects behind.
     */
    private final Data<byte[]> zeros;
    private final ChronicleMap<Long, byte[]> map;
    private final RowIndex rowByKey = new RowIndex();
    private final PagedArray keys = PagedArray.ofLongs();
    private final PagedArray addresses = PagedArray.ofLongs();
    private int size;

    public ChronicleRowStore(final int partition, final TableSpec spec, final int rowLength, final int capacity)
    {
        this.rowLength = rowLength;
        this.capacity = capacity;
        final byte[] sample = new byte[rowLength];
        zeros = new ByteArrayDataAccess().getData(sample);
        map = ChronicleMap.of(Long.class, byte[].class)
            .name("p" + partition + "-" + spec.name())
            .entries(capacity)
            .constantValueSizeBySample(sample)
            .maxBloatFactor(MAX_BLOAT)
            .checksumEntries(false)
            .skipCloseOnExitHook(true)
            .create();
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
        return rowByKey.find(key);
    }

    @Override
    public void find(final long[] keysToFind, final int count, final int[] rows)
    {
        rowByKey.find(keysToFind, count, rows);
    }

    @Override
    public int create(final long key)
    {
        if (size == capacity)
        {
            throw new IllegalStateException("no room for another row, capacity=" + capacity);
        }
        addresses.putLong(size, insert(key));
        keys.putLong(size, key);
        rowByKey.add(key, size);

        return size++;
    }

    @Override
    public long key(final int row)
    {
        checkRow(row);

        return keys.getLong(row);
    }

    @Override
    public void wrap(final int row, final UnsafeBuffer view)
    {
        checkRow(row);
        view.wrap(addresses.getLong(row), rowLength);
    }

    @Override
    public void addresses(final int[] rows, final int count, final long[] to)
    {
        for (int i = 0; i < count; i++)
        {
            final int row = rows[i];
            if (row >= size)
            {
                checkRow(row);
            }
            to[i] = row < 0 ? 0 : addresses.getLong(row);
        }
    }

    private void checkRow(final int row)
    {
        if (row < 0 || row >= size)
        {
            throw new IndexOutOfBoundsException("row=" + row + " size=" + size);
        }
    }

    @Override
    public void close()
    {
        // addresses point into the map's memory: they must no longer be used
        size = 0;
        rowByKey.clear();
        keys.close();
        addresses.close();
        map.close();
    }

    /**
     * The address of a key's value as Chronicle Map itself finds it.
     *
     * @throws ChronicleHashClosedException if the store is closed.
     */
    long lookUp(final long key)
    {
        try (ExternalMapQueryContext<Long, byte[], ?> context = map.queryContext(key))
        {
            context.readLock().lock();
            return address(context.entry());
        }
    }

    /** Add an entry and look it up within one context: two of them take three times as long. */
    private long insert(final long key)
    {
        try (ExternalMapQueryContext<Long, byte[], ?> context = map.queryContext(key))
        {
            context.updateLock().lock();
            context.absentEntry().doInsert(zeros);
            return address(context.entry());
        }
    }

    private static long address(final MapEntry<Long, byte[]> entry)
    {
        return entry.value().bytes().addressForRead(entry.value().offset());
    }
}
