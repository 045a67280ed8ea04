// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

import java.util.List;

/**
 * The replicas of one partition in their order, as the coordinator has decided.
 *
 * @param epoch   of the head's leadership; grows when a replica becomes head, or becomes it again; 0 before.
 * @param version of this chain; grows with every change of it.
 * @param members node ids in sync, head first; empty while no replica can be head.
 * @param joiner  node id that follows the last member and is not in sync yet, or {@link #NONE}.
 * @param wanted  members the chain should have; fewer is degraded.
 * @param transferee    member in sync that is to take the lead from the head, which lives, or {@link #NONE}.
 * @param staleReplicas nodes with whose copies the partition is not opened, for they may lack what was acknowledged;
 *                empty while there is a head.
 * @param requiredReplicas nodes all of which have to show their logs before the partition is opened again, as long as
 *                its head has not confirmed that it goes on with the members alone; see {@link #isConfirmed()}.
 */
public record Chain(
    long epoch,
    long version,
    List<Integer> members,
    int joiner,
    int wanted,
    int transferee,
    List<Integer> staleReplicas,
    List<Integer> requiredReplicas)
{
    /** No node. */
    public static final int NONE = -1;
    /** Epoch that a replica whose own log is damaged reports: it may join a chain but must never head one. */
    public static final long DAMAGED = -1;

    /** Copies the lists. */
    public Chain
    {
        members = List.copyOf(members);
        staleReplicas = List.copyOf(staleReplicas);
        requiredReplicas = List.copyOf(requiredReplicas);
    }

    /** A chain whose head stays. */
    public Chain(
        final long epoch, final long version, final List<Integer> members, final int joiner, final int wanted)
    {
        this(epoch, version, members, joiner, wanted, NONE);
    }

    /** A chain of whose copies none is refused, and which is confirmed. */
    public Chain(
        final long epoch,
        final long version,
        final List<Integer> members,
        final int joiner,
        final int wanted,
        final int transferee)
    {
        this(epoch, version, members, joiner, wanted, transferee, List.of(), List.of());
    }

    /** The node id of the primary, or {@link #NONE} if nobody is. */
    public int head()
    {
        return members.isEmpty() ? NONE : members.get(0);
    }

    /**
     * The node that a node follows.
     *
     * @param nodeId of a member or the joiner.
     * @return node id of the one before it, or {@link #NONE}.
     */
    public int predecessorOf(final int nodeId)
    {
        final int index = joiner == nodeId ? members.size() : members.indexOf(nodeId);
        return index < 1 ? NONE : members.get(index - 1);
    }

    /**
     * The node that follows a node.
     *
     * @param nodeId of a member or the joiner.
     * @return node id of the one after it, the joiner after the last member, or {@link #NONE}.
     */
    public int successorOf(final int nodeId)
    {
        final int index = members.indexOf(nodeId);
        if (index < 0)
        {
            return NONE;
        }

        return index + 1 < members.size() ? members.get(index + 1) : joiner;
    }

    /** True if a node has a place in this chain, as a member or the joiner. */
    public boolean holds(final int nodeId)
    {
        return NONE != nodeId && (joiner == nodeId || members.contains(nodeId));
    }

    /**
     * True if the coordinators know that the head goes on with the members alone. Before that it acknowledges nothing.
     * The version stays the same.
     */
    public boolean isConfirmed()
    {
        return requiredReplicas.isEmpty();
    }

    /** True if the chain is shorter than it should be. */
    public boolean isDegraded()
    {
        return members.size() < wanted;
    }
}
