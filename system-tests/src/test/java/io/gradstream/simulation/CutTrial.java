// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Liveness: while everything is whole and nothing else goes wrong, some ways are cut. Whatever they are, as long as a
 * copy in sync and the coordinators reach each other each partition is served again within twice the suspicion time,
 * and from then on until the cut is over.
 */
final class CutTrial
{
    private static final long BOUND_NS = 2 * Shape.TIMING.suspicionNs();
    private static final long CALM_NS = 3 * Shape.TIMING.suspicionNs();
    private static final long CUT_NS = 6 * Shape.TIMING.suspicionNs();
    private static final long MOST_PRELUDE_NS = 2 * Shape.TIMING.suspicionNs();
    private static final long SAMPLE_NS = 500_000;
    private static final int MOST_ROUNDS = 10;

    private final World world;
    private final Cluster cluster;
    private final Simulation simulation;
    private final int nodes;
    private boolean isWithCrash;
    /** By partition: who was in sync before the cut. */
    private final List<List<Integer>> inSync = new ArrayList<>();

    CutTrial(final World world, final Cluster cluster, final Simulation simulation)
    {
        this.simulation = simulation;
        this.world = world;
        this.cluster = cluster;
        nodes = world.shape.nodes();
    }

    /** Cut, look, and wait until the cut is over. */
    void run()
    {
        // what earlier faults have delayed or are about to lose is none of this trial
        cluster.network().mend();
        runFor(cluster.coordinator().cuts().leftNs() + CALM_NS);
        for (int round = 0; round < MOST_ROUNDS && !isWhole(); round++)
        {
            runFor(CALM_NS);
        }
        for (int partition = 0; partition < world.shape.partitions(); partition++)
        {
            inSync.add(List.copyOf(cluster.coordinator().chain(partition).members()));
        }
        final List<Integer> members = inSync.get(0);
        final int node = members.get(world.faults.work().nextInt(members.size()));
        final boolean isWithPrelude = 0 == world.faults.work().nextInt(5);
        if (isWithPrelude)
        {
            // a cut that begins with a moment in which only what comes to one node is lost
            final long preludeNs = 1 + world.faults.work().nextLong(MOST_PRELUDE_NS);
            world.journal.note("network", "does not reach", node, "at first, ms", preludeNs / 1_000_000);
            Cut.deaf(node, nodes).strike(cluster, preludeNs);
            runFor(preludeNs);
        }
        final long startNs = world.events.nowNs();
        final Cut cut = isWithPrelude ? Cut.isolated(node, nodes) : draw(node, members);
        world.journal.note("network", cut.toString());
        cut.strike(cluster, CUT_NS);
        isWithCrash = members.size() > 2 && cut.isOnly(Cut.COORDINATORS, members.get(1));
        if (isWithCrash)
        {
            // the head starts again, and its heir is not told that it is the head now
            simulation.crash(cluster.node(members.get(0)), 1);
        }
        runFor(BOUND_NS);
        while (world.events.nowNs() < startNs + CUT_NS)
        {
            check(cut, world.events.nowNs() - startNs);
            runFor(SAMPLE_NS);
        }
    }

    /** A cut between nodes may have lasted until now. */
    private boolean isWhole()
    {
        boolean isWhole = true;
        for (int partition = 0; partition < world.shape.partitions(); partition++)
        {
            isWhole &= !cluster.coordinator().chain(partition).isDegraded();
        }

        return isWhole;
    }

    private Cut draw(final int node, final List<Integer> members)
    {
        final BooleanSupplier chance = world.faults.work()::nextBoolean;
        final boolean isTriple = members.size() > 2;
        return switch (world.faults.work().nextInt(8))
        {
            case 0 -> Cut.isolated(node, nodes);
            case 1 -> Cut.deaf(node, nodes);
            case 2 -> Cut.mute(node, nodes);
            // of three copies it is promised where all that goes wrong is around one of them, or as follows
            case 3 -> isTriple ? Cut.around(node, nodes, chance) : Cut.anywhere(nodes, chance);
            case 4 -> isTriple ? Cut.isolated(members.get(0), nodes).and(Cut.COORDINATORS, members.get(1)) :
                Cut.around(node, nodes, chance);
            case 5 -> isTriple ? new Cut().and(Cut.COORDINATORS, members.get(1)) : Cut.around(node, nodes, chance);
            default -> Cut.around(node, nodes, chance);
        };
    }

    private void runFor(final long durationNs)
    {
        final long endNs = world.events.nowNs() + durationNs;
        while (world.events.nowNs() < endNs)
        {
            world.events.runNext();
        }
    }

    private void check(final Cut cut, final long sinceNs)
    {
        for (int partition = 0; partition < world.shape.partitions(); partition++)
        {
            if (canBeServed(cut, partition) && !isServed(partition))
            {
                throw new Violation(Violation.Kind.NOT_SERVED, "partition=" + partition + " " + sinceNs / 1_000_000 +
                    " ms after " + cut + " of nodes=" + nodes + ": " + cluster.coordinator().map().format());
            }
        }
    }

    private boolean canBeServed(final Cut cut, final int partition)
    {
        // what is wrong at two nodes was chosen by their places in one chain
        final boolean isPromised = cut.isAround() && !isWithCrash || 2 == inSync.get(partition).size() ||
            inSync.get(partition).equals(inSync.get(0));
        return isPromised &&
            inSync.get(partition).stream().anyMatch((member) -> cut.isBothWays(member, Cut.COORDINATORS));
    }

    private boolean isServed(final int partition)
    {
        boolean isServed = false;
        for (final SimulatedNode node : cluster.nodes())
        {
            isServed |= node.isAlive() && node.process().mayAnswer(partition);
        }

        return isServed;
    }
}
