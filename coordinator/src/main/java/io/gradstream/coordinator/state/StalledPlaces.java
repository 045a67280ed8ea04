// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

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
        final boolean isJoiner = chain.chain().joiner() == awaited;
        final boolean isStalled = chain.place().isStalled(awaited, STALLED_MS, nowMs) &&
            (isJoiner || chain.canLeave(awaited));
        final int drained = first(chain, living, (node) -> state.nodes.get(node).isDraining && chain.canLeave(node));
        final int loser = Chain.NONE != drained ? drained : isStalled ? awaited : Chain.NONE;
        final int other = Chain.NONE == loser ? Chain.NONE :
            Chain.NONE != chain.leaving() ? chain.leaving() : fewestPlaces(chain, living, nowMs);
        if (Chain.NONE == other)
        {
            return isStalled && isJoiner && letJoinFirst(chain, awaited, living);
        }
        state.nodes.get(loser).replicas.remove(partition);
        if (isStalled && loser == awaited)
        {
            chain.place().onStalled(awaited, nowMs);
        }
        chain.replace(loser, other);

        return true;
    }

    /** Let others join before a node that stalls, and keeps its place since nobody else can have it. */
    private static boolean letJoinFirst(final PartitionChain chain, final int joiner, final Set<Integer> living)
    {
        final boolean isAnyWaiting = chain.isAnyWaiting(living::contains);
        if (isAnyWaiting)
        {
            chain.replace(joiner, joiner);
        }

        return isAnyWaiting;
    }

    /** The node that is to get in sync next, if it lives: the joiner, for which all others wait. Or NONE. */
    private static int awaited(final PartitionChain chain, final Set<Integer> living)
    {
        final int joiner = chain.chain().joiner();

        return first(chain, living, (node) -> Chain.NONE == joiner || node == joiner);
    }

    /**
     * The first living node that has a place, is not in sync there, and for which this holds; or NONE. While members
     * are not heard nobody can get in sync, and what others have may be all that is left.
     */
    private static int first(final PartitionChain chain, final Set<Integer> living, final Predicate<Integer> condition)
    {
        final List<Integer> members = chain.chain().members();
        return members.isEmpty() || !living.containsAll(members) ? Chain.NONE : chain.assignment().stream()
            .filter((node) -> !members.contains(node) && living.contains(node)).filter(condition)
            .findFirst().orElse(Chain.NONE);
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
