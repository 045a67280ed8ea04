// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

import io.gradstream.codecs.PartitionFunction;
import org.agrona.collections.IntArrayList;

/**
 * A consistent-hash ring (Karger et al., 1997): each node has many points on a circle of 2^64 positions, its virtual
 * nodes, and a partition prefers the nodes in the order in which it meets their points clockwise from its own.
 * <p>
 * Nodes are meant by their index here, which is their rank among all ids. {@link PartitionFunction#mix} maps different
 * numbers to different positions, so that no two points are the same.
 */
final class Ring
{
    private final int[] nodes;
    private final long[] positions;
    private final int[] owners;

    /**
     * Nodes, each with as many points.
     *
     * @param nodes        ids, not negative, ascending.
     * @param virtualNodes points of each.
     */
    Ring(final int[] nodes, final int virtualNodes)
    {
        this.nodes = nodes;
        final TreeMap<Long, Integer> points = new TreeMap<>();
        for (int index = 0; index < nodes.length; index++)
        {
            for (int point = 0; point < virtualNodes; point++)
            {
                points.put(PartitionFunction.mix(((long)nodes[index] << Integer.SIZE) | point), index);
            }
        }

        positions = new long[points.size()];
        owners = new int[points.size()];
        int i = 0;
        for (final Map.Entry<Long, Integer> point : points.entrySet())
        {
            positions[i] = point.getKey();
            owners[i++] = point.getValue();
        }
    }

    int size()
    {
        return nodes.length;
    }

    int nodeAt(final int index)
    {
        return nodes[index];
    }

    /** Index of a node, below 0 if it is not one of these. */
    int indexOf(final int node)
    {
        return Arrays.binarySearch(nodes, node);
    }

    /** All nodes as a partition prefers them. */
    IntArrayList preference(final int partition)
    {
        final IntArrayList order = new IntArrayList();
        final boolean[] isMet = new boolean[nodes.length];
        for (int i = firstPoint(partition); order.size() < nodes.length; i = (i + 1) % owners.length)
        {
            if (!isMet[owners[i]])
            {
                isMet[owners[i]] = true;
                order.addInt(owners[i]);
            }
        }

        return order;
    }

    /** How far clockwise from a partition a node's next point is: an unsigned number. */
    long distance(final int partition, final int index)
    {
        final int first = firstPoint(partition);
        for (int steps = 0; steps < owners.length; steps++)
        {
            final int i = (first + steps) % owners.length;
            if (owners[i] == index)
            {
                return positions[i] - positionOf(partition);
            }
        }

        throw new IllegalStateException("no point on the ring: index=" + index + " nodes=" + nodes.length);
    }

    private int firstPoint(final int partition)
    {
        final int found = Arrays.binarySearch(positions, positionOf(partition));
        return (found < 0 ? -found - 1 : found) % positions.length;
    }

    /** Below 0 before it is mixed, as no node's points are. */
    private static long positionOf(final int partition)
    {
        return PartitionFunction.mix(-1L - partition);
    }
}
