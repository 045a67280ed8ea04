// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2LongHashMap;

import java.util.Arrays;

/**
 * The rows that a worker pulled last, for pulls while their partition is out of reach.
 * <p>
 * A row that was never pulled is unknown: other workers may have updated it, so the cache does not assume its initial
 * values. Each table has a bound in bytes; beyond it the row that was pulled first makes room.
 */
public final class RowCache
{
    /** Returned for a row that is not known. */
    public static final long UNKNOWN = Long.MIN_VALUE;
    /** Bytes that a row takes besides its values: key, time, and its share of a half full map. */
    public static final int ROW_OVERHEAD = 48;

    private static final int INITIAL_ROWS = 256;

    private final long bytesPerTable;
    private final Int2ObjectHashMap<Rows> byTable = new Int2ObjectHashMap<>();

    public RowCache(final long bytesPerTable)
    {
        this.bytesPerTable = bytesPerTable;
    }

    /** The rows of a table, empty at first; null for a system table, which is never cached. */
    Rows of(final TableSpec spec)
    {
        if (spec.isSystem())
        {
            return null;
        }
        Rows rows = byTable.get(spec.tableId());
        if (null == rows)
        {
            rows = new Rows(spec);
            byTable.put(spec.tableId(), rows);
        }

        return rows;
    }

    /** The rows of one table. */
    final class Rows
    {
        private final int dim;
        private final boolean isFloat;
        private final int maxRows;
        private final Long2LongHashMap indexByKey = new Long2LongHashMap(-1);
        private long[] keys = new long[INITIAL_ROWS];
        private long[] trueNs = new long[INITIAL_ROWS];
        private Object values;
        private int size;
        private int oldest;

        Rows(final TableSpec spec)
        {
            dim = spec.dim();
            maxRows = (int)Math.max(1, Math.min(
                bytesPerTable / (spec.valuesLength() + ROW_OVERHEAD), Integer.MAX_VALUE / dim / 2));
            isFloat = ElementType.FLOAT32 == spec.elementType();
            values = newValues(INITIAL_ROWS);
        }

        /** Remember a row that was pulled into an array, and was true at the time given. */
        void put(final long key, final Object array, final int from, final long atNs)
        {
            int index = (int)indexByKey.get(key);
            if (index < 0)
            {
                index = place();
                keys[index] = key;
                indexByKey.put(key, index);
            }
            trueNs[index] = atNs;
            System.arraycopy(array, from, values, index * dim, dim);
        }

        /** Time as of which a row counts, or {@link #UNKNOWN} if it was never pulled or has made room. */
        long trueNs(final long key)
        {
            final int index = (int)indexByKey.get(key);
            return index < 0 ? UNKNOWN : trueNs[index];
        }

        /**
         * Copy a row into an array.
         *
         * @return time as of which it counts, or {@link #UNKNOWN} if it was never pulled or has made room.
         */
        long get(final long key, final Object array, final int to)
        {
            final int index = (int)indexByKey.get(key);
            if (index < 0)
            {
                return UNKNOWN;
            }
            System.arraycopy(values, index * dim, array, to, dim);

            return trueNs[index];
        }

        int maxRows()
        {
            return maxRows;
        }

        private int place()
        {
            if (size < maxRows)
            {
                if (size == keys.length)
                {
                    grow((int)Math.min(maxRows, size * 2L));
                }
                return size++;
            }
            final int index = oldest;
            oldest = oldest + 1 == maxRows ? 0 : oldest + 1;
            indexByKey.remove(keys[index]);

            return index;
        }

        private void grow(final int rows)
        {
            keys = Arrays.copyOf(keys, rows);
            trueNs = Arrays.copyOf(trueNs, rows);
            final Object grown = newValues(rows);
            System.arraycopy(values, 0, grown, 0, size * dim);
            values = grown;
        }

        private Object newValues(final int rows)
        {
            return isFloat ? new float[rows * dim] : new long[rows * dim];
        }
    }
}
