// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.table;

import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;

/**
 * Decides which keys belong to a partition. Keys mostly come in ascending order, so the answer for the last key's block
 * is kept.
 */
public final class PartitionKeys
{
    private final PartitionFunction placement;
    private final int partition;
    /** True if this is the only partition: all keys belong to it. */
    private final boolean isWhole;
    private int tableId = -1;
    private long blockBegin;
    private long blockEnd;
    private boolean isBlockOwn;

    public PartitionKeys(final PartitionFunction placement, final int partition)
    {
        this.placement = placement;
        this.partition = partition;
        isWhole = 1 == placement.partitionCount();
    }

    /**
     * True if keys are in the range of a table that is no system table, and belong here.
     *
     * @param keys  from index 0 on.
     * @param count of keys.
     */
    public boolean containAll(final TableSpec spec, final long[] keys, final int count)
    {
        if (!areWithin(keys, count, spec.rows()))
        {
            return false;
        }
        boolean areOwn = true;
        for (int i = 0; areOwn && !isWhole && i < count; i++)
        {
            areOwn = isOwn(spec, keys[i]);
        }

        return areOwn;
    }

    /** As {@link #containAll} for consecutive keys, at least one. */
    public boolean containRange(final TableSpec spec, final long first, final int count)
    {
        if (first < 0 || first > (spec.rows() > 0 ? spec.rows() : Long.MAX_VALUE) - count)
        {
            return false;
        }
        boolean areOwn = true;
        for (long key = first, left = count; areOwn && !isWhole && left > 0; )
        {
            areOwn = isOwn(spec, key);
            final long step = PartitionFunction.blockEnd(key) - key;
            key += step;
            left -= step;
        }

        return areOwn;
    }

    /** True if keys are not negative and in the range of a table of so many rows; 0 for no limit. */
    public static boolean areWithin(final long[] keys, final int count, final long rows)
    {
        final long last = rows > 0 ? rows - 1 : Long.MAX_VALUE;
        long signs = 0;
        for (int i = 0; i < count; i++)
        {
            signs |= keys[i] | last - keys[i];
        }

        return signs >= 0;
    }

    private boolean isOwn(final TableSpec spec, final long key)
    {
        if (key < blockBegin || key >= blockEnd || tableId != spec.tableId())
        {
            tableId = spec.tableId();
            blockEnd = PartitionFunction.blockEnd(key);
            blockBegin = blockEnd - (1L << PartitionFunction.BLOCK_BITS);
            isBlockOwn = placement.partitionOf(tableId, key) == partition;
        }

        return isBlockOwn;
    }
}
