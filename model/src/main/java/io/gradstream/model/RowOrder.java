// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.model;

/**
 * Keys of a table with where each row is, which can be sorted by key in place: 16 bytes a row.
 * <p>
 * Radix exchange sort (Hildebrandt and Isbitz, 1959): it splits by one bit of the key after the other, beginning with
 * the highest that differs, so that no order of keys makes it slow, and small parts by insertion.
 */
final class RowOrder
{
    /** Heap bytes a row. */
    static final int BYTES_PER_ROW = 2 * Long.BYTES;
    private static final int INSERTION_LIMIT = 24;

    private final long[] keys;
    private final long[] offsets;
    private int size;

    RowOrder(final int capacity)
    {
        keys = new long[capacity];
        offsets = new long[capacity];
    }

    void add(final long key, final long offset)
    {
        keys[size] = key;
        offsets[size] = offset;
        size++;
    }

    int size()
    {
        return size;
    }

    long key(final int index)
    {
        return keys[index];
    }

    long offset(final int index)
    {
        return offsets[index];
    }

    void sort()
    {
        long differing = 0;
        for (int i = 1; i < size; i++)
        {
            differing |= keys[i] ^ keys[0];
        }
        sort(0, size, Long.SIZE - 1 - Long.numberOfLeadingZeros(differing));
    }

    /**
     * Where a key stands that is there twice, once sorted.
     *
     * @return index of the first of the two; -1 if there is none.
     */
    int indexOfDoubled()
    {
        for (int i = 1; i < size; i++)
        {
            if (keys[i - 1] == keys[i])
            {
                return i - 1;
            }
        }

        return -1;
    }

    private void sort(final int from, final int to, final int bit)
    {
        if (to - from <= INSERTION_LIMIT)
        {
            insertionSort(from, to);
        }
        else if (bit >= 0)
        {
            int low = from;
            int high = to;
            while (low < high)
            {
                if (isLow(keys[low], bit))
                {
                    low++;
                }
                else
                {
                    high--;
                    swap(low, high);
                }
            }
            sort(from, low, bit - 1);
            sort(low, to, bit - 1);
        }
    }

    private static boolean isLow(final long key, final int bit)
    {
        // the highest bit is the sign, with which a key is lower
        return 0 == (((key ^ Long.MIN_VALUE) >>> bit) & 1);
    }

    private void insertionSort(final int from, final int to)
    {
        for (int i = from + 1; i < to; i++)
        {
            for (int j = i; j > from && keys[j - 1] > keys[j]; j--)
            {
                swap(j - 1, j);
            }
        }
    }

    private void swap(final int i, final int j)
    {
        final long key = keys[i];
        keys[i] = keys[j];
        keys[j] = key;
        final long offset = offsets[i];
        offsets[i] = offsets[j];
        offsets[j] = offset;
    }
}
