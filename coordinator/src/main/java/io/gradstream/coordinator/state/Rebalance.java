// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Gives places to nodes that have fewer than others: to a node that has come, and to one that has come back after its
 * places were given away. One place moves after the other, and what moves next follows from the assignment as it is, so
 * that a move which a fault has ended needs no memory of it.
 */
final class Rebalance
{
    /** Most places that move at once. */
    static final int MAX_MOVES = 2;
    /** A node takes part that was heard within so long: six reports. */
    static final long HEARD_MS = 3_000;

    private final CoordinatorState state;

    Rebalance(final CoordinatorState state)
    {
        this.state = state;
    }

    /**
     * Let places move, where all nodes that have any are heard.
     *
     * @param nowMs time.
     * @return true if a place has been given to another node.
     */
    boolean onTime(final long nowMs)
    {
        final Set<Integer> living = state.living(nowMs - HEARD_MS);
        final Set<Integer> placed = new TreeSet<>();
        state.chains.forEach((chain) -> placed.addAll(chain.assignment()));
        int moves = 0;
        for (final PartitionChain chain : state.chains)
        {
            moves += chain.isMoving() ? 1 : 0;
        }
        if (!living.containsAll(placed))
        {
            return false;
        }
        boolean isMoved = false;
        boolean isUneven = true;
        while (moves < MAX_MOVES && isUneven)
        {
            isUneven = moveOne(living);
            isMoved |= isUneven;
            moves++;
        }

        return isMoved;
    }

    private boolean moveOne(final Set<Integer> nodes)
    {
        final Placement now = Placement.of(nodes, state.chains.stream().map(PartitionChain::assignment).toList(),
            state.job.copies(), state.job.virtualNodes());
        final Placement next = now.moreEven((partition) -> state.chains.get(partition).mayMove());
        boolean isMoved = false;
        for (int partition = 0; partition < state.chains.size(); partition++)
        {
            final PartitionChain chain = state.chains.get(partition);
            final List<Integer> target = next.assignment(partition);
            if (!target.equals(chain.assignment()))
            {
                chain.move(target);
                isMoved = true;
            }
        }

        return isMoved;
    }
}
