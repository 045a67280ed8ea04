// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import java.util.Arrays;

/**
 * The distinct features of a batch in ascending order, and for each entry of the batch the place of its feature among
 * them.
 * <p>
 * Entries are sorted as (feature, entry) pairs packed into longs by a least significant digit radix sort, as many
 * digits as the feature count needs. Arrays grow to the largest batch and are used again.
 */
final class BatchKeys
{
    private static final int DIGIT_BITS = 11;
    private static final int DIGIT_MASK = (1 << DIGIT_BITS) - 1;
    private static final int INITIAL_CAPACITY = 1024;

    private final int[] digitStart = new int[1 << DIGIT_BITS];
    private final int digits;
    private long[] pairs = new long[INITIAL_CAPACITY];
    private long[] sorted = new long[INITIAL_CAPACITY];
    private long[] keys = new long[INITIAL_CAPACITY];
    private int[] places = new int[INITIAL_CAPACITY];
    private int keyCount;

    BatchKeys(final int featureCount)
    {
        final int featureBits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, featureCount - 1));
        digits = (featureBits + DIGIT_BITS - 1) / DIGIT_BITS;
    }

    void index(final Examples examples, final int[] batch, final int offset, final int length)
    {
        final int entryCount = collect(examples, batch, offset, length);
        for (int digit = 0; digit < digits; digit++)
        {
            sortByDigit(entryCount, Integer.SIZE + digit * DIGIT_BITS);
        }

        keyCount = 0;
        long lastKey = -1;
        for (int i = 0; i < entryCount; i++)
        {
            final long key = pairs[i] >>> Integer.SIZE;
            if (key != lastKey)
            {
                keys[keyCount++] = key;
                lastKey = key;
            }
            places[(int)pairs[i]] = keyCount - 1;
        }
    }

    long[] keys()
    {
        return keys;
    }

    int keyCount()
    {
        return keyCount;
    }

    /** Place among the keys of the feature of an entry, counting entries through the batch from 0. */
    int place(final int entry)
    {
        return places[entry];
    }

    private int collect(final Examples examples, final int[] batch, final int offset, final int length)
    {
        int count = 0;
        for (int i = offset; i < offset + length; i++)
        {
            final int end = examples.endEntry(batch[i]);
            ensureCapacity((long)count + end - examples.firstEntry(batch[i]));
            for (int entry = examples.firstEntry(batch[i]); entry < end; entry++)
            {
                pairs[count] = ((long)examples.feature(entry) << Integer.SIZE) | count;
                count++;
            }
        }

        return count;
    }

    private void sortByDigit(final int count, final int shift)
    {
        Arrays.fill(digitStart, 0);
        for (int i = 0; i < count; i++)
        {
            digitStart[(int)(pairs[i] >>> shift) & DIGIT_MASK]++;
        }

        int start = 0;
        for (int digit = 0; digit < digitStart.length; digit++)
        {
            final int size = digitStart[digit];
            digitStart[digit] = start;
            start += size;
        }

        for (int i = 0; i < count; i++)
        {
            sorted[digitStart[(int)(pairs[i] >>> shift) & DIGIT_MASK]++] = pairs[i];
        }

        final long[] swap = pairs;
        pairs = sorted;
        sorted = swap;
    }

    private void ensureCapacity(final long required)
    {
        if (required > Examples.MAX_ENTRIES)
        {
            throw new IllegalArgumentException(
                "a batch of more than " + Examples.MAX_ENTRIES + " entries: use a smaller batch");
        }
        if (required > pairs.length)
        {
            final int capacity = (int)Math.min(Examples.MAX_ENTRIES, Math.max(required, pairs.length * 2L));
            pairs = Arrays.copyOf(pairs, capacity);
            sorted = new long[capacity];
            keys = new long[capacity];
            places = new int[capacity];
        }
    }
}
