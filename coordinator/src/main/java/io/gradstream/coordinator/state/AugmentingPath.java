// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.Arrays;

import org.agrona.collections.IntArrayList;

/**
 * Takes one item off a full node by the fewest moves that do it: one of its items goes to another node, which gives one
 * of its own further on if it is full too, until a node has room. It is the shortest augmenting path of a bipartite
 * matching, so where it finds none there is none.
 */
final class AugmentingPath
{
    /** There is no way. */
    static final int NONE = -1;

    /** The items on the nodes, and the nodes to which an item may move. */
    interface Items
    {
        IntArrayList on(int node);

        boolean mayMove(int item, int to);

        void move(int item, int from, int to);
    }

    private final Items items;
    private final int[] load;
    private final int limit;
    private final int[] cameFrom;
    private final int[] brought;
    private final boolean[] isMet;

    private AugmentingPath(final Items items, final int[] load, final int limit)
    {
        this.items = items;
        this.load = load;
        this.limit = limit;
        cameFrom = new int[load.length];
        brought = new int[load.length];
        isMet = new boolean[load.length];
        Arrays.fill(cameFrom, NONE);
    }

    /**
     * Move items until one of some full nodes has one fewer.
     *
     * @param starts the full nodes, the most welcome first.
     * @param items  that may move.
     * @param load   of each node, which {@link Items#move} keeps true.
     * @param limit  of the load: below it a node has room.
     * @return the node that has one fewer, or {@link #NONE} if nothing has moved.
     */
    static int of(final IntArrayList starts, final Items items, final int[] load, final int limit)
    {
        return new AugmentingPath(items, load, limit).search(starts);
    }

    private int search(final IntArrayList starts)
    {
        final IntArrayList queue = new IntArrayList();
        for (int i = 0; i < starts.size(); i++)
        {
            isMet[starts.getInt(i)] = true;
            queue.addInt(starts.getInt(i));
        }
        for (int i = 0; i < queue.size(); i++)
        {
            final int roomy = visit(queue.getInt(i), queue);
            if (NONE != roomy)
            {
                return apply(roomy);
            }
        }

        return NONE;
    }

    private int visit(final int node, final IntArrayList queue)
    {
        final IntArrayList candidates = items.on(node);
        for (int i = 0; i < candidates.size(); i++)
        {
            for (int to = 0; to < load.length; to++)
            {
                if (!isMet[to] && items.mayMove(candidates.getInt(i), to))
                {
                    isMet[to] = true;
                    cameFrom[to] = node;
                    brought[to] = candidates.getInt(i);
                    if (load[to] < limit)
                    {
                        return to;
                    }
                    queue.addInt(to);
                }
            }
        }

        return NONE;
    }

    /** From the end, so that each node has given before it takes. */
    private int apply(final int last)
    {
        int node = last;
        while (NONE != cameFrom[node])
        {
            items.move(brought[node], cameFrom[node], node);
            node = cameFrom[node];
        }

        return node;
    }
}
