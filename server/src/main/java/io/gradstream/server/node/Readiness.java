// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.Chain;
import io.gradstream.server.partition.HostedPartition;

import java.util.BitSet;
import java.util.List;

/**
 * Judges whether every copy that the coordinator has placed on this node is in sync, and what the node waits for. The
 * node's thread judges; any thread may ask.
 * <p>
 * An operator who restarts servers one after the other waits for this. A copy that still catches up does not count: the
 * copy that it is made from may be the last complete one.
 */
public final class Readiness
{
    /** Interval in nanoseconds at which the reason for waiting is put into words. */
    static final long TELL_INTERVAL_NS = 1_000_000_000;

    private final int nodeId;
    private long toldNs;
    private boolean hasTold;
    private volatile boolean isReady;
    private volatile String waitingFor = "the node has not started yet";

    Readiness(final int nodeId)
    {
        this.nodeId = nodeId;
    }

    /**
     * Judge anew.
     *
     * @param assigned partitions whose place is here; null while the coordinator has not placed any, or does not know
     *                 this process.
     */
    void onTick(
        final List<HostedPartition> hosted, final BitSet assigned, final Object coordinator, final long nowNs)
    {
        int settled = 0;
        int opened = 0;
        HostedPartition behind = null;
        for (int i = 0, size = hosted.size(); null != assigned && i < size; i++)
        {
            final HostedPartition copy = hosted.get(i);
            if (!assigned.get(copy.number()))
            {
                continue;
            }
            opened++;
            final boolean isSettled = isSettled(nodeId, copy.replica().chain(), hasRole(copy));
            settled += isSettled ? 1 : 0;
            behind = isSettled || null != behind ? behind : copy;
        }
        isReady = null != assigned && null == behind && opened == assigned.cardinality();
        if (!isReady && (!hasTold || nowNs - toldNs >= TELL_INTERVAL_NS))
        {
            hasTold = true;
            toldNs = nowNs;
            waitingFor = null == assigned ? "the coordinator has not placed partitions with this process yet (" +
                coordinator + ")" : settled + " of " + assigned.cardinality() + " partitions are in sync; " +
                (null == behind ? "others wait until earlier copies of theirs are deleted" : describe(behind));
        }
    }

    /** The node has ended. */
    public void onEnd()
    {
        isReady = false;
    }

    /** True if every copy that the coordinator has placed on this node is in sync. */
    public boolean isReady()
    {
        return isReady;
    }

    /** The reason why it is not ready: one line, at most about a second old. */
    public String waitingFor()
    {
        return waitingFor;
    }

    /**
     * True if a copy is in sync and in its role, or if its partition can do without it.
     *
     * @param hasRole true if it is primary, or follows.
     * @return false while the partition may need the copy.
     */
    static boolean isSettled(final int nodeId, final Chain chain, final boolean hasRole)
    {
        return chain.members().contains(nodeId) ? hasRole :
            !chain.members().isEmpty() && chain.members().size() >= chain.wanted();
    }

    private static boolean hasRole(final HostedPartition copy)
    {
        return copy.isPrimary() || copy.replica().isSealed() || 0 != copy.replica().upstream().attachment();
    }

    private static String describe(final HostedPartition copy)
    {
        final Chain chain = copy.replica().chain();
        return "partition " + copy.number() + " is " + copy.replica().state() + " at position " +
            copy.partition().cursor().position() +
            (null == copy.replica().shortfall() ? "" : ", refused (" + copy.replica().shortfall() + ")") +
            " and its chain " + chain.members() +
            (Chain.NONE == chain.joiner() ? ", which nobody joins" : ", which node " + chain.joiner() + " joins");
    }
}
