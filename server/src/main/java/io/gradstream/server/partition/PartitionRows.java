// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.TableSpec;
import io.gradstream.server.table.PartitionKeys;
import io.gradstream.server.table.RowKeys;
import org.agrona.MutableDirectBuffer;

/** The rows of a partition as pulls see them: which keys there may be, and the rows' values. */
public final class PartitionRows
{
    private final PartitionState state;

    PartitionRows(final PartitionState state)
    {
        this.state = state;
    }

    /**
     * True if a pull from this partition may name these keys.
     *
     * @param keys  from index 0 on.
     * @param count of keys.
     * @return false if one is out of range or belongs elsewhere.
     */
    public boolean holdsKeys(final TableSpec spec, final long[] keys, final int count)
    {
        return spec.isSystem() ? PartitionKeys.areWithin(keys, count, 0) : state.ownKeys.containAll(spec, keys, count);
    }

    /** As {@link #holdsKeys} for consecutive keys, at least one. */
    public boolean holdsRange(final TableSpec spec, final long first, final int count)
    {
        return spec.isSystem() ? first >= 0 : state.ownKeys.containRange(spec, first, count);
    }

    /**
     * Copy the values of a row; a row never updated has its initial values.
     *
     * @param destination to write to, {@link TableSpec#valuesLength()} bytes.
     */
    public void read(
        final int tableId, final long key, final MutableDirectBuffer destination, final int offset)
    {
        state.table(tableId).read(key, destination, offset);
    }

    /**
     * As {@link #read(int, long, MutableDirectBuffer, int)} for several rows, whose values follow each other.
     *
     * @param from  index of the first key.
     * @param count of keys.
     */
    public void read(
        final int tableId,
        final RowKeys keys,
        final int from,
        final int count,
        final MutableDirectBuffer destination,
        final int offset)
    {
        state.table(tableId).read(keys, from, count, destination, offset);
    }
}
