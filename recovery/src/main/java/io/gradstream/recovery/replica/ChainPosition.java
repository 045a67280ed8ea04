// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.codecs.Chain;

import java.util.List;

/** A replica's place in its chain by the coordinator's newest decision. */
final class ChainPosition
{
    private final int nodeId;
    private final Downstream downstream;
    private Chain chain = new Chain(0, 0, List.of(), Chain.NONE, 0);
    private int predecessor = Chain.NONE;
    private Role role = Role.NONE;
    /** Version of the chain under which this replica, as its head, has stopped to hand the lead over; 0 if none. */
    private long sealedVersion;

    ChainPosition(final int nodeId, final Downstream downstream)
    {
        this.nodeId = nodeId;
        this.downstream = downstream;
    }

    /**
     * A decision that is not older than the last. Under one version only {@link Chain#needed()} changes: a joiner whose
     * log is needed as it is has no role before its head has confirmed.
     */
    void chain(final Chain newChain)
    {
        final Chain before = chain;
        chain = newChain;
        final Role named = Role.of(newChain, nodeId);
        role = Role.JOINER == named && isRequired() ? Role.NONE : named;
        predecessor = newChain.predecessorOf(nodeId);
        if (newChain.version() > before.version())
        {
            downstream.onChain(before, newChain);
        }
    }

    Chain chain()
    {
        return chain;
    }

    /** The role in which the coordinator wants this replica. */
    Role role()
    {
        return role;
    }

    /** True if it may act as the head of an epoch: it is the head, and has not stopped to hand the lead over. */
    boolean isHeadOf(final long epoch)
    {
        return Role.HEAD == role && chain.epoch() == epoch && !isSealed();
    }

    /** Stop being the head, until there is another chain. */
    void seal()
    {
        sealedVersion = chain.version();
    }

    /** True if it has stopped, as the head, to hand the lead over. */
    boolean isSealed()
    {
        return 0 != sealedVersion && chain.version() == sealedVersion;
    }

    /** True if the partition is not opened with this copy, because of what the copy may lack. */
    boolean isStale()
    {
        return chain.staleReplicas().contains(nodeId);
    }

    /** True if its log must be kept as it is, until a head has confirmed that it acknowledges without it. */
    boolean isRequired()
    {
        return chain.requiredReplicas().contains(nodeId);
    }

    /** True if its log must be kept, or there is no head that goes on without it. */
    boolean mayBeRequired()
    {
        return isRequired() || chain.members().isEmpty();
    }

    boolean isMember()
    {
        return chain.members().contains(nodeId);
    }

    /** True if one copy is wanted, and no other node has one in sync or that may be needed, as while a place moves. */
    boolean isOnlyCopy()
    {
        return 1 == chain.wanted() && chain.members().stream().allMatch((node) -> node == nodeId) &&
            chain.requiredReplicas().stream().allMatch((node) -> node == nodeId);
    }

    int predecessor()
    {
        return predecessor;
    }
}
