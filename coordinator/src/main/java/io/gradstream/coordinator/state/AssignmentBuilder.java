// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiPredicate;

import org.agrona.collections.IntArrayList;

/**
 * One decision about places in the making: chains that are being filled, or that give places to a newcomer.
 * <p>
 * Loads are kept as equal as can be, which is stricter than the cap of {@link Placement}. With the cap alone, many
 * nodes could stand at it, and a join that lowers it by one would have to move a place from each of them.
 */
final class AssignmentBuilder implements AugmentingPath.Items
{
    private final Ring ring;
    private final int[] wanted;
    private final int wantedPlaces;
    private final List<IntArrayList> chains = new ArrayList<>();
    private final int[] load;
    private final IntArrayList[] given;

    /**
     * Chains as they are.
     *
     * @param ring   of the nodes there are now.
     * @param assignment  node ids for each partition; those not on the ring are gone.
     * @param copies wanted, by partition.
     */
    AssignmentBuilder(final Ring ring, final List<List<Integer>> assignment, final int[] copies)
    {
        this.ring = ring;
        wanted = Arrays.stream(copies).map((most) -> Math.min(most, ring.size())).toArray();
        wantedPlaces = Arrays.stream(wanted).sum();
        load = new int[ring.size()];
        given = new IntArrayList[ring.size()];
        for (int node = 0; node < given.length; node++)
        {
            given[node] = new IntArrayList();
        }
        for (final List<Integer> nodes : assignment)
        {
            final IntArrayList chain = new IntArrayList();
            for (final int node : nodes)
            {
                final int index = ring.indexOf(node);
                if (index >= 0)
                {
                    chain.addInt(index);
                    load[index]++;
                }
            }
            chains.add(chain);
        }
    }

    /**
     * Fill chains that are too short; what was there before stays, in its order. The load up to which nodes take places
     * begins at the mean and is raised only when nobody below it can take what is left.
     */
    void fill()
    {
        boolean isMissing = true;
        for (int limit = wantedPlaces / load.length; isMissing; limit++)
        {
            if (limit > chains.size())
            {
                throw new IllegalStateException("a place fits nowhere: limit=" + limit + " wanted=" + wantedPlaces);
            }
            isMissing = false;
            for (int partition = 0; partition < chains.size(); partition++)
            {
                boolean isGiven = true;
                while (isGiven && chains.get(partition).size() < wanted[partition])
                {
                    isGiven = give(partition, limit);
                }
                isMissing |= !isGiven;
            }
        }
    }

    /** Choose the heads of chains that nobody serves yet. */
    void balanceHeads()
    {
        new PrimaryBalance(chains, load.length).balance();
    }

    /**
     * Let the most loaded nodes give places to a newcomer, until it has the mean or they have no more than it: from
     * each those that are nearest to the newcomer on the ring.
     *
     * @param newcomer index of the node.
     */
    void moveTo(final int newcomer)
    {
        final int[] candidates = byDistance(newcomer);
        while (moveOne(newcomer, candidates, (partition, node) -> true))
        {
            // as many as it takes
        }
        shareHeads(newcomer);
    }

    /**
     * Let a node that has the fewest places take one, if it has less than the mean and others have at least two more.
     *
     * @param isMovable true for a partition of which a place may move, and the id of the node to which it may.
     * @return true if a place has moved.
     */
    boolean moveOne(final BiPredicate<Integer, Integer> isMovable)
    {
        int lightest = 0;
        for (int node = 1; node < load.length; node++)
        {
            lightest = load[node] < load[lightest] ? node : lightest;
        }
        final boolean isMoved = moveOne(lightest, byDistance(lightest), isMovable);
        if (isMoved)
        {
            shareHeads(lightest);
        }

        return isMoved;
    }

    private boolean moveOne(final int newcomer, final int[] candidates, final BiPredicate<Integer, Integer> isMovable)
    {
        if (load[newcomer] >= wantedPlaces / load.length)
        {
            return false;
        }
        int best = AugmentingPath.NONE;
        int donor = AugmentingPath.NONE;
        for (final int partition : candidates)
        {
            final IntArrayList chain = chains.get(partition);
            final boolean mayTake =
                !chain.containsInt(newcomer) && isMovable.test(partition, ring.nodeAt(newcomer));
            for (int i = 0; i < chain.size() && mayTake; i++)
            {
                final int node = chain.getInt(i);
                final boolean mayGive = load[node] > load[newcomer] + 1;
                if (mayGive && (AugmentingPath.NONE == donor || isHeavier(node, donor)))
                {
                    best = partition;
                    donor = node;
                }
            }
        }
        if (AugmentingPath.NONE == donor)
        {
            return false;
        }
        final IntArrayList chain = chains.get(best);
        chain.setInt(chain.indexOf(donor), newcomer);
        load[donor]--;
        load[newcomer]++;

        return true;
    }

    /** True if a node has more places to give than another, or as many and the lower id. */
    private boolean isHeavier(final int node, final int other)
    {
        return load[node] > load[other] || load[node] == load[other] && node < other;
    }

    private void shareHeads(final int newcomer)
    {
        final IntArrayList taken = new IntArrayList();
        for (int partition = 0; partition < chains.size(); partition++)
        {
            if (chains.get(partition).containsInt(newcomer))
            {
                taken.addInt(partition);
            }
        }
        new PrimaryBalance(chains, load.length).share(newcomer, taken);
    }

    /** The assignment that has been decided. */
    List<List<Integer>> assignment()
    {
        final List<List<Integer>> assignment = new ArrayList<>();
        for (final IntArrayList chain : chains)
        {
            final List<Integer> nodes = new ArrayList<>();
            for (int i = 0; i < chain.size(); i++)
            {
                nodes.add(ring.nodeAt(chain.getInt(i)));
            }
            assignment.add(List.copyOf(nodes));
        }

        return List.copyOf(assignment);
    }

    @Override
    public IntArrayList on(final int node)
    {
        return given[node];
    }

    @Override
    public boolean mayMove(final int partition, final int to)
    {
        return !chains.get(partition).containsInt(to);
    }

    @Override
    public void move(final int partition, final int from, final int to)
    {
        final IntArrayList chain = chains.get(partition);
        chain.setInt(chain.indexOf(from), to);
        given[from].removeInt(partition);
        given[to].addInt(partition);
        load[from]--;
        load[to]++;
    }

    private boolean give(final int partition, final int limit)
    {
        final IntArrayList others = ring.preference(partition);
        final IntArrayList chain = chains.get(partition);
        for (int i = 0; i < chain.size(); i++)
        {
            others.removeInt(chain.getInt(i));
        }
        for (int i = 0; i < others.size(); i++)
        {
            if (load[others.getInt(i)] < limit)
            {
                add(partition, others.getInt(i));
                return true;
            }
        }

        final int relieved = hasRoom(limit) ? AugmentingPath.of(others, this, load, limit) : AugmentingPath.NONE;
        if (AugmentingPath.NONE != relieved)
        {
            add(partition, relieved);
        }
        return AugmentingPath.NONE != relieved;
    }

    private void add(final int partition, final int node)
    {
        chains.get(partition).addInt(node);
        given[node].addInt(partition);
        load[node]++;
    }

    private boolean hasRoom(final int limit)
    {
        for (final int places : load)
        {
            if (places < limit)
            {
                return true;
            }
        }

        return false;
    }

    private int[] byDistance(final int newcomer)
    {
        final long[] distances = new long[chains.size()];
        final List<Integer> partitions = new ArrayList<>();
        for (int partition = 0; partition < distances.length; partition++)
        {
            distances[partition] = ring.distance(partition, newcomer);
            partitions.add(partition);
        }
        final Comparator<Integer> order = (a, b) -> Long.compareUnsigned(distances[a], distances[b]);
        partitions.sort(order.thenComparing(Comparator.naturalOrder()));

        return partitions.stream().mapToInt(Integer::intValue).toArray();
    }
}
