// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.gradstream.coordinator.client.Suspicion;
import io.gradstream.codecs.Chain;
import io.gradstream.codecs.coordinator.MessageHeaderEncoder;
import io.gradstream.codecs.coordinator.SnapshotReachDecoder;
import io.gradstream.codecs.coordinator.SnapshotReachEncoder;
import org.agrona.MutableDirectBuffer;

/**
 * Judges who loses a place when neighbours in a chain complain of each other. It judges by what nodes say of whether
 * they hear the coordinator: a node that does not hear it could be given a partition and would serve nobody, because
 * the node would not know of it.
 */
final class SuspicionArbiter
{
    /** A node that has not reported for so long that it is answered is not promoted. Reports are 500 ms apart. */
    static final long REACHED_MS = 1_500;

    private final CoordinatorState state;
    private final Map<Integer, Long> answeredMs = new TreeMap<>();

    SuspicionArbiter(final CoordinatorState state)
    {
        this.state = state;
    }

    /**
     * A node complains of its neighbour in a chain: the neighbour loses its place, unless nobody could take it, or the
     * node that complains may be deaf itself.
     *
     * @return true if the chain has changed.
     */
    boolean onSuspicion(
        final PartitionChain chain,
        final int reporter,
        final long chainVersion,
        final Suspicion suspicion,
        final long nowMs)
    {
        if (suspicion.isAnswered())
        {
            onAnswered(reporter, nowMs);
        }
        if (!chain.canSuspect(reporter, chainVersion, suspicion.nodeId()))
        {
            return false;
        }
        final List<Integer> removed = judge(chain.chain(), reporter, suspicion, nowMs);
        for (final int node : removed)
        {
            if (chain.onSuspected(node))
            {
                state.countFailover(node);
            }
        }

        return !removed.isEmpty();
    }

    /** The coordinators have answered a node lately, as its report says. */
    void onAnswered(final int node, final long nowMs)
    {
        if (state.isPlaced())
        {
            answeredMs.put(node, nowMs);
        }
    }

    /** A new process is the node: nothing is known of it. */
    void forget(final int node)
    {
        answeredMs.remove(node);
    }

    /** The new leader's clock may show less than the last one's. */
    void onNewLeader(final long nowMs)
    {
        answeredMs.replaceAll((node, atMs) -> Math.min(atMs, nowMs));
    }

    boolean isReached(final int node, final long nowMs)
    {
        final Long atMs = answeredMs.get(node);
        return null != atMs && nowMs - atMs <= REACHED_MS;
    }

    /**
     * Decide whom a complaint removes. If the node that complains is answered, it is the suspected node. If not, the
     * node that complains may be deaf itself and is not believed. But if it is the head's successor, it no longer
     * grants the head a lease, and a member after it takes the head's place if that member is reached. The members
     * between, which were never heads, go first.
     *
     * @return node ids in the order in which they lose their places, none if nobody does.
     */
    private List<Integer> judge(
        final Chain chain, final int reporter, final Suspicion suspicion, final long nowMs)
    {
        if (suspicion.isAnswered())
        {
            return List.of(suspicion.nodeId());
        }
        final List<Integer> members = chain.members();
        if (0 == members.indexOf(suspicion.nodeId()) && 1 == members.indexOf(reporter))
        {
            for (int transferee = 2; transferee < members.size(); transferee++)
            {
                if (isReached(members.get(transferee), nowMs))
                {
                    return Stream.concat(members.subList(1, transferee).stream(), Stream.of(members.get(0))).toList();
                }
            }
        }

        return List.of();
    }

    /** Write which nodes are answered; nothing if none is. */
    void encode(
        final MutableDirectBuffer buffer, final MessageHeaderEncoder header, final CoordinatorSnapshot.Output output)
    {
        if (!answeredMs.isEmpty())
        {
            final SnapshotReachEncoder encoder = new SnapshotReachEncoder();
            final SnapshotReachEncoder.NodesEncoder nodes =
                encoder.wrapAndApplyHeader(buffer, 0, header).nodesCount(answeredMs.size());
            answeredMs.forEach((node, atMs) -> nodes.next().answeredMs(atMs).nodeId(node));
            output.onMessage(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength());
        }
    }

    /** Read what {@link #encode} wrote. */
    void decode(final SnapshotReachDecoder decoder)
    {
        decoder.nodes().forEach((node) -> answeredMs.put(node.nodeId(), node.answeredMs()));
    }
}
