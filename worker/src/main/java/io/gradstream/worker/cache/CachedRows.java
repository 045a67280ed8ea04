// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.cache;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2LongHashMap;

import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The cached rows of one table.
 * <p>
 * Own pushes are numbered. A row of an answer enters only if no own push to it was made since the pull was asked, as
 * nobody knows whether the answer holds that push. While pulls are outstanding, a push to a row that is not here leaves
 * a row without values, which remembers the number.
 * <p>
 * Its bytes are limited. Beyond the limit the CLOCK algorithm finds a row that no pull has used since it last looked.
 */
public final class CachedRows
{
    /** Returned for a row that is not here, or that may not answer. */
    public static final long UNKNOWN = Long.MIN_VALUE;
    /** Bytes that a row takes besides its values: key, clock, numbers, and its share of a half full map. */
    public static final int ROW_OVERHEAD = 64;

    private static final int INITIAL_ROWS = 256;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private final ProcessCache cache;
    private final int dim;
    private final boolean isFloat;
    private final int maxRows;
    /** The factor of a gradient before it is added to its row; NaN if it is not added. */
    private final float step;
    private final boolean isLater;
    private final Long2LongHashMap indexByKey = new Long2LongHashMap(-1);
    private long[] keys;
    /** The slowest clock with which a row was read, or {@link #UNKNOWN} for a row without values. */
    private long[] clocks;
    private long[] pushedAt;
    private int[] generations;
    private boolean[] isUsed;
    private Object values;
    private int size;
    private int hand;
    private int asked;
    private long pushes;
    private long forgottenPushes;

    CachedRows(final ProcessCache cache, final TableSpec spec, final long maxBytes, final OwnPushes ownPushes)
    {
        this.cache = cache;
        dim = spec.dim();
        isFloat = ElementType.FLOAT32 == spec.elementType();
        final long rowBytes = (long)spec.valuesLength() + ROW_OVERHEAD;
        if (maxBytes < rowBytes)
        {
            throw new IllegalArgumentException("invalid maxBytes=" + maxBytes + ": a row of table '" + spec.name() +
                "' takes " + rowBytes);
        }
        maxRows = (int)Math.min(maxBytes / rowBytes, Integer.MAX_VALUE / dim / 2);
        step = stepOf(spec.function());
        isLater = Float.isNaN(step) && OwnPushes.LATER == ownPushes;
        final int rows = Math.min(maxRows, INITIAL_ROWS);
        keys = new long[rows];
        clocks = new long[rows];
        pushedAt = new long[rows];
        generations = new int[rows];
        isUsed = new boolean[rows];
        values = newValues(rows);
    }

    /** The factor by which an update function multiplies a gradient that it adds to a row; NaN if it does more. */
    static float stepOf(final String function)
    {
        final String[] words = function.trim().split(" +");
        if (1 == words.length && "add/1".equals(words[0]))
        {
            return 1;
        }

        return 2 == words.length && ("sgd/1".equals(words[0]) || "sgd/2".equals(words[0])) &&
            words[1].startsWith("rate=") ? -Float.parseFloat(words[1].substring("rate=".length())) : Float.NaN;
    }

    /** Most rows that have room. */
    public int maxRows()
    {
        return maxRows;
    }

    /** Servers are asked for rows. */
    public void onFetched(final int rows)
    {
        cache.onFetched(rows);
    }

    /** A pull is about to be sent. Returns the number of the last own push, to be given with its rows. */
    public long onAsked()
    {
        asked++;
        return pushes;
    }

    /** A pull is answered or over. */
    public void onOver()
    {
        asked--;
    }

    /**
     * Copy a row into an array if it may answer a pull.
     *
     * @param clock iterations before the one that the pull is for.
     * @return the slowest clock with which it was read, or {@link #UNKNOWN} if servers must be asked for it.
     */
    public long take(final int partition, final long key, final long clock, final Object array, final int to)
    {
        final int index = (int)indexByKey.get(key);
        if (index < 0 || UNKNOWN == clocks[index] || generations[index] != cache.generation(partition) ||
            !cache.allows(clock, clocks[index]))
        {
            return UNKNOWN;
        }
        System.arraycopy(values, index * dim, array, to, dim);
        isUsed[index] = true;
        cache.onCached();

        return clocks[index];
    }

    /**
     * A row has come.
     *
     * @param array    that holds its values.
     * @param from     index of the first of them.
     * @param minClock iterations that every slot had finished when it was read.
     * @param askedAt  as {@link #onAsked()} returned it.
     */
    public void put(
        final int partition,
        final long key,
        final Object array,
        final int from,
        final long minClock,
        final long askedAt)
    {
        final int known = (int)indexByKey.get(key);
        if (askedAt < forgottenPushes || known >= 0 && askedAt < pushedAt[known])
        {
            return;
        }
        final int index = known < 0 ? place(key) : known;
        isUsed[index] = known >= 0;
        clocks[index] = minClock;
        generations[index] = cache.generation(partition);
        System.arraycopy(array, from, values, index * dim, dim);
    }

    /** This worker begins to push rows; {@link #push}, {@link #drop} follow. */
    public void onPush()
    {
        pushes++;
    }

    /** A gradient of floats was pushed to a row. */
    public void push(final long key, final float[] gradients, final int from)
    {
        final int index = pushed(key);
        if (index >= 0)
        {
            final float[] floats = (float[])values;
            for (int i = 0, to = index * dim; i < dim; i++)
            {
                floats[to + i] += step * gradients[from + i];
            }
        }
    }

    /** Longs were pushed to a row. */
    public void push(final long key, final long[] gradients, final int from)
    {
        final int index = pushed(key);
        if (index >= 0)
        {
            final long[] longs = (long[])values;
            for (int i = 0, to = index * dim; i < dim; i++)
            {
                longs[to + i] += gradients[from + i];
            }
        }
    }

    /** Raw little-endian elements were pushed to a row. */
    public void push(final long key, final DirectBuffer gradients, final int offset)
    {
        final int index = pushed(key);
        if (index >= 0 && isFloat)
        {
            final float[] floats = (float[])values;
            for (int i = 0, to = index * dim; i < dim; i++)
            {
                floats[to + i] += step * gradients.getFloat(offset + i * Float.BYTES, ORDER);
            }
        }
        else if (index >= 0)
        {
            final long[] longs = (long[])values;
            for (int i = 0, to = index * dim; i < dim; i++)
            {
                longs[to + i] += gradients.getLong(offset + i * Long.BYTES, ORDER);
            }
        }
    }

    /** A row was replaced by this worker: the next pull fetches it. */
    public void drop(final long key)
    {
        final int index = numbered(key);
        if (index >= 0)
        {
            clocks[index] = UNKNOWN;
        }
    }

    /** Drop all rows. Those of outstanding pulls do not enter either. */
    void dropAll()
    {
        indexByKey.clear();
        size = 0;
        hand = 0;
        forgottenPushes = ++pushes;
    }

    /** Number an own push to a row. Returns the index of the row if the push is to be added there, else -1. */
    private int pushed(final long key)
    {
        if (isLater)
        {
            return -1;
        }
        final int index = numbered(key);
        if (index >= 0 && Float.isNaN(step))
        {
            clocks[index] = UNKNOWN;
        }

        return index < 0 || UNKNOWN == clocks[index] ? -1 : index;
    }

    private int numbered(final long key)
    {
        int index = (int)indexByKey.get(key);
        if (index < 0 && asked > 0)
        {
            index = place(key);
            clocks[index] = UNKNOWN;
        }
        if (index >= 0)
        {
            pushedAt[index] = pushes;
        }

        return index;
    }

    private int place(final long key)
    {
        final int index = size < maxRows ? next() : replaced();
        keys[index] = key;
        pushedAt[index] = 0;
        isUsed[index] = false;
        indexByKey.put(key, index);

        return index;
    }

    private int next()
    {
        if (size == keys.length)
        {
            grow((int)Math.min(maxRows, size * 2L));
        }

        return size++;
    }

    private int replaced()
    {
        while (isUsed[hand])
        {
            isUsed[hand] = false;
            advance();
        }
        final int index = hand;
        advance();
        indexByKey.remove(keys[index]);
        forgottenPushes = Math.max(forgottenPushes, pushedAt[index]);

        return index;
    }

    private void advance()
    {
        hand = hand + 1 == maxRows ? 0 : hand + 1;
    }

    private void grow(final int rows)
    {
        keys = Arrays.copyOf(keys, rows);
        clocks = Arrays.copyOf(clocks, rows);
        pushedAt = Arrays.copyOf(pushedAt, rows);
        generations = Arrays.copyOf(generations, rows);
        isUsed = Arrays.copyOf(isUsed, rows);
        final Object grown = newValues(rows);
        System.arraycopy(values, 0, grown, 0, size * dim);
        values = grown;
    }

    private Object newValues(final int rows)
    {
        return isFloat ? new float[rows * dim] : new long[rows * dim];
    }
}
