// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.chain;

import io.gradstream.codecs.Chain;

/**
 * Lets the transferee of a chain take the lead from a head that lives. From the moment the transferee is named it
 * grants its predecessor no lease. After a lease of each member that may be before the transferee, none of these
 * members can hold a lease any longer, as if the transferee had not heard them. Then the transferee claims the lead,
 * and the coordinator promotes it. If the head hears of that and stops, its successor need not wait.
 */
final class LeadershipClaim
{
    private boolean isOpen;
    private long version;
    private long sinceNs;

    /** The coordinator has decided. */
    void onChain(final Chain chain, final int nodeId, final long nowNs)
    {
        final boolean isTransferee = chain.transferee() == nodeId && chain.members().indexOf(nodeId) > 0;
        if (isTransferee && (!isOpen || version != chain.version()))
        {
            sinceNs = nowNs;
        }
        isOpen = isTransferee;
        version = chain.version();
    }

    /** True if this node is the transferee. Then it grants no lease. */
    boolean isOpen()
    {
        return isOpen;
    }

    /**
     * The time that a transferee waits: until the members before it are without a lease, and two heartbeats for clocks
     * that run differently; never longer than if these members were silent. A chain may have been longer by one, while
     * a place of it moved, and a member that has left may not know.
     */
    static long waitNs(final ChainTiming timing, final Chain chain)
    {
        final int before = Math.min(chain.wanted() + 1, ChainTiming.MAX_COPIES) - 1;
        return Math.min(timing.suspicionNs(), before * timing.leaseNs() + 2 * timing.heartbeatNs());
    }

    /**
     * True if no member before the transferee can hold a lease any longer.
     *
     * @param isSealed true if there is one member before it, the head, which has said that it has stopped.
     */
    boolean isMade(final boolean isSealed, final long waitNs, final long nowNs)
    {
        return isOpen && (isSealed || nowNs - sinceNs >= waitNs);
    }
}
