// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.worker;

import java.util.Arrays;

import org.agrona.collections.Long2LongHashMap;

/**
 * A worker's own copy of rows: as they were pulled, and as its steps have left them. It grows to a limit, and keeps its
 * memory when it is cleared.
 */
final class LocalRows
{
    private static final int INITIAL_ROWS = 256;
    private static final int UNKNOWN = -1;

    private final int dim;
    private final int maxRows;
    private final Long2LongHashMap indexByKey = new Long2LongHashMap(UNKNOWN);
    private long[] keys;
    private float[] pulled;
    private float[] own;
    private float[] differences = new float[0];
    private int size;
    /** The first rows, which were there at the last step: those after them have taken none. */
    private int stepped;

    /** Of no row yet. */
    LocalRows(final int dim, final int maxRows)
    {
        this.dim = dim;
        this.maxRows = maxRows;
        final int initialRows = Math.min(INITIAL_ROWS, maxRows);
        keys = new long[initialRows];
        pulled = new float[initialRows * dim];
        own = new float[initialRows * dim];
    }

    /**
     * Find the keys of which there is no row.
     *
     * @param missing receives them, in their order.
     * @return number of them.
     */
    int missing(final long[] of, final int count, final long[] missing)
    {
        int found = 0;
        for (int i = 0; i < count; i++)
        {
            if (UNKNOWN == indexByKey.get(of[i]))
            {
                missing[found++] = of[i];
            }
        }

        return found;
    }

    /**
     * Take rows that were pulled, except those that are there.
     *
     * @return false if there is no room for all of them.
     */
    boolean tryPut(final long[] of, final int count, final float[] rows)
    {
        for (int i = 0; i < count; i++)
        {
            if (UNKNOWN == indexByKey.get(of[i]))
            {
                if (size == maxRows)
                {
                    return false;
                }
                grow();
                keys[size] = of[i];
                System.arraycopy(rows, i * dim, pulled, size * dim, dim);
                System.arraycopy(rows, i * dim, own, size * dim, dim);
                indexByKey.put(of[i], size++);
            }
        }

        return true;
    }

    /** Copy the rows of keys, all of which are there, as the steps have left them. */
    void copy(final long[] of, final int count, final float[] rows)
    {
        for (int i = 0; i < count; i++)
        {
            System.arraycopy(own, index(of[i]) * dim, rows, i * dim, dim);
        }
    }

    /** Take a step of plain SGD: own row -= rate * gradient, for keys that are there. */
    void step(final long[] of, final int count, final float[] gradient, final float rate)
    {
        for (int i = 0; i < count; i++)
        {
            final int to = index(of[i]) * dim;
            for (int j = 0; j < dim; j++)
            {
                own[to + j] -= rate * gradient[i * dim + j];
            }
        }
        stepped = size;
    }

    /** By how much the rows that were pulled are above the own ones: a gradient for servers. */
    float[] differences()
    {
        differences = differences.length < stepped * dim ? new float[pulled.length] : differences;
        for (int i = 0; i < stepped * dim; i++)
        {
            differences[i] = pulled[i] - own[i];
        }

        return differences;
    }

    /** Keys of the rows, in the order in which they were pulled; the first {@link #stepped()} are to be pushed. */
    long[] keys()
    {
        return keys;
    }

    /** Number of the rows that are to be pushed: the first ones, without those that were pulled since the last step. */
    int stepped()
    {
        return stepped;
    }

    void clear()
    {
        indexByKey.clear();
        size = 0;
        stepped = 0;
    }

    private int index(final long key)
    {
        final int index = (int)indexByKey.get(key);
        if (UNKNOWN == index)
        {
            throw new IllegalStateException("no row of key=" + key + " was pulled");
        }

        return index;
    }

    private void grow()
    {
        if (size == keys.length)
        {
            final int grown = (int)Math.min(maxRows, 2L * size);
            keys = Arrays.copyOf(keys, grown);
            pulled = Arrays.copyOf(pulled, grown * dim);
            own = Arrays.copyOf(own, grown * dim);
        }
    }
}
