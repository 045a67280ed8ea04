// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.store;

import org.agrona.collections.Long2LongHashMap;

/**
 * Number of each row by its key: in an array where keys are small in relation to their number, as the ids of features
 * and the keys of dense tables are, and in a hash map otherwise. Keys are never removed.
 */
final class RowIndex
{
    /** Row number of a key without a row. */
    static final int NONE = -1;
    /** Most places of the array for each row. */
    static final int MAX_PLACES_PER_ROW = 16;
    /** Rows for which the array has places from the start. */
    static final int LEAST_ROWS = 1024;

    private static final int MAX_PLACES = 1 << 30;

    private final Long2LongHashMap byKey = new Long2LongHashMap(NONE);
    /** One more than the row's number, by key; 0 for a key that has none here. */
    private final PagedArray bySmallKey = PagedArray.ofInts();
    /** Keys below this one may be in the array. */
    private long smallKeys;

    int find(final long key)
    {
        final int small = key >= 0 && key < smallKeys ? bySmallKey.getInt((int)key) : 0;

        return small > 0 ? small - 1 : (int)byKey.get(key);
    }

    /** Find several, from index 0 on. */
    void find(final long[] keys, final int count, final int[] rows)
    {
        for (int i = 0; i < count; i++)
        {
            rows[i] = find(keys[i]);
        }
    }

    /** Add a key that is not there; rows are numbered in their order. */
    void add(final long key, final int row)
    {
        final long places = Math.min(MAX_PLACES, (long)MAX_PLACES_PER_ROW * Math.max(LEAST_ROWS, row));
        if (key < 0 || key >= places)
        {
            byKey.put(key, row);
            return;
        }
        smallKeys = Math.max(smallKeys, key + 1);
        bySmallKey.putInt((int)key, row + 1);
    }

    void clear()
    {
        byKey.clear();
        bySmallKey.close();
        smallKeys = 0;
    }
}
