// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.List;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.coordinator.SnapshotChainDecoder;
import io.gradstream.codecs.coordinator.SnapshotChainEncoder;
import io.gradstream.coordinator.client.ReplicaPositions;

/** The place in one chain whose node is awaited in sync, and the node that lost its place as it did not get there. */
final class AwaitedPlace
{
    /** Node that has a place and is awaited in sync, or NONE; the most that it had applied, and since when. */
    private int awaited = Chain.NONE;
    private long awaitedPosition;
    private long awaitedMs;
    /** Node that did not get in sync in its place, or NONE; and when it lost the place for that. */
    private int stalled = Chain.NONE;
    private long stalledMs;

    /** A node says how far its replica is, and whether the joiner after that gets on. */
    void onPositions(final int node, final ReplicaPositions positions, final Chain chain, final long nowMs)
    {
        final List<Integer> members = chain.members();
        final boolean isServed = positions.isJoinerServed() && chain.joiner() == awaited && !members.isEmpty() &&
            members.get(members.size() - 1) == node;
        if (isServed || node == awaited && positions.applied() > awaitedPosition)
        {
            awaitedPosition = isServed ? awaitedPosition : positions.applied();
            awaitedMs = nowMs;
        }
    }

    /**
     * True if a node that has a place, and is to get in sync there, has not got on for so long.
     *
     * @param node the node, or NONE if nobody is awaited.
     */
    boolean isStalled(final int node, final long forMs, final long nowMs)
    {
        if (node != awaited)
        {
            awaited = node;
            awaitedPosition = 0;
            awaitedMs = nowMs;
        }

        return Chain.NONE != node && nowMs - awaitedMs >= forMs;
    }

    /** True if a node has lost its place here within this time because it did not get in sync. */
    boolean hasStalled(final int node, final long withinMs, final long nowMs)
    {
        return node == stalled && nowMs - stalledMs < withinMs;
    }

    /** A node has lost its place because it did not get in sync. */
    void onStalled(final int node, final long nowMs)
    {
        stalled = node;
        stalledMs = nowMs;
    }

    /** The new leader's clock may show less than the last one's. */
    void onNewLeader(final long nowMs)
    {
        awaitedMs = nowMs;
        stalledMs = Math.min(stalledMs, nowMs);
    }

    void encode(final SnapshotChainEncoder encoder)
    {
        encoder.awaited(awaited).awaitedPosition(awaitedPosition).awaitedMs(awaitedMs)
            .stalled(stalled).stalledMs(stalledMs);
    }

    void decode(final SnapshotChainDecoder decoder)
    {
        awaited = decoder.awaited();
        awaitedPosition = decoder.awaitedPosition();
        awaitedMs = decoder.awaitedMs();
        stalled = decoder.stalled();
        stalledMs = decoder.stalledMs();
    }
}
