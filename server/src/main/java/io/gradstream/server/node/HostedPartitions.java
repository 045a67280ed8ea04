// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.server.partition.HostedPartition;
import org.agrona.CloseHelper;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2ObjectHashMap;

import java.util.ArrayList;
import java.util.List;

/** The partitions that this node keeps a copy of, in the order in which they came. */
final class HostedPartitions implements AutoCloseable
{
    private final List<HostedPartition> all = new ArrayList<>();
    private final Int2ObjectHashMap<HostedPartition> byNumber = new Int2ObjectHashMap<>();
    private final Long2ObjectHashMap<HostedPartition> byNumberInJob = new Long2ObjectHashMap<>();

    void add(final HostedPartition copy)
    {
        all.add(copy);
        byNumber.put(copy.number(), copy);
        byNumberInJob.put(key(copy.jobId(), copy.numberInJob()), copy);
    }

    /** Close a copy that is no longer kept here. */
    void remove(final HostedPartition copy)
    {
        all.remove(copy);
        byNumber.remove(copy.number());
        byNumberInJob.remove(key(copy.jobId(), copy.numberInJob()));
        CloseHelper.quietClose(copy);
    }

    List<HostedPartition> all()
    {
        return all;
    }

    /** The copy of a partition, by its number in the cluster, or null if none is kept here. */
    HostedPartition of(final int partition)
    {
        return byNumber.get(partition);
    }

    /** The copy of a partition, by its number in its job, or null if none is kept here. */
    HostedPartition of(final int jobId, final int numberInJob)
    {
        return byNumberInJob.get(key(jobId, numberInJob));
    }

    private static long key(final int jobId, final int numberInJob)
    {
        return (long)jobId << Integer.SIZE | numberInJob & 0xFFFF_FFFFL;
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(all);
    }
}
