// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.cache;

import org.agrona.collections.Long2LongHashMap;

/**
 * The Euclidean norms of the rows of a table of floats, each as servers have sent it last. Of many rows it keeps those
 * that came lately: when half of the room is full, the older half is forgotten. Rows that a process cache answers with
 * have the norm with which they came.
 */
public final class PulledNorms
{
    /** Most rows whose norms are kept. */
    public static final int MAX_ROWS = 1 << 21;

    private static final long UNKNOWN = -1;

    private final int dim;
    private final int half;
    private Long2LongHashMap newer = new Long2LongHashMap(UNKNOWN);
    private Long2LongHashMap older = new Long2LongHashMap(UNKNOWN);
    private double sumOfNewer;
    private double sumOfOlder;

    /**
     * Of no row yet.
     *
     * @param dim     floats of a row.
     * @param maxRows most that are kept, 2 or more.
     */
    public PulledNorms(final int dim, final int maxRows)
    {
        this.dim = dim;
        half = maxRows / 2;
    }

    /**
     * A row has come. Of one that is not finite the norm is not known.
     *
     * @param from      index of its first float.
     * @param isRounded true if small floats have become 0: zeros then count as a norm that is as small as it may be.
     */
    public void onRow(final long key, final float[] rows, final int from, final boolean isRounded)
    {
        final float exact = (float)norm(rows, from, dim);
        final float norm = isRounded ? Math.max(Float.MIN_VALUE, exact) : exact;
        if (!Float.isFinite(norm))
        {
            forget(key);
            return;
        }
        final long before = newer.put(key, Float.floatToRawIntBits(norm) & 0xFFFFFFFFL);
        if (UNKNOWN == before)
        {
            final long old = older.remove(key);
            sumOfOlder -= UNKNOWN == old ? 0 : ofBits(old);
        }
        sumOfNewer += norm - (UNKNOWN == before ? 0 : ofBits(before));
        if (newer.size() == half)
        {
            final Long2LongHashMap emptied = older;
            emptied.clear();
            older = newer;
            newer = emptied;
            sumOfOlder = sumOfNewer;
            sumOfNewer = 0;
        }
    }

    /** The norm of a row, or NaN if it is not known. */
    public double of(final long key)
    {
        final long bits = newer.get(key);
        final long known = UNKNOWN == bits ? older.get(key) : bits;

        return UNKNOWN == known ? Double.NaN : ofBits(known);
    }

    /** The mean norm of the rows that are known, or NaN if none is. */
    public double mean()
    {
        return (sumOfNewer + sumOfOlder) / (newer.size() + older.size());
    }

    /** The Euclidean norm of floats. */
    public static double norm(final float[] floats, final int from, final int count)
    {
        double sum = 0;
        for (int i = from; i < from + count; i++)
        {
            sum += (double)floats[i] * floats[i];
        }

        return Math.sqrt(sum);
    }

    private void forget(final long key)
    {
        final long bits = newer.remove(key);
        sumOfNewer -= UNKNOWN == bits ? 0 : ofBits(bits);
        final long old = older.remove(key);
        sumOfOlder -= UNKNOWN == old ? 0 : ofBits(old);
    }

    private static float ofBits(final long bits)
    {
        return Float.intBitsToFloat((int)bits);
    }
}
