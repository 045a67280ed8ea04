// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.ElementType;
import io.gradstream.worker.session.Tickets;
import org.agrona.collections.Long2LongHashMap;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;

/**
 * Adds up the gradients of several batches, row by row, so that they are one push: gradient accumulation.
 * <p>
 * A row that several batches update travels once, and a sum counts as one step of the table's update function: it is a
 * sum, not a mean. With {@code sgd} the step is as long as those of the batches together; functions with state, and
 * guards such as {@code clip}, see the sum alone. Floats are added in the order of the calls, and rows are pushed in
 * the order in which they came first, so that the same calls push the same bits.
 * <p>
 * Memory grows with the rows, to at most about 2 * (4 * dim + 56) bytes for each of {@code maxRows}, and is kept when
 * the sum is cleared. Used by one thread.
 */
public final class GradientSum
{
    private static final int INITIAL_ROWS = 256;
    private static final int UNKNOWN = -1;
    /** The float to which any other may be added without a change of its bits: 0 would change -0. */
    private static final float NOTHING = -0.0f;

    private final int dim;
    private final int maxRows;
    private final Long2LongHashMap indexByKey = new Long2LongHashMap(UNKNOWN);
    private int[] places = new int[0];
    private long[] keys;
    private float[] gradients;
    private int rows;

    /**
     * An empty sum.
     *
     * @param dim     floats in a row, as in the table.
     * @param maxRows most rows of a sum, at least 1.
     * @throws IllegalArgumentException if either is below 1, or an array cannot hold so many rows.
     */
    public GradientSum(final int dim, final int maxRows)
    {
        if (dim < 1)
        {
            throw new IllegalArgumentException("invalid dim=" + dim + ": must be at least 1");
        }
        if (maxRows < 1 || maxRows > (Integer.MAX_VALUE - 8) / dim)
        {
            throw new IllegalArgumentException("invalid maxRows=" + maxRows + ": must be 1.." +
                (Integer.MAX_VALUE - 8) / dim + " with dim=" + dim);
        }
        this.dim = dim;
        this.maxRows = maxRows;
        final int initialRows = Math.min(INITIAL_ROWS, maxRows);
        keys = new long[initialRows];
        gradients = new float[initialRows * dim];
    }

    /**
     * Add the gradients of a batch. A key that appears twice is added twice.
     *
     * @param batchKeys      of rows.
     * @param from           index of the first key.
     * @param count          of keys.
     * @param batchGradients row-major, count * dim floats; those of batchKeys[from] begin at 0. They are copied.
     * @throws IllegalArgumentException  if there are too few gradients; nothing is added.
     * @throws IndexOutOfBoundsException if there are too few keys; nothing is added.
     * @throws IllegalStateException     if the sum would have more than {@code maxRows} rows; nothing is added.
     */
    public void add(final long[] batchKeys, final int from, final int count, final float[] batchGradients)
    {
        if (!tryAdd(batchKeys, from, count, batchGradients))
        {
            throw new IllegalStateException("a sum of at most " + maxRows + " rows has " + rows +
                ", and no room for the new ones of " + count + ": push it first, or give it a higher maxRows");
        }
    }

    /**
     * As {@link #add(long[], int, int, float[])}, unless there would be too many rows.
     *
     * @param batchKeys      of rows.
     * @param from           index of the first key.
     * @param count          of keys.
     * @param batchGradients row-major, count * dim floats.
     * @return false if the sum would have more than {@code maxRows} rows; nothing is added then.
     */
    public boolean tryAdd(final long[] batchKeys, final int from, final int count, final float[] batchGradients)
    {
        Objects.checkFromIndexSize(from, count, batchKeys.length);
        if (batchGradients.length < (long)count * dim)
        {
            throw new IllegalArgumentException("invalid gradients.length=" + batchGradients.length + ": " + count +
                " rows of " + dim + " need " + (long)count * dim);
        }
        if (!tryPlace(batchKeys, from, count))
        {
            return false;
        }
        for (int i = 0; i < count; i++)
        {
            final int to = places[i] * dim;
            final int at = i * dim;
            for (int j = 0; j < dim; j++)
            {
                gradients[to + j] += batchGradients[at + j];
            }
        }

        return true;
    }

    /**
     * Push the sum as {@link Table#push(long[], int, int, float[])} does, and clear it. If the push fails, the sum
     * keeps the rows that were not pushed, which are all of them unless partitions ran out of room on the way. So it
     * may be pushed again: no row is pushed twice. An empty sum pushes nothing.
     *
     * @param table of floats, with as many in a row as this sum.
     * @return ticket, which is done where the sum is empty; {@link GradstreamClient#NOT_NOW} where the table drops the
     *         push, and the sum stays as it is.
     * @throws IllegalArgumentException  if the table's rows are others, or a float of the sum is not finite.
     * @throws OperationTimeoutException if there is no room in time for the rows that the sum then has.
     */
    public long push(final Table table)
    {
        if (ElementType.FLOAT32 != table.spec().elementType() || table.spec().dim() != dim)
        {
            throw new IllegalArgumentException("table '" + table.spec().name() + "' holds rows of " +
                table.spec().dim() + " " + table.spec().elementType() + ": this sum is of rows of " + dim + " " +
                ElementType.FLOAT32);
        }
        if (isEmpty())
        {
            return Tickets.NONE;
        }
        final long ticket;
        try
        {
            ticket = table.push(keys, 0, rows, gradients);
        }
        catch (final RuntimeException ex)
        {
            remove(table.rowsPushed());
            throw ex;
        }
        if (GradstreamClient.NOT_NOW != ticket)
        {
            clear();
        }

        return ticket;
    }

    /** Forget everything that was added. */
    public void clear()
    {
        indexByKey.clear();
        rows = 0;
    }

    /** True if nothing was added since the sum was cleared. */
    public boolean isEmpty()
    {
        return 0 == rows;
    }

    /** Number of rows, each of another key. */
    public int rows()
    {
        return rows;
    }

    /**
     * The keys of the rows, in the order in which they came first.
     *
     * @return the array itself, of which the first {@link #rows()} elements count; the next addition may replace it.
     */
    public long[] keys()
    {
        return keys;
    }

    /**
     * The sums, row-major, in the order of the keys.
     *
     * @return the array itself, of which the first {@link #rows()} * dim elements count; the next addition may replace
     *         it.
     */
    public float[] gradients()
    {
        return gradients;
    }

    /** Index of the row of a key, or below 0 if the sum has none. */
    int indexOf(final long key)
    {
        return (int)indexByKey.get(key);
    }

    /** Remove a row; the last row takes its place. */
    void remove(final int index)
    {
        indexByKey.remove(keys[index]);
        rows--;
        if (index < rows)
        {
            keys[index] = keys[rows];
            System.arraycopy(gradients, rows * dim, gradients, index * dim, dim);
            indexByKey.put(keys[index], index);
        }
    }

    /** Find a place for each key; if there is none for one of them, the sum is as before. */
    private boolean tryPlace(final long[] batchKeys, final int from, final int count)
    {
        final int before = rows;
        places = places.length < count ? new int[Math.max(count, 2 * places.length)] : places;
        for (int i = 0; i < count; i++)
        {
            final long key = batchKeys[from + i];
            int index = (int)indexByKey.get(key);
            if (UNKNOWN == index)
            {
                if (rows == maxRows)
                {
                    removeFrom(before);
                    return false;
                }
                index = append(key);
            }
            places[i] = index;
        }

        return true;
    }

    private int append(final long key)
    {
        if (rows == keys.length)
        {
            final int grown = (int)Math.min(maxRows, 2L * rows);
            keys = Arrays.copyOf(keys, grown);
            gradients = Arrays.copyOf(gradients, grown * dim);
        }
        keys[rows] = key;
        Arrays.fill(gradients, rows * dim, (rows + 1) * dim, NOTHING);
        indexByKey.put(key, rows);

        return rows++;
    }

    /** Remove rows by their index; the others keep their order. */
    private void remove(final BitSet removed)
    {
        if (removed.isEmpty())
        {
            return;
        }
        final int before = rows;
        clear();
        for (int i = removed.nextClearBit(0); i < before; i = removed.nextClearBit(i + 1))
        {
            keys[rows] = keys[i];
            System.arraycopy(gradients, i * dim, gradients, rows * dim, dim);
            indexByKey.put(keys[rows], rows++);
        }
    }

    private void removeFrom(final int first)
    {
        for (int i = first; i < rows; i++)
        {
            indexByKey.remove(keys[i]);
        }
        rows = first;
    }
}
