// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.List;
import java.util.Set;

import io.gradstream.codecs.Chain;

/**
 * Takes places from nodes that live and do not get in sync there: from a drained node at once, where its copy is not
 * needed, and from any other once its copy has not grown for minutes. The place goes back to the member that is leaving
 * it, or to the node that has the fewest places.
 */
final class StalledPlaces
{
    /** A node that has applied nothing more for so long, and is not in sync, loses its place. */
    static final long STALLED_MS = 600_000;
    /** It is not given that place again for so long. */
    static final long AVOIDED_MS = 1_800_000;

    private final CoordinatorState state;

    StalledPlaces(final CoordinatorState state)
    {
        this.state = state;
    }

    /**
     * Take places from nodes that do not get in sync.
     *
     * @param living nodes that can be relied on.
     * @param nowMs  time.
     * @return true if a place has been given to another node.
     */
    boolean onTime(final Set<Integer> living, final long nowMs)
    {
        boolean isMoved = false;
        for (final int partition : state.chains.keySet())
        {
            isMoved |= replace(partition, living, nowMs);
        }

        return isMoved;
    }

    private boolean replace(final int partition, final Set<Integer> living, final long nowMs)
    {
        final PartitionChain chain = state.chains.get(partition);
        final int awaited = awaited(chain, living);
        final boolean isStalled = chain.place().isStalled(awaited, STALLED_MS, nowMs);
        final boolean isRoleless = Chain.NONE != awaited && chain.canLeave(awaited);
        final boolean isDrained = isRoleless && state.nodes.get(awaited).isDraining;
        final boolean isDue = isDrained || isStalled && (isRoleless || chain.chain().joiner() == awaited);
        final int other = !isDue ? Chain.NONE :
            Chain.NONE != chain.leaving() ? chain.leaving() : fewestPlaces(chain, living, nowMs);
        if (Chain.NONE == other)
        {
            return false;
        }
        state.nodes.get(awaited).replicas.remove(partition);
        if (isStalled)
        {
            chain.place().onStalled(awaited, nowMs);
        }
        chain.replace(awaited, other);

        return true;
    }

    /** The first living node that has a place and is not in sync there, or NONE. */
    private static int awaited(final PartitionChain chain, final Set<Integer> living)
    {
        final List<Integer> members = chain.chain().members();
        return members.isEmpty() ? Chain.NONE : chain.assignment().stream()
            .filter((node) -> !members.contains(node) && living.contains(node)).findFirst().orElse(Chain.NONE);
    }

    /** The node with the fewest places of those that may get this one, or NONE. */
    int fewestPlaces(final PartitionChain chain, final Set<Integer> living, final long nowMs)
    {
        int fewest = Chain.NONE;
        for (final int node : living)
        {
            final boolean isCandidate = !state.nodes.get(node).isDraining && !chain.assignment().contains(node) &&
                !chain.place().hasStalled(node, AVOIDED_MS, nowMs);
            if (isCandidate && (Chain.NONE == fewest || places(node) < places(fewest)))
            {
                fewest = node;
            }
        }

        return fewest;
    }

    private long places(final int node)
    {
        return state.chains.values().stream().filter((chain) -> chain.assignment().contains(node)).count();
    }
}
