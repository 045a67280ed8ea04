// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.server.partition.HostedPartition;
import org.agrona.CloseHelper;
import org.agrona.collections.Int2ObjectHashMap;

import java.util.ArrayList;
import java.util.List;

/** The partitions that this node keeps a copy of, in the order in which they came. */
final class HostedPartitions implements AutoCloseable
{
    private final List<HostedPartition> all = new ArrayList<>();
    private final Int2ObjectHashMap<HostedPartition> byNumber = new Int2ObjectHashMap<>();

    void add(final HostedPartition copy)
    {
        all.add(copy);
        byNumber.put(copy.number(), copy);
    }

    /** Close a copy that is no longer kept here. */
    void remove(final HostedPartition copy)
    {
        all.remove(copy);
        byNumber.remove(copy.number());
        CloseHelper.quietClose(copy);
    }

    List<HostedPartition> all()
    {
        return all;
    }

    /** The copy of a partition, or null if none is kept here. */
    HostedPartition of(final int partition)
    {
        return byNumber.get(partition);
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(all);
    }
}
