// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

import io.aeron.Aeron;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.recovery.replica.Role;
import io.gradstream.server.node.NodeCounters;
import io.gradstream.server.partition.HostedPartition;
import org.agrona.CloseHelper;
import org.agrona.collections.Int2ObjectHashMap;

/** Shows what a node and its replicas do as counters of the media driver. Used by the node's thread only. */
final class NodeDisplay implements AutoCloseable
{
    /** Type of the first of the node's own counters; the others follow in the order of their enum. */
    static final int FIRST_NODE_TYPE_ID = 17_000;
    /** Replicas that are shown: a media driver has room for some thousand counters. */
    static final int MAX_REPLICAS = 256;

    private final Aeron aeron;
    private final int nodeId;
    private final NodeCounters nodeCounters;
    private final ShownCounters ofNode;
    private final Int2ObjectHashMap<ShownCounters> ofReplicas = new Int2ObjectHashMap<>();

    NodeDisplay(final Aeron aeron, final int nodeId, final NodeCounters nodeCounters)
    {
        this.aeron = aeron;
        this.nodeId = nodeId;
        this.nodeCounters = nodeCounters;
        ofNode = new ShownCounters(aeron, nodeId, ShownCounters.NO_PARTITION, NodeCounters.Counter.values().length);
        for (final NodeCounters.Counter counter : NodeCounters.Counter.values())
        {
            ofNode.add(counter.ordinal(), FIRST_NODE_TYPE_ID + counter.ordinal(), counter.name());
        }
    }

    void onNode()
    {
        for (final NodeCounters.Counter counter : NodeCounters.Counter.values())
        {
            ofNode.set(counter.ordinal(), nodeCounters.get(counter));
        }
    }

    void onReplica(final HostedPartition copy, final boolean hasLease)
    {
        final ShownCounters counters = ofReplica(copy.number());
        if (null == counters)
        {
            return;
        }
        final Replica replica = copy.replica();
        final long applied = copy.partition().cursor().position();
        final boolean isOpen = null != replica.log();
        final long replicated = isOpen ? replica.replicatedPosition() : 0;
        set(counters, ReplicaCounter.STATE, replica.state().ordinal());
        set(counters, ReplicaCounter.ROLE, Role.of(replica.chain(), nodeId).ordinal());
        set(counters, ReplicaCounter.EPOCH, copy.partition().cursor().epoch());
        set(counters, ReplicaCounter.APPLIED, applied);
        set(counters, ReplicaCounter.RECORDED, isOpen ? replica.recordedPosition() : 0);
        set(counters, ReplicaCounter.REPLICATED, replicated);
        set(counters, ReplicaCounter.LAG, isOpen ? applied - replicated : 0);
        set(counters, ReplicaCounter.QUEUE, replica.downstream().queuedBytes());
        set(counters, ReplicaCounter.LEASE, hasLease ? 1 : 0);
        set(counters, ReplicaCounter.ANSWERS, copy.isAnswering() ? 1 : 0);
    }

    /** Free the counters of a copy that is no longer kept here. */
    void onDropped(final int partition)
    {
        CloseHelper.quietClose(ofReplicas.remove(partition));
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(ofNode);
        CloseHelper.quietCloseAll(ofReplicas.values());
    }

    private static void set(final ShownCounters counters, final ReplicaCounter counter, final long value)
    {
        counters.set(counter.ordinal(), value);
    }

    private ShownCounters ofReplica(final int partition)
    {
        final ShownCounters known = ofReplicas.get(partition);
        if (null != known || ofReplicas.size() >= MAX_REPLICAS)
        {
            return known;
        }
        final ShownCounters added = new ShownCounters(aeron, nodeId, partition, ReplicaCounter.values().length);
        for (final ReplicaCounter counter : ReplicaCounter.values())
        {
            added.add(counter.ordinal(), counter.typeId(), counter.name());
        }
        ofReplicas.put(partition, added);

        return added;
    }
}
