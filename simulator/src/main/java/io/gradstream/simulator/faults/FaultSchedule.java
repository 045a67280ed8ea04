// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.faults;

import io.gradstream.codecs.Chain;
import io.gradstream.simulator.coordinator.SimulatedCoordinator;
import io.gradstream.simulator.network.WorkerLink;
import io.gradstream.simulator.check.Checker;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.node.FaultPolicy;
import io.gradstream.simulator.node.SimulatedNode;
import io.gradstream.simulator.storage.SimulatedStorage;
import io.gradstream.simulator.world.FaultClass;
import io.gradstream.simulator.world.Faults;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.World;

import java.util.List;

/** Strikes nodes, and what is between them, at random times; keeps to the faults that the seed's promises cover. */
public final class FaultSchedule implements FaultPolicy
{
    /** A process that starts again so soon is back before anybody has missed it. */
    private static final long QUICK_NS = 5_000_000;

    private final World world;
    private final Cluster cluster;
    private final Checker checker;
    private final FatalLoss fatalLoss;
    private SimulatedNode takenOver;

    public FaultSchedule(final World world, final Cluster cluster, final Checker checker)
    {
        this.world = world;
        this.cluster = cluster;
        this.checker = checker;
        fatalLoss = new FatalLoss(world, cluster, checker);
        // a new job's first copy may be at a process that another one is about to replace
        cluster.coordinator().jobs().mayCreate(() -> !isAnyTwice());
    }

    /** A head has put it into its log that another process holds a slot: it may die before anybody else has that. */
    @Override
    public void onTakeover(final SimulatedNode node)
    {
        if (world.faults().strike(FaultClass.TAKEOVER, 0.25))
        {
            takenOver = node;
        }
    }

    @Override
    public void onDamage(final int partition)
    {
        fatalLoss.onDamage(partition);
    }

    @Override
    public boolean isStruck(final int partition)
    {
        return fatalLoss.isStruck(partition);
    }

    public FatalLoss fatalLoss()
    {
        return fatalLoss;
    }

    /** Strikes once each millisecond. */
    public void strike(final Operator operator)
    {
        final Faults faults = world.faults();
        if (null != takenOver && takenOver.isAlive() && mayDie(takenOver))
        {
            operator.crash(takenOver, faults.draw(FaultClass.TAKEOVER, 1_000_000, 100_000_000));
        }
        takenOver = null;
        // three copies are seldom whole where each of their nodes fails as often as one of two
        final double rate = world.config().job().copies() > 2 ? 0.0015 : 0.004;
        for (final SimulatedNode node : cluster.nodes())
        {
            if (node.isAlive() && faults.strike(FaultClass.NODE_CRASH, rate) && mayDie(node))
            {
                strikeLeaderWith(node);
                final long mostNs = 0 == faults.draw(FaultClass.NODE_CRASH, 0, 2) ? QUICK_NS : 100_000_000;
                operator.crash(node, faults.draw(FaultClass.NODE_CRASH, 1_000_000, mostNs) + lostNs());
                strikeAnother(operator);
            }
            if (faults.strike(FaultClass.PAUSE, rate))
            {
                node.pause(faults.draw(FaultClass.PAUSE, 1_000_000, 90_000_000));
            }
        }
        if (faults.strike(FaultClass.CRASH_OF_ALL, 0.002) && mayAllDie())
        {
            for (final SimulatedNode node : cluster.nodes())
            {
                operator.crash(node, faults.draw(FaultClass.CRASH_OF_ALL, 1_000_000, 100_000_000));
            }
        }
        strikeNetwork();
        strikeSecondProcess(operator);
        fatalLoss.strike(operator);
        strikeCut();
        strikeCoordinator();
    }

    /** Three copies bear two deaths at a time. */
    private void strikeAnother(final Operator operator)
    {
        final Faults faults = world.faults();
        final SimulatedNode other =
            cluster.node((int)faults.draw(FaultClass.NODE_CRASH, 0, world.config().nodes() - 1));
        if (world.config().job().copies() > 2 && faults.strike(FaultClass.NODE_CRASH, 0.5) &&
            other.isAlive() && mayDie(other))
        {
            operator.crash(other, faults.draw(FaultClass.NODE_CRASH, 1_000_000, 100_000_000));
        }
    }

    /** A node that stays away for so long loses its places. */
    private long lostNs()
    {
        return world.faults().strike(FaultClass.NODE_LOST, 0.2) ?
            world.faults().draw(FaultClass.NODE_LOST, 200_000_000, 500_000_000) : 0;
    }

    /** The hardest moment: who would promote another primary dies with the one that is to be replaced. */
    private void strikeLeaderWith(final SimulatedNode node)
    {
        boolean isPrimary = false;
        for (int partition = 0; partition < world.config().partitions(); partition++)
        {
            isPrimary |= cluster.coordinator().chain(partition).head() == node.id();
        }
        if (isPrimary && world.faults().strike(FaultClass.LEADER_WITH_PRIMARY, 0.4))
        {
            cluster.coordinator().crashWithPrimary(
                world.faults().draw(FaultClass.LEADER_WITH_PRIMARY, 5_000_000, 150_000_000));
        }
    }

    private void strikeMembers()
    {
        final Faults faults = world.faults();
        final SimulatedCoordinator coordinator = cluster.coordinator();
        if (faults.strike(FaultClass.COORDINATOR_CRASH, 0.004))
        {
            final boolean isLeader = 0 != faults.draw(FaultClass.COORDINATOR_CRASH, 0, 2);
            final long mostNs = 0 == faults.draw(FaultClass.COORDINATOR_CRASH, 0, 3) ? 350_000_000 : 80_000_000;
            coordinator.crash(isLeader, faults.draw(FaultClass.COORDINATOR_CRASH, 5_000_000, mostNs));
        }
        if (faults.strike(FaultClass.COORDINATOR_PAUSE, 0.003))
        {
            final boolean isLeader = 0 != faults.draw(FaultClass.COORDINATOR_PAUSE, 0, 2);
            coordinator.pause(isLeader, faults.draw(FaultClass.COORDINATOR_PAUSE, 2_000_000, 150_000_000));
        }
        if (faults.strike(FaultClass.COORDINATOR_SNAPSHOT, 0.01))
        {
            coordinator.takeSnapshot();
        }
        for (int node = -1; node < world.config().nodes(); node++)
        {
            if (faults.strike(FaultClass.SESSION_LOSS, 0.0015))
            {
                coordinator.loseSession(node < 0 ? node : seat(node), 0 == faults.draw(FaultClass.SESSION_LOSS, 0, 1));
            }
        }
    }

    private void strikeCoordinator()
    {
        strikeMembers();
        final Faults faults = world.faults();
        if (faults.strike(FaultClass.COORDINATOR_SPLIT, 0.0015))
        {
            final long durationNs = faults.draw(FaultClass.COORDINATOR_SPLIT, 20_000_000, 200_000_000);
            final int chosen = (int)faults.draw(FaultClass.COORDINATOR_SPLIT, 0, world.config().nodes() - 1);
            final boolean isAloneReached = 0 == faults.draw(FaultClass.COORDINATOR_SPLIT, 0, 3);
            splitCoordinator(chosen, isAloneReached, durationNs);
        }
    }

    private void splitCoordinator(final int chosen, final boolean isAloneReached, final long durationNs)
    {
        world.journal().note("coordinator", isAloneReached ? "reaches only" : "does not reach", chosen, "ms",
            durationNs / 1_000_000);
        for (int node = 0; node < world.config().nodes(); node++)
        {
            if (isAloneReached == (node != chosen))
            {
                cluster.coordinator().cuts().split(seat(node), durationNs);
            }
        }
    }

    private int seat(final int node)
    {
        return cluster.node(node).seat();
    }

    /**
     * A node is started a second time. Where its first process shows no life the second one takes its place; else that
     * one ends.
     */
    private void strikeSecondProcess(final Operator operator)
    {
        final Faults faults = world.faults();
        if (!faults.strike(FaultClass.SECOND_PROCESS, 0.0015))
        {
            return;
        }
        final int id = (int)faults.draw(FaultClass.SECOND_PROCESS, 0, world.config().nodes() - 1);
        final int how = (int)faults.draw(FaultClass.SECOND_PROCESS, 0, 3);
        final long durationNs = faults.draw(FaultClass.SECOND_PROCESS, 450_000_000, 900_000_000);
        final SimulatedNode first = cluster.node(id);
        if (!first.isAlive() || world.config().job().copies() < 2 || isAnyTwice() || !mayDie(first) ||
            !isKeptByOthers(id))
        {
            return;
        }
        world.journal().note("simulation", "node is started twice:", id, "first", how, "for ms",
            durationNs / 1_000_000);
        operator.startAnother(id);
        switch (how)
        {
            case 0 -> world.journal().note("simulation", "the first process is well");
            case 1 -> first.pause(durationNs);
            case 2 -> new Netsplit().and(id, Netsplit.COORDINATORS).and(Netsplit.COORDINATORS, id)
                .strike(cluster, durationNs);
            default -> new Netsplit().and(id, Netsplit.COORDINATORS).strike(cluster, durationNs);
        }
    }

    /** True if, of each partition that a node has, another living member in sync has a sound log. */
    private boolean isKeptByOthers(final int id)
    {
        final SimulatedNode node = cluster.node(id);
        boolean isKept = cluster.otherJobs().isKeptByOthers(node);
        for (int partition = 0; partition < world.config().partitions(); partition++)
        {
            final Chain chain = cluster.coordinator().chain(partition);
            isKept &= !chain.members().isEmpty() &&
                (null == node.storage(partition) || isKeptElsewhere(node, partition));
        }

        return isKept;
    }

    private boolean isAnyTwice()
    {
        boolean isAny = false;
        for (int id = 0; id < world.config().nodes(); id++)
        {
            isAny |= cluster.hasTwo(id);
        }

        return isAny;
    }

    private void strikeNetwork()
    {
        final Faults faults = world.faults();
        final int nodes = world.config().nodes();
        for (int from = 0; from < nodes; from++)
        {
            for (int to = 0; to < nodes; to++)
            {
                if (from != to && faults.strike(FaultClass.NEIGHBOUR_LOSS, 0.006))
                {
                    cluster.network().lose(seat(from), seat(to), (int)faults.draw(FaultClass.NEIGHBOUR_LOSS, 0, 1));
                }
                if (from != to && faults.strike(FaultClass.NETSPLIT, 0.002))
                {
                    split(from, to);
                }
            }
            if (faults.strike(FaultClass.WORKER_SPLIT, 0.001))
            {
                splitWorkers(from);
            }
            if (faults.strike(FaultClass.ONE_WAY_SPLIT, 0.0015))
            {
                splitOneWay(from);
            }
            // a lease is put to the test by a tail that removes all before it, and chains of three are seldom whole
            if (faults.strike(FaultClass.DEAFNESS, isTailOfThree(from) ? 0.008 : 0.0005))
            {
                deafen(from);
            }
        }
    }

    /** Workers and a node do not reach each other, while nodes and coordinators do; sometimes the last do neither. */
    private void splitWorkers(final int node)
    {
        final Faults faults = world.faults();
        final long durationNs = faults.draw(FaultClass.WORKER_SPLIT, 60_000_000, 300_000_000);
        final int alone = (int)faults.draw(FaultClass.WORKER_SPLIT, 0, 3 * ScenarioConfig.SLOTS - 1);
        world.journal().note("network", "workers do not reach", node,
            alone < ScenarioConfig.SLOTS ? "but one:" : "any", alone, "ms", durationNs / 1_000_000);
        for (int client = 0; client < world.config().clients(); client++)
        {
            if (alone >= ScenarioConfig.SLOTS || alone == client / ScenarioConfig.SEATS)
            {
                cluster.link(client, seat(node)).cut(durationNs);
            }
        }
        if (faults.strike(FaultClass.COORDINATOR_SPLIT, 0.4))
        {
            splitCoordinator(node, false, durationNs);
        }
    }

    /** A worker hears a node that does not hear it, or is heard by one that it does not hear; or all workers. */
    private void splitOneWay(final int node)
    {
        final Faults faults = world.faults();
        final long durationNs = faults.draw(FaultClass.ONE_WAY_SPLIT, 5_000_000, 250_000_000);
        final boolean isNodeDeaf = 0 == faults.draw(FaultClass.ONE_WAY_SPLIT, 0, 1);
        final int alone = (int)faults.draw(FaultClass.ONE_WAY_SPLIT, 0, 2 * ScenarioConfig.CLIENTS - 1);
        world.journal().note("network", isNodeDeaf ? "what workers send does not reach" : "workers do not hear", node,
            alone < ScenarioConfig.CLIENTS ? "client" : "any of", alone, "ms", durationNs / 1_000_000);
        for (int client = 0; client < world.config().clients(); client++)
        {
            final WorkerLink link = cluster.link(client, seat(node));
            if (alone < ScenarioConfig.CLIENTS && alone != client)
            {
                continue;
            }
            if (isNodeDeaf)
            {
                link.cutRequests(durationNs);
            }
            else
            {
                link.cutResponses(durationNs);
            }
        }
    }

    private void strikeCut()
    {
        final Faults faults = world.faults();
        if (faults.strike(FaultClass.NODE_ISOLATED, 0.0003))
        {
            final int node = (int)faults.draw(FaultClass.NODE_ISOLATED, 0, world.config().nodes() - 1);
            final long durationNs = faults.draw(FaultClass.NODE_ISOLATED, 250_000_000, 450_000_000);
            if (world.config().nodes() > world.config().job().copies() && mayDie(cluster.node(node)))
            {
                final Netsplit netsplit = Netsplit.isolated(node, world.config().nodes());
                world.journal().note("network", netsplit.toString(), "ms", durationNs / 1_000_000);
                netsplit.strike(cluster, durationNs);
            }
        }
        if (faults.strike(FaultClass.CUT, 0.002))
        {
            final int nodes = world.config().nodes();
            final Netsplit netsplit = Netsplit.around((int)faults.draw(FaultClass.CUT, 0, nodes - 1), nodes,
                () -> 0 == faults.draw(FaultClass.CUT, 0, 1));
            world.journal().note("network", netsplit.toString());
            netsplit.strike(cluster, faults.draw(FaultClass.CUT, 10_000_000, 160_000_000));
        }
    }

    private boolean isTailOfThree(final int node)
    {
        boolean isTail = false;
        for (int partition = 0; partition < world.config().partitions(); partition++)
        {
            final List<Integer> members = cluster.coordinator().chain(partition).members();
            isTail |= members.size() > 2 && members.get(members.size() - 1) == node;
        }

        return isTail;
    }

    private void deafen(final int node)
    {
        final long durationNs = world.faults().draw(FaultClass.DEAFNESS, 30_000_000, 160_000_000);
        world.journal().note("network", "does not reach", node, "ms", durationNs / 1_000_000);
        for (int from = 0; from < world.config().nodes(); from++)
        {
            if (from != node)
            {
                cluster.network().split(seat(from), seat(node), durationNs);
            }
        }
        if (world.faults().strike(FaultClass.COORDINATOR_SPLIT, 0.6))
        {
            splitCoordinator(node, true, durationNs);
        }
    }

    private void split(final int from, final int to)
    {
        final long durationNs = world.faults().draw(FaultClass.NETSPLIT, 5_000_000, 120_000_000);
        final boolean isBothWays = 0 == world.faults().draw(FaultClass.NETSPLIT, 0, 1);
        world.journal().note("network", "split", from, isBothWays ? "<->" : "->", to, "ms", durationNs / 1_000_000);
        cluster.network().split(seat(from), seat(to), durationNs);
        if (isBothWays)
        {
            cluster.network().split(seat(to), seat(from), durationNs);
        }
    }

    /**
     * True if the node may die without taking the only copy of anything acknowledged with it. What is acknowledged when
     * it is replicated may be in memory only.
     */
    @Override
    public boolean mayDie(final SimulatedNode node)
    {
        if (!cluster.isNode(node))
        {
            return true;
        }
        if (isNeededByOneThatIsTwice(node.id()) || cluster.otherJobs().isNeededByOneThatIsTwice(node.id()))
        {
            return false;
        }
        if (!world.config().isReplicated())
        {
            return true;
        }
        for (int partition = 0; partition < world.config().partitions(); partition++)
        {
            final Chain chain = cluster.coordinator().chain(partition);
            if (chain.members().contains(node.id()) && !isSafeWithout(node, partition, chain))
            {
                return false;
            }
        }

        return true;
    }

    /** Whoever takes the place of a process that is started on another host has nothing of what that one had. */
    private boolean isNeededByOneThatIsTwice(final int id)
    {
        boolean isNeeded = false;
        for (int partition = 0; partition < world.config().partitions(); partition++)
        {
            final List<Integer> members = cluster.coordinator().chain(partition).members();
            for (final int member : members)
            {
                isNeeded |= cluster.hasTwo(member) && members.contains(id) &&
                    (member != id || 1 == members.size());
            }
        }

        return isNeeded;
    }

    private boolean isSafeWithout(final SimulatedNode node, final int partition, final Chain chain)
    {
        if (1 == chain.members().size())
        {
            return node.isAlive() && null != node.process().hosted(partition) &&
                node.process().hosted(partition).isPrimary() &&
                node.process().hosted(partition).partition().epoch() == chain.epoch() &&
                !node.storage(partition).file().isRotten() && checker.isRecorded(node, partition);
        }

        return livingOthers(node.id(), chain.members()) > 0;
    }

    private int livingOthers(final int id, final List<Integer> members)
    {
        int others = 0;
        for (final int member : members)
        {
            final SimulatedNode other = cluster.node(member);
            others += member != id && other.isAlive() &&
                other.incarnation() == cluster.coordinator().map().incarnations().get(member) ? 1 : 0;
        }

        return others;
    }

    private boolean mayAllDie()
    {
        return !world.config().isReplicated() && !isAnyTwice();
    }

    /** Flips one bit of this node's copy of a log now and then, where another copy in sync is sound. */
    public void rot(final SimulatedNode node)
    {
        for (int partition = 0; partition < world.config().partitions(); partition++)
        {
            final SimulatedStorage storage = node.storage(partition);
            final Chain chain = cluster.coordinator().chain(partition);
            if (null != storage && world.faults().strike(FaultClass.LOG_ROT, 0.2) && isKeptElsewhere(node, partition) &&
                chain.members().size() > 1 && !isAnyTwice() && storage.file().rot(world.faults()))
            {
                world.journal().note("node-" + node.id() + "/" + partition, "has a rotten log");
            }
        }
    }

    private boolean isKeptElsewhere(final SimulatedNode node, final int partition)
    {
        final Chain chain = cluster.coordinator().chain(partition);
        boolean isKept = false;
        for (final int member : chain.members())
        {
            final SimulatedNode other = cluster.node(member);
            if (member != node.id())
            {
                isKept |= other.isAlive() && !other.storage(partition).file().isRotten() &&
                    other.incarnation() == cluster.coordinator().map().incarnations().get(member) &&
                    // else the coordinators refuse it: an empty copy looks the same
                    other.process().hosted(partition).partition().epoch() >= chain.epoch();
            }
        }

        return isKept;
    }
}
