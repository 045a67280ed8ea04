// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.List;

import org.agrona.collections.IntArrayList;

/** Spreads the preferred heads over the nodes by the order within chains; no place moves. */
final class PrimaryBalance implements AugmentingPath.Items
{
    private final List<IntArrayList> chains;
    private final IntArrayList[] headed;
    private final int[] load;

    /**
     * The heads of chains as they are.
     *
     * @param chains    node indices for each partition; they are reordered in place.
     * @param nodeCount number of nodes.
     */
    PrimaryBalance(final List<IntArrayList> chains, final int nodeCount)
    {
        this.chains = chains;
        load = new int[nodeCount];
        headed = new IntArrayList[nodeCount];
        for (int node = 0; node < nodeCount; node++)
        {
            headed[node] = new IntArrayList();
        }
        for (int partition = 0; partition < chains.size(); partition++)
        {
            if (!chains.get(partition).isEmpty())
            {
                final int head = chains.get(partition).getInt(0);
                headed[head].addInt(partition);
                load[head]++;
            }
        }
    }

    /** Give no node more heads than the mean, rounded up, as far as its places allow. */
    void balance()
    {
        final int limit = (chains.size() + load.length - 1) / load.length;
        for (int node = 0; node < load.length; node++)
        {
            final IntArrayList start = new IntArrayList();
            start.addInt(node);
            boolean isRelieved = true;
            while (load[node] > limit && isRelieved)
            {
                isRelieved = AugmentingPath.NONE != AugmentingPath.of(start, this, load, limit);
            }
        }
    }

    /**
     * Let a node head some of the chains in which it is new, taking from the nodes that head the most.
     *
     * @param newcomer the node.
     * @param taken    partitions it has a place in.
     */
    void share(final int newcomer, final IntArrayList taken)
    {
        final int quota = chains.size() / load.length;
        int busiest = busiest(taken);
        while (load[newcomer] < quota && AugmentingPath.NONE != busiest &&
            load[chains.get(busiest).getInt(0)] > load[newcomer] + 1)
        {
            move(busiest, chains.get(busiest).getInt(0), newcomer);
            busiest = busiest(taken);
        }
    }

    @Override
    public IntArrayList on(final int node)
    {
        return headed[node];
    }

    @Override
    public boolean mayMove(final int partition, final int to)
    {
        return chains.get(partition).containsInt(to);
    }

    @Override
    public void move(final int partition, final int from, final int to)
    {
        headed[from].removeInt(partition);
        headed[to].addInt(partition);
        load[from]--;
        load[to]++;
        final IntArrayList chain = chains.get(partition);
        chain.removeInt(to);
        chain.addInt(0, to);
    }

    /** The partition among these whose head has the most. */
    private int busiest(final IntArrayList partitions)
    {
        int best = AugmentingPath.NONE;
        for (int i = 0; i < partitions.size(); i++)
        {
            final int partition = partitions.getInt(i);
            if (AugmentingPath.NONE == best || load[chains.get(partition).getInt(0)] > load[chains.get(best).getInt(0)])
            {
                best = partition;
            }
        }

        return best;
    }
}
