// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Gives the places of nodes that have been silent for too long to others, a few partitions at once. */
final class Repairs
{
    private final CoordinatorState state;

    Repairs(final CoordinatorState state)
    {
        this.state = state;
    }

    /** The nodes that have places and are not among those that are heard. */
    Set<Integer> lost(final Set<Integer> living)
    {
        final Set<Integer> lost = new TreeSet<>();
        state.chains.values().forEach((chain) -> lost.addAll(chain.assignment()));
        lost.removeAll(living);

        return lost;
    }

    /**
     * Give lost places to others.
     *
     * @param lost     nodes whose places they are.
     * @param living   nodes that are heard.
     * @param underWay partitions that are under repair already.
     * @return how many partitions were given another place.
     */
    int onTime(final Set<Integer> lost, final Set<Integer> living, final int underWay)
    {
        int repairs = 0;
        // where all are silent there is nobody to take a place
        if (!lost.isEmpty() && !living.isEmpty())
        {
            final Placement target = without(lost, living);
            for (final int partition : state.chains.keySet())
            {
                final List<Integer> now = state.chains.get(partition).assignment();
                if (underWay + repairs < CoordinatorState.MAX_REPAIRS &&
                    repair(partition, filled(now, lost, target.assignment(partition))))
                {
                    repairs++;
                }
            }
        }

        return repairs;
    }

    /**
     * True if these nodes have no place that another node could have. Each of their partitions waits for one of them
     * that alone has everything. A place beside that one stays, too: with the copy there a user may go on.
     */
    boolean areStuck(final Set<Integer> lost)
    {
        return state.chains.values().stream().noneMatch((chain) ->
            chain.assignment().stream().anyMatch(lost::contains) &&
            chain.assignment().stream().allMatch((node) -> !lost.contains(node) || chain.canLeave(node)));
    }

    private Placement without(final Set<Integer> lost, final Set<Integer> living)
    {
        final Set<Integer> ring = new TreeSet<>(living);
        ring.addAll(lost);
        Placement placement = state.placement(ring);
        final Set<Integer> avoided = new TreeSet<>(lost);
        living.stream().filter((node) -> state.nodes.get(node).isDraining).forEach(avoided::add);
        final boolean areOthersEnough = ring.size() - avoided.size() >= state.jobs.copies();
        for (final int node : areOthersEnough ? avoided : lost)
        {
            placement = placement.without(node);
        }

        return placement;
    }

    /** The places of a chain that are not lost, in their order, and others in the place of those that are. */
    private static List<Integer> filled(final List<Integer> now, final Set<Integer> lost, final List<Integer> target)
    {
        final List<Integer> filled = new ArrayList<>(now);
        filled.removeAll(lost);
        for (final int node : target)
        {
            if (filled.size() < now.size() && !filled.contains(node))
            {
                filled.add(node);
            }
        }

        return filled;
    }

    private boolean repair(final int partition, final List<Integer> target)
    {
        final PartitionChain chain = state.chains.get(partition);
        final boolean isDue = target.size() == chain.assignment().size() && !target.equals(chain.assignment()) &&
            chain.assignment().stream().allMatch((node) -> target.contains(node) || chain.canLeave(node));
        if (isDue)
        {
            chain.assignment().forEach((node) -> state.nodes.get(node).replicas.remove(partition));
            chain.move(target);
        }

        return isDue;
    }
}
