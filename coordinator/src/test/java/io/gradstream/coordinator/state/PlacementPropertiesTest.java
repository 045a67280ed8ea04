// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import io.gradstream.coordinator.state.Placement.Move;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What must hold for placements of 3 to 100 nodes, 64 to 4,096 partitions and one to three copies, however they came
 * about: made at once, or by joins and leaves in any order.
 */
class PlacementPropertiesTest
{
    private static final int MIN_NODES = 3;
    private static final int MAX_NODES = 100;
    private static final int MIN_PARTITIONS = 64;
    private static final int MAX_PARTITIONS = 4096;
    private static final int MAX_COPIES = 3;
    private static final int WALKS = 60;
    private static final int STEPS = 40;

    private static double joinExcess = -1;
    private static double joinShare;
    private static double leaveShare;
    private static int placesAboveMean;
    private static int initialHeadsAboveMean;
    private static int headsAboveBound;

    @AfterAll
    static void report()
    {
        System.out.printf("placement: join moves at most %.4f of all places, at most 1/N %+.4f; leave at most %.4f; " +
            "places at most ceil(mean) + %d; heads at first at most ceil(mean) + %d, later ceil(1.25 x mean) + 1 %+d%n",
            joinShare, joinExcess, leaveShare, placesAboveMean, initialHeadsAboveMean, headsAboveBound);
    }

    @Test
    void shouldKeepItsPromisesForEachNumberOfNodes()
    {
        for (int nodes = MIN_NODES; nodes <= MAX_NODES; nodes++)
        {
            final Random random = new Random(nodes);
            final List<Integer> ids = someNodes(nodes, random);
            for (int copies = 1; copies <= MAX_COPIES; copies++)
            {
                final int partitions = switch (random.nextInt(4))
                {
                    case 0 -> MIN_PARTITIONS;
                    case 1 -> nodes % 10 == 0 ? MAX_PARTITIONS : MIN_PARTITIONS + random.nextInt(MIN_PARTITIONS);
                    default -> MIN_PARTITIONS + random.nextInt(1024);
                };
                final Placement placement =
                    Placement.initial(ids, partitions, copies, Placement.DEFAULT_VIRTUAL_NODES);
                checkInitial(placement, ids, partitions, copies);
                checkJoin(placement, 1000 + random.nextInt(1000));
                checkLeave(placement, ids.get(random.nextInt(nodes)));
            }
        }
    }

    @Test
    void shouldKeepItsPromisesThroughJoinsAndLeavesInAnyOrder()
    {
        for (int seed = 0; seed < WALKS; seed++)
        {
            final Random random = new Random(seed);
            final int nodes = MIN_NODES + random.nextInt(0 == seed % 2 ? 9 : MAX_NODES - MIN_NODES + 1);
            final int partitions = MIN_PARTITIONS + random.nextInt(0 == seed % 3 ? 1024 : MIN_PARTITIONS);
            Placement placement = Placement.initial(
                someNodes(nodes, random), partitions, 1 + seed % MAX_COPIES, Placement.DEFAULT_VIRTUAL_NODES);
            for (int step = 0; step < STEPS; step++)
            {
                final List<Integer> present = placement.nodes();
                final boolean isJoin = present.size() == MIN_NODES ||
                    present.size() < MAX_NODES && random.nextInt(STEPS) < (0 == seed % 4 ? 10 : 20);
                placement = isJoin ? checkJoin(placement, 2000 + step) :
                    checkLeave(placement, present.get(random.nextInt(present.size())));
            }
        }
    }

    @Test
    void shouldDecideTheSameInWhateverOrderNodesAreNamed()
    {
        for (int seed = 0; seed < WALKS; seed++)
        {
            final Random random = new Random(seed);
            final List<Integer> ids = new ArrayList<>(someNodes(MIN_NODES + random.nextInt(20), random));
            final Placement one = Placement.initial(ids, 100, 2, 64);
            Collections.shuffle(ids, random);
            final Placement other = Placement.initial(ids, 100, 2, 64);
            final Placement told = Placement.of(new HashSet<>(ids), one.assignment(), 64);

            assertThat(other.assignment()).isEqualTo(one.assignment());
            final int leaver = ids.get(0);
            assertThat(told.with(999).assignment()).isEqualTo(one.with(999).assignment());
            assertThat(told.without(leaver).assignment()).isEqualTo(one.without(leaver).assignment());
        }
    }

    @Test
    void shouldTakeANodeBackThatHasLeft()
    {
        for (int nodes = MIN_NODES; nodes <= MAX_NODES; nodes += 7)
        {
            final Random random = new Random(nodes);
            final List<Integer> ids = someNodes(nodes, random);
            final int node = ids.get(random.nextInt(nodes));
            for (int copies = 1; copies <= MAX_COPIES; copies++)
            {
                final Placement before = Placement.initial(ids, 512, copies, Placement.DEFAULT_VIRTUAL_NODES);
                final Placement after = checkJoin(checkLeave(before, node), node);

                assertThat(after.nodes()).isEqualTo(before.nodes());
                assertThat(after.placesOf(node)).isBetween(before.places() / nodes - 1, before.cap());
                assertThat(after.places()).isEqualTo(before.places());
            }
        }
    }

    private static List<Integer> someNodes(final int count, final Random random)
    {
        final List<Integer> ids = new ArrayList<>();
        for (int i = 0; i < 3 * count; i++)
        {
            ids.add(i);
        }
        Collections.shuffle(ids, random);

        return List.copyOf(ids.subList(0, count));
    }

    private static void checkInitial(
        final Placement placement, final List<Integer> ids, final int partitions, final int copies)
    {
        assertThat(placement.nodes()).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(placement.assignment()).hasSize(partitions);
        assertThat(placement.places()).isEqualTo(partitions * copies);
        check(placement);
        for (final int node : ids)
        {
            final int mean = ceilDivide(partitions, ids.size());
            initialHeadsAboveMean = Math.max(initialHeadsAboveMean, placement.headsOf(node) - mean);
            assertThat(placement.headsOf(node)).isLessThanOrEqualTo(mean);
        }
    }

    private static void check(final Placement placement)
    {
        final int nodes = placement.nodes().size();
        final Set<Integer> present = new HashSet<>(placement.nodes());
        final int copies = Math.min(placement.copies(), nodes);
        for (final List<Integer> chain : placement.assignment())
        {
            if (chain.size() != copies || new HashSet<>(chain).size() != copies || !present.containsAll(chain))
            {
                throw new AssertionError("not " + copies + " of the nodes: " + chain);
            }
        }
        final int headBound = ceilDivide(5 * placement.assignment().size(), 4 * nodes) + 1;
        for (final int node : placement.nodes())
        {
            final int places = placement.placesOf(node);
            assertThat(places).isLessThanOrEqualTo(ceilDivide(11 * placement.places(), 10 * nodes));
            placesAboveMean = Math.max(placesAboveMean, places - ceilDivide(placement.places(), nodes));
            headsAboveBound = Math.max(headsAboveBound, placement.headsOf(node) - headBound);
        }
    }

    private static Placement checkJoin(final Placement before, final int node)
    {
        final Placement after = before.with(node);

        check(after);
        final int nodes = after.nodes().size();
        final double share = (double)Placement.moved(before, after) / after.places();
        assertThat(share).isLessThanOrEqualTo(1.0 / nodes + 0.05);
        assertThat(Placement.moves(before, after)).hasSize(after.placesOf(node)).allMatch((move) -> move.to() == node);
        for (int partition = 0; partition < before.assignment().size(); partition++)
        {
            final List<Integer> others = new ArrayList<>(after.assignment(partition));
            others.remove((Integer)node);
            final List<Integer> kept = new ArrayList<>(before.assignment(partition));
            kept.retainAll(others);
            if (!others.equals(kept))
            {
                assertThat(others).as("of partition %d", partition).isEqualTo(kept);
            }
        }
        joinShare = Math.max(joinShare, share);
        joinExcess = Math.max(joinExcess, share - 1.0 / nodes);

        return after;
    }

    private static Placement checkLeave(final Placement before, final int node)
    {
        final Placement after = before.without(node);

        check(after);
        for (int partition = 0; partition < before.assignment().size(); partition++)
        {
            final List<Integer> others = new ArrayList<>(before.assignment(partition));
            others.remove((Integer)node);
            if (!after.assignment(partition).subList(0, others.size()).equals(others))
            {
                assertThat(after.assignment(partition)).as("of partition %d", partition).startsWith(
                    others.toArray(Integer[]::new));
            }
        }
        final boolean isReplaced = after.assignment(0).size() == before.assignment(0).size();
        final List<Move> moves = Placement.moves(before, after);
        assertThat(moves).hasSize(before.placesOf(node)).allMatch((move) -> move.from() == node);
        assertThat(Placement.moved(before, after)).isEqualTo(isReplaced ? before.placesOf(node) : 0);
        leaveShare = Math.max(leaveShare, (double)Placement.moved(before, after) / before.places());

        return after;
    }

    private static int ceilDivide(final int dividend, final int divisor)
    {
        return (dividend + divisor - 1) / divisor;
    }
}
