// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.recovery.chain.ChainMonitor;
import io.gradstream.recovery.chain.PeerHeartbeat;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.replica.AttachAnswer;
import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.recovery.replica.Upstream;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.node.NodeCounters.Counter;
import io.gradstream.server.partition.HostedPartition;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * Hands each message of a neighbour to the node's chains or to the replica it is about. Messages about a partition
 * that is not kept here are ignored.
 */
public final class NeighbourMessages
{
    private final int jobId;
    private final NanoClock clock;
    private final ChainMonitor monitor;
    private final HostedPartitions partitions;
    private final NodeCounters counters;

    /**
     * Nothing was heard yet.
     *
     * @param clock read with each message: it counts as heard when it is here, and not before a pause.
     */
    NeighbourMessages(
        final int jobId,
        final NanoClock clock,
        final ChainMonitor monitor,
        final HostedPartitions partitions,
        final NodeCounters counters)
    {
        this.jobId = jobId;
        this.clock = clock;
        this.monitor = monitor;
        this.partitions = partitions;
        this.counters = counters;
    }

    /** A node of a job lives; a node of another job is no neighbour. */
    public void onHeartbeat(final int ofJob, final int from, final PeerHeartbeat heartbeat)
    {
        if (ofJob == jobId)
        {
            monitor.onHeartbeat(from, heartbeat, clock.nanoTime());
        }
    }

    /** A replica wants to follow from where its log ends, or {@link Upstream#WANTS_SNAPSHOT}. */
    public void onAttach(final ChainLink link, final EpochHistory history, final long position)
    {
        final Replica replica = replica(link.partition());
        if (null != replica)
        {
            replica.downstream().onAttach(link, history, position, clock.nanoTime());
            monitor.onAttached(link.nodeId(), clock.nanoTime());
        }
    }

    /**
     * A follower reports how far it, and everybody in the acknowledgement set behind it, has come.
     *
     * @param snapshotted position of the older of two kept snapshots, 0 while there are not two.
     * @param grantNs     newest heartbeat of this node for which it grants a lease; 0 if none.
     */
    public void onProgress(
        final ChainLink link, final long applied, final long recorded, final long snapshotted, final long grantNs)
    {
        final Replica replica = replica(link.partition());
        if (null != replica)
        {
            replica.downstream().onProgress(link, applied, recorded, snapshotted, grantNs, clock.nanoTime());
        }
    }

    public void onAttachAnswer(
        final int partition, final long attachment, final AttachAnswer answer, final long position)
    {
        final Replica replica = replica(partition);
        if (null != replica)
        {
            replica.upstream().onAttachAnswer(attachment, answer, position);
        }
    }

    /** The predecessor hands a record on; false if it cannot be appended now and must come again. */
    public boolean onForward(
        final int partition,
        final long attachment,
        final long previousPosition,
        final long endPosition,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final Replica replica = replica(partition);
        if (null == replica)
        {
            onMalformed();
            return true;
        }

        return replica.upstream().onForward(attachment, previousPosition, endPosition, buffer, offset, length);
    }

    /** The predecessor hands on a frame of its snapshot. */
    public void onSnapshotFrame(
        final int partition,
        final long attachment,
        final long index,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final Replica replica = replica(partition);
        if (null == replica)
        {
            onMalformed();
            return;
        }
        replica.upstream().onSnapshotFrame(attachment, index, buffer, offset, length);
    }

    public void onMalformed()
    {
        counters.increment(Counter.MALFORMED_FRAMES);
    }

    void onOtherVersion()
    {
        counters.increment(Counter.OTHER_VERSION_MESSAGES);
    }

    private Replica replica(final int partition)
    {
        final HostedPartition copy = partitions.of(partition);
        return null == copy ? null : copy.replica();
    }
}
