// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.function.BiPredicate;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.Check;
import io.gradstream.codecs.PartitionFunction;

/**
 * The decision which nodes keep which partition: consistent hashing with virtual nodes and bounded loads (after
 * Mirrokni, Thorup and Zadimoghaddam, 2018). A <i>place</i> is one replica in one chain.
 * <p>
 * A placement is a value: the same nodes, assignment and settings give the same decisions everywhere, in whatever order
 * the nodes are named. {@link #initial} makes it once; {@link #moreEven} and {@link #without} then change it, and leave
 * alone what they can. No node gets more than {@link #cap()} places, 1.1 times the mean rounded up; there are two
 * exceptions. Places of a dead node can only go to nodes outside their chains and the others stay: where that leaves no
 * other way, the least possible load above the cap is taken. And an assignment given to {@link #of} may be above it.
 */
public final class Placement
{
    /** Points of a node on the ring. */
    public static final int DEFAULT_VIRTUAL_NODES = 128;
    /** Most points of a node on the ring. */
    public static final int MAX_VIRTUAL_NODES = 1024;
    /** Most nodes. */
    public static final int MAX_NODES = 1024;
    /** Most replicas of a partition. */
    public static final int MAX_COPIES = 16;

    private static final int CAP_NUMERATOR = 11;
    private static final int CAP_DENOMINATOR = 10;

    private final int[] nodes;
    private final List<List<Integer>> assignment;
    private final int[] copies;
    private final int virtualNodes;
    private final int[] places;
    private final int[] heads;

    /**
     * A place that changes.
     *
     * @param partition its number.
     * @param from      id of the node that gives it up, or {@link Chain#NONE} if the chain gets longer.
     * @param to        id of the node that takes it, or {@link Chain#NONE} if the chain gets shorter.
     */
    public record Move(int partition, int from, int to)
    {
    }

    private Placement(
        final int[] nodes, final List<List<Integer>> assignment, final int[] copies, final int virtualNodes)
    {
        this.nodes = nodes;
        this.assignment = assignment;
        this.copies = copies;
        this.virtualNodes = virtualNodes;
        places = new int[nodes.length];
        heads = new int[nodes.length];
        for (final List<Integer> chain : assignment)
        {
            for (final int node : chain)
            {
                places[Arrays.binarySearch(nodes, node)]++;
            }
            if (!chain.isEmpty())
            {
                heads[Arrays.binarySearch(nodes, chain.get(0))]++;
            }
        }
    }

    /**
     * The placement of partitions that nobody keeps yet. No node gets more than the mean number of places, rounded up,
     * nor more than the mean number of heads, rounded up.
     *
     * @param nodes        their ids, not negative, each once; 1 to {@link #MAX_NODES}.
     * @param partitions   1 to {@link PartitionFunction#MAX_PARTITIONS}.
     * @param copies       replicas of each partition, 1 to {@link #MAX_COPIES}.
     * @param virtualNodes points of a node on the ring, 1 to {@link #MAX_VIRTUAL_NODES}.
     * @return the placement.
     * @throws IllegalArgumentException if one of them is out of range.
     */
    public static Placement initial(
        final Collection<Integer> nodes, final int partitions, final int copies, final int virtualNodes)
    {
        Check.range("partitions", partitions, 1, PartitionFunction.MAX_PARTITIONS);
        Check.range("copies", copies, 1, MAX_COPIES);
        Check.range("virtualNodes", virtualNodes, 1, MAX_VIRTUAL_NODES);
        final int[] ids = checkNodes(nodes);
        final int[] all = ofEach(partitions, copies);
        final AssignmentBuilder decision =
            new AssignmentBuilder(new Ring(ids, virtualNodes), Collections.nCopies(partitions, List.of()), all);
        decision.fill();
        decision.balanceHeads();

        return new Placement(ids, decision.assignment(), all, virtualNodes);
    }

    /**
     * A placement as it was decided before, whose partitions have the copies of the longest chain.
     *
     * @param nodes        as {@link #initial} takes them.
     * @param assignment   for each partition the ids of its nodes, the preferred head first.
     * @param virtualNodes as {@link #initial} takes them.
     * @return the placement.
     * @throws IllegalArgumentException if an id is not a node's, or is named twice, or something is out of range.
     */
    public static Placement of(
        final Collection<Integer> nodes, final List<List<Integer>> assignment, final int virtualNodes)
    {
        int longest = 1;
        for (final List<Integer> chain : assignment)
        {
            longest = Math.max(longest, chain.size());
        }

        return of(nodes, assignment, longest, virtualNodes);
    }

    /**
     * A placement as it was decided before, where all chains may be shorter than they should be.
     *
     * @param nodes        as {@link #initial} takes them.
     * @param assignment   for each partition the ids of its nodes, the preferred head first, at most copies.
     * @param copies       as {@link #initial} takes them.
     * @param virtualNodes as {@link #initial} takes them.
     * @return the placement.
     * @throws IllegalArgumentException if an id is not a node's, or is named twice, or something is out of range.
     */
    public static Placement of(
        final Collection<Integer> nodes, final List<List<Integer>> assignment, final int copies, final int virtualNodes)
    {
        Check.range("copies", copies, 1, MAX_COPIES);

        return of(nodes, assignment, ofEach(assignment.size(), copies), virtualNodes);
    }

    /**
     * A placement as it was decided before, where each partition has a number of copies of its own.
     *
     * @param nodes        as {@link #initial} takes them.
     * @param assignment   for each partition the ids of its nodes, the preferred head first, at most copies.
     * @param copies       replicas that each partition should have, 0 for one that no job has.
     * @param virtualNodes as {@link #initial} takes them.
     * @return the placement.
     * @throws IllegalArgumentException if an id is not a node's, or is named twice, or something is out of range.
     */
    static Placement of(
        final Collection<Integer> nodes,
        final List<List<Integer>> assignment,
        final int[] copies,
        final int virtualNodes)
    {
        Check.range("partitions", assignment.size(), 1, PartitionFunction.MAX_PARTITIONS);
        Check.range("virtualNodes", virtualNodes, 1, MAX_VIRTUAL_NODES);
        final int[] ids = checkNodes(nodes);
        final List<List<Integer>> chains = new ArrayList<>();
        for (final List<Integer> chain : assignment)
        {
            checkChain(chain, chains.size(), ids, copies[chains.size()]);
            chains.add(List.copyOf(chain));
        }

        return new Placement(ids, List.copyOf(chains), copies, virtualNodes);
    }

    /**
     * The nodes that keep a partition.
     *
     * @param partition its number.
     * @return node ids, the preferred head first; fewer than the copies wanted if there are fewer nodes.
     */
    public List<Integer> assignment(final int partition)
    {
        return assignment.get(partition);
    }

    /** All chains: for each partition what {@link #assignment(int)} says. */
    public List<List<Integer>> assignment()
    {
        return assignment;
    }

    /**
     * Without a node: only its places go elsewhere, each to the end of its chain; every other stays, in its order. So
     * the next replica in line heads what the node headed. With fewer nodes left than copies, chains get shorter.
     * Chains that were shorter than they could be are filled.
     *
     * @param node its id.
     * @return the placement without it.
     * @throws IllegalArgumentException if it is not one of the nodes, or the only one.
     */
    public Placement without(final int node)
    {
        Check.that(hasNode(node) && nodes.length > 1, "node", node,
            "one of several nodes " + Arrays.toString(nodes) + " to be taken away");

        final int[] remaining = Arrays.stream(nodes).filter((id) -> id != node).toArray();
        final AssignmentBuilder decision = new AssignmentBuilder(new Ring(remaining, virtualNodes), assignment, copies);
        decision.fill();

        return new Placement(remaining, decision.assignment(), copies, virtualNodes);
    }

    /**
     * With another node: it takes places of the others, at most the mean, rounded down; nothing moves between those. It
     * stands where the replica stood whose place it takes, or at the head where it should have more heads. Chains that
     * were shorter than they could be are filled.
     *
     * @param node its id, not negative.
     * @return the placement with it.
     * @throws IllegalArgumentException if it is a node already, or not a valid id, or one too many.
     */
    public Placement with(final int node)
    {
        if (hasNode(node))
        {
            throw new IllegalArgumentException("invalid node=" + node + ": is one of the nodes " +
                Arrays.toString(nodes) + " already");
        }

        final List<Integer> all = new ArrayList<>(nodes());
        all.add(node);
        final int[] ids = checkNodes(all);
        final Ring ring = new Ring(ids, virtualNodes);
        final AssignmentBuilder decision = new AssignmentBuilder(ring, assignment, copies);
        decision.fill();
        decision.moveTo(ring.indexOf(node));

        return new Placement(ids, decision.assignment(), copies, virtualNodes);
    }

    /**
     * One place more even: the node with the fewest places takes one of a node that has at least two more, of those the
     * one that is nearest to it on the ring. It stands where the replica stood whose place it takes, or at the head
     * where it should have more heads.
     *
     * @param isMovable true for a partition of which a place may move, and the id of the node to which it may.
     * @return the placement with one place moved, or this one if no place is to move.
     */
    public Placement moreEven(final BiPredicate<Integer, Integer> isMovable)
    {
        final int fewest = Arrays.stream(places).min().orElseThrow();
        if (Arrays.stream(places).max().orElseThrow() < fewest + 2)
        {
            return this;
        }
        final AssignmentBuilder decision = new AssignmentBuilder(new Ring(nodes, virtualNodes), assignment, copies);

        return decision.moveOne(isMovable) ?
            new Placement(nodes, decision.assignment(), copies, virtualNodes) : this;
    }

    /** The ids of the nodes, ascending. */
    public List<Integer> nodes()
    {
        return Arrays.stream(nodes).boxed().toList();
    }

    /** The same with chains filled that are shorter than they could be; nothing moves. */
    Placement filled()
    {
        final AssignmentBuilder decision = new AssignmentBuilder(new Ring(nodes, virtualNodes), assignment, copies);
        decision.fill();

        return new Placement(nodes, decision.assignment(), copies, virtualNodes);
    }

    /** Most replicas that a partition should have; chains are shorter where there are fewer nodes. */
    public int copies()
    {
        return Arrays.stream(copies).max().orElseThrow();
    }

    /** True if a number is the id of one of the nodes. */
    public boolean hasNode(final int node)
    {
        return Arrays.binarySearch(nodes, node) >= 0;
    }

    /**
     * Places on a node.
     *
     * @param node its id.
     * @return their number; 0 if it is not one of the nodes.
     */
    public int placesOf(final int node)
    {
        return hasNode(node) ? places[Arrays.binarySearch(nodes, node)] : 0;
    }

    /**
     * Partitions whose preferred head a node is.
     *
     * @param node its id.
     * @return their number; 0 if it is not one of the nodes.
     */
    public int headsOf(final int node)
    {
        return hasNode(node) ? heads[Arrays.binarySearch(nodes, node)] : 0;
    }

    /** Number of all places. */
    public int places()
    {
        return Arrays.stream(places).sum();
    }

    /** Most places a node should have: 1.1 times the mean, rounded up. */
    public int cap()
    {
        final int divisor = CAP_DENOMINATOR * nodes.length;
        return (CAP_NUMERATOR * places() + divisor - 1) / divisor;
    }

    /**
     * How many places a node takes that did not have them before.
     *
     * @param before one placement.
     * @param after  another of as many partitions.
     * @return their number; a place that is only given up does not count.
     */
    public static int moved(final Placement before, final Placement after)
    {
        int count = 0;
        for (final Move move : moves(before, after))
        {
            count += Chain.NONE != move.to() ? 1 : 0;
        }

        return count;
    }

    /**
     * The places that change.
     *
     * @param before one placement.
     * @param after  another of as many partitions.
     * @return the changes by partition; an order that changes within a chain is none.
     */
    public static List<Move> moves(final Placement before, final Placement after)
    {
        if (before.assignment.size() != after.assignment.size())
        {
            throw new IllegalArgumentException("invalid after: has " + after.assignment.size() +
                " partitions, must be the " + before.assignment.size() + " of before");
        }

        final List<Move> moves = new ArrayList<>();
        for (int partition = 0; partition < before.assignment.size(); partition++)
        {
            final List<Integer> given = new ArrayList<>(before.assignment.get(partition));
            final List<Integer> taken = new ArrayList<>(after.assignment.get(partition));
            given.removeAll(after.assignment.get(partition));
            taken.removeAll(before.assignment.get(partition));
            for (int i = 0; i < Math.max(given.size(), taken.size()); i++)
            {
                moves.add(new Move(partition, i < given.size() ? given.get(i) : Chain.NONE,
                    i < taken.size() ? taken.get(i) : Chain.NONE));
            }
        }

        return List.copyOf(moves);
    }

    private static int[] ofEach(final int partitions, final int copies)
    {
        final int[] all = new int[partitions];
        Arrays.fill(all, copies);

        return all;
    }

    private static int[] checkNodes(final Collection<Integer> nodes)
    {
        final int[] ids = nodes.stream().mapToInt(Integer::intValue).distinct().sorted().toArray();
        Check.that(ids.length == nodes.size() && ids.length > 0 && ids.length <= MAX_NODES && ids[0] >= 0, "nodes",
            nodes, "1.." + MAX_NODES + " different ids that are not negative");

        return ids;
    }

    private static void checkChain(
        final List<Integer> chain, final int partition, final int[] nodes, final int copies)
    {
        final boolean isOfNodes = chain.stream().allMatch((node) -> Arrays.binarySearch(nodes, node) >= 0);
        if (!isOfNodes || new HashSet<>(chain).size() != chain.size() || chain.size() > copies)
        {
            throw new IllegalArgumentException("invalid assignment=" + chain + " of partition " + partition +
                ": must be at most " + copies + " different nodes of " + Arrays.toString(nodes));
        }
    }
}
