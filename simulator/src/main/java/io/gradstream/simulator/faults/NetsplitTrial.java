// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.faults;

import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.node.SimulatedNode;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.World;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Liveness: while everything is whole and nothing else goes wrong, some ways are cut. Whatever they are, as long as a
 * copy in sync and the coordinators reach each other each partition is served again within twice the suspicion time,
 * and from then on until the cut is over.
 */
public final class NetsplitTrial
{
    private static final long BOUND_NS = 2 * ScenarioConfig.TIMING.suspicionNs();
    private static final long CALM_NS = 3 * ScenarioConfig.TIMING.suspicionNs();
    private static final long CUT_NS = 6 * ScenarioConfig.TIMING.suspicionNs();
    private static final long MOST_PRELUDE_NS = 2 * ScenarioConfig.TIMING.suspicionNs();
    private static final long SAMPLE_NS = 500_000;
    private static final int MOST_ROUNDS = 10;

    private final World world;
    private final Cluster cluster;
    private final Operator operator;
    private final int nodes;
    private boolean isWithCrash;
    /** By partition: who was in sync before the cut. */
    private final List<List<Integer>> inSync = new ArrayList<>();

    public NetsplitTrial(final World world, final Cluster cluster, final Operator operator)
    {
        this.operator = operator;
        this.world = world;
        this.cluster = cluster;
        nodes = world.config().nodes();
    }

    /** Splits the network, looks, and waits until the split is over. */
    public void run()
    {
        // what earlier faults have delayed or are about to lose is none of this trial
        cluster.network().mend();
        runFor(cluster.coordinator().cuts().leftNs() + CALM_NS);
        for (int round = 0; round < MOST_ROUNDS && !isWhole(); round++)
        {
            runFor(CALM_NS);
        }
        for (int partition = 0; partition < world.config().partitions(); partition++)
        {
            inSync.add(List.copyOf(cluster.coordinator().chain(partition).members()));
        }
        final List<Integer> members = inSync.get(0);
        final int node = members.get(world.faults().work().nextInt(members.size()));
        final boolean isWithPrelude = 0 == world.faults().work().nextInt(5);
        if (isWithPrelude)
        {
            // a cut that begins with a moment in which only what comes to one node is lost
            final long preludeNs = 1 + world.faults().work().nextLong(MOST_PRELUDE_NS);
            world.journal().note("network", "does not reach", node, "at first, ms", preludeNs / 1_000_000);
            Netsplit.deaf(node, nodes).strike(cluster, preludeNs);
            runFor(preludeNs);
        }
        final long startNs = world.events().nowNs();
        final Netsplit netsplit = isWithPrelude ? Netsplit.isolated(node, nodes) : draw(node, members);
        world.journal().note("network", netsplit.toString());
        netsplit.strike(cluster, CUT_NS);
        isWithCrash = members.size() > 2 && netsplit.isOnly(Netsplit.COORDINATORS, members.get(1));
        if (isWithCrash)
        {
            // the head starts again, and its transferee is not told that it is the head now
            operator.crash(cluster.node(members.get(0)), 1);
        }
        runFor(BOUND_NS);
        while (world.events().nowNs() < startNs + CUT_NS)
        {
            check(netsplit, world.events().nowNs() - startNs);
            runFor(SAMPLE_NS);
        }
    }

    /** A cut between nodes may have lasted until now. */
    private boolean isWhole()
    {
        boolean isWhole = true;
        for (int partition = 0; partition < world.config().partitions(); partition++)
        {
            isWhole &= !cluster.coordinator().chain(partition).isDegraded();
        }

        return isWhole;
    }

    private Netsplit draw(final int node, final List<Integer> members)
    {
        final BooleanSupplier chance = world.faults().work()::nextBoolean;
        final boolean isTriple = members.size() > 2;
        return switch (world.faults().work().nextInt(8))
        {
            case 0 -> Netsplit.isolated(node, nodes);
            case 1 -> Netsplit.deaf(node, nodes);
            case 2 -> Netsplit.mute(node, nodes);
            // of three copies it is promised where all that goes wrong is around one of them, or as follows
            case 3 -> isTriple ? Netsplit.around(node, nodes, chance) : Netsplit.anywhere(nodes, chance);
            case 4 -> isTriple ? Netsplit.isolated(members.get(0), nodes).and(Netsplit.COORDINATORS, members.get(1)) :
                Netsplit.around(node, nodes, chance);
            case 5 -> isTriple ? new Netsplit().and(Netsplit.COORDINATORS, members.get(1)) :
                Netsplit.around(node, nodes, chance);
            default -> Netsplit.around(node, nodes, chance);
        };
    }

    private void runFor(final long durationNs)
    {
        final long endNs = world.events().nowNs() + durationNs;
        while (world.events().nowNs() < endNs)
        {
            world.events().runNext();
        }
    }

    private void check(final Netsplit netsplit, final long sinceNs)
    {
        for (int partition = 0; partition < world.config().partitions(); partition++)
        {
            if (canBeServed(netsplit, partition) && !isServed(partition))
            {
                throw new Violation(Violation.Kind.NOT_SERVED, "partition=" + partition + " " + sinceNs / 1_000_000 +
                    " ms after " + netsplit + " of nodes=" + nodes + ": " + cluster.coordinator().map().format());
            }
        }
    }

    private boolean canBeServed(final Netsplit netsplit, final int partition)
    {
        // what is wrong at two nodes was chosen by their places in one chain
        final boolean isPromised = netsplit.isAround() && !isWithCrash || 2 == inSync.get(partition).size() ||
            inSync.get(partition).equals(inSync.get(0));
        return isPromised &&
            inSync.get(partition).stream().anyMatch((member) -> netsplit.isBothWays(member, Netsplit.COORDINATORS));
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
