// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.gradstream.codecs.Chain;

/**
 * Takes places from nodes that are drained, and then gives places to nodes that have fewer than others: to a node that
 * has come, and to one that has come back after its places were given away. One place moves after the other. What moves
 * next follows from the assignment as it is, so that a move which a fault has ended needs no memory of it.
 */
final class Rebalance
{
    /** Most places that move at once. */
    static final int MAX_MOVES = 2;
    /** A node takes part that was heard within so long: six reports. */
    static final long HEARD_MS = 3_000;

    private final CoordinatorState state;
    private final StalledPlaces stalled;

    Rebalance(final CoordinatorState state, final StalledPlaces stalled)
    {
        this.state = state;
        this.stalled = stalled;
    }

    /**
     * Let places move, where all nodes that have any are heard.
     *
     * @param lost  nodes for whose return partitions wait that they alone have: other partitions move without them.
     * @param nowMs time.
     * @return true if a place has been given to another node.
     */
    boolean onTime(final Set<Integer> lost, final long nowMs)
    {
        final Set<Integer> living = state.living(nowMs - HEARD_MS);
        final Set<Integer> placed = new TreeSet<>();
        state.chains.values().forEach((chain) -> placed.addAll(chain.assignment()));
        int moves = 0;
        for (final PartitionChain chain : state.chains.values())
        {
            moves += chain.isMoving() ? 1 : 0;
        }
        placed.removeAll(lost);
        if (!living.containsAll(placed))
        {
            return false;
        }
        boolean isMoved = false;
        boolean isUneven = true;
        while (moves < MAX_MOVES && isUneven)
        {
            isUneven = moveOne(living, placed, nowMs);
            isMoved |= isUneven;
            moves++;
        }

        return isMoved;
    }

    /**
     * Forget drained nodes that have fallen silent.
     *
     * @param sinceMs nodes that were heard since then are kept.
     * @return true if there was one.
     */
    boolean forgetEmpty(final long sinceMs)
    {
        boolean isForgotten = false;
        for (int node = 0; node < state.nodes.size(); node++)
        {
            final NodeRecord record = state.nodes.get(node);
            if (record.isDraining && record.isRegistered() && !record.isHeardSince(sinceMs) && !isNeeded(node))
            {
                record.forget();
                isForgotten = true;
            }
        }

        return isForgotten;
    }

    private boolean isNeeded(final int node)
    {
        return state.chains.values().stream().anyMatch((chain) ->
            chain.assignment().contains(node) || chain.chain().holds(node) || chain.required().contains(node));
    }

    private boolean moveOne(final Set<Integer> living, final Set<Integer> placed, final long nowMs)
    {
        final Set<Integer> draining = new TreeSet<>();
        living.stream().filter((node) -> state.nodes.get(node).isDraining).forEach(draining::add);
        final Set<Integer> nodes = new TreeSet<>(living);
        nodes.removeIf((node) -> draining.contains(node) && !placed.contains(node));
        draining.retainAll(placed);
        if (nodes.isEmpty())
        {
            return false;
        }
        final Placement now = state.placement(nodes);
        if (!draining.isEmpty())
        {
            return nodes.size() - draining.size() >= state.jobs.copies() &&
                moveOneAway(now, draining, living, nowMs);
        }

        return move(now, now.moreEven((partition, node) -> mayMove(partition, living) &&
            !state.chains.get(partition).place().hasStalled(node, StalledPlaces.AVOIDED_MS, nowMs)));
    }

    /** Let one place move away from nodes that are to have none. */
    private boolean moveOneAway(
        final Placement now, final Set<Integer> draining, final Set<Integer> living, final long nowMs)
    {
        Placement target = now;
        for (final int node : draining)
        {
            target = target.without(node);
        }
        for (final int partition : state.chains.keySet())
        {
            final PartitionChain chain = state.chains.get(partition);
            final boolean isDue =
                mayMove(partition, living) && chain.assignment().stream().anyMatch(draining::contains);
            final int comes = isDue ? comes(chain, target.assignment(partition), living, nowMs) : Chain.NONE;
            if (Chain.NONE != comes)
            {
                final List<Integer> moved = new ArrayList<>(chain.assignment());
                moved.remove(moved.stream().filter(draining::contains).findFirst().orElseThrow());
                moved.add(comes);
                chain.move(moved);
                return true;
            }
        }

        return false;
    }

    /** The node that is to have a place, or another one if that did not get in sync there; NONE if there is none. */
    private int comes(
        final PartitionChain chain, final List<Integer> target, final Set<Integer> living, final long nowMs)
    {
        final int next = target.stream().filter((node) -> !chain.assignment().contains(node)).findFirst().orElseThrow();
        return chain.place().hasStalled(next, StalledPlaces.AVOIDED_MS, nowMs) ?
            stalled.fewestPlaces(chain, living, nowMs) : next;
    }

    /**
     * True if a place of a partition may move: the chain is whole, all that have a place live, and there is a log, from
     * which a newcomer reads what it lacks.
     */
    private boolean mayMove(final int partition, final Set<Integer> living)
    {
        final PartitionChain chain = state.chains.get(partition);
        return null != chain && state.keepsLog(partition) && chain.mayMove() && living.containsAll(chain.assignment());
    }

    private boolean move(final Placement now, final Placement next)
    {
        boolean isMoved = false;
        for (final int partition : state.chains.keySet())
        {
            final PartitionChain chain = state.chains.get(partition);
            final List<Integer> target = next.assignment(partition);
            // a chain that waits for a lost node is more than is seen here, and does not give that node's place up
            if (target.size() == chain.assignment().size() && !target.equals(now.assignment(partition)))
            {
                chain.move(target);
                isMoved = true;
            }
        }

        return isMoved;
    }
}
