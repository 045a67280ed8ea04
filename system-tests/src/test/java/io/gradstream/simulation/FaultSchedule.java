/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.simulation;

import io.gradstream.codecs.Chain;

/**
 * Strikes nodes, and what is between them, at random times; keeps to the faults that the seed's promises cover.
 */
final class FaultSchedule
{
    private final World world;
    private final Cluster cluster;

    FaultSchedule(final World world, final Cluster cluster)
    {
        this.world = world;
        this.cluster = cluster;
    }

    /** Once each millisecond. */
    void strike(final Simulation simulation)
    {
        final Faults faults = world.faults;
        for (final SimulatedNode node : cluster.nodes())
        {
            if (node.isAlive() && faults.strike(FaultClass.NODE_CRASH, 0.004) && mayDie(node))
            {
                simulation.crash(node, faults.draw(FaultClass.NODE_CRASH, 1_000_000, 100_000_000));
            }
            if (faults.strike(FaultClass.PAUSE, 0.004))
            {
                node.pause(faults.draw(FaultClass.PAUSE, 1_000_000, 90_000_000));
            }
        }
        if (faults.strike(FaultClass.CRASH_OF_ALL, 0.002) && mayAllDie())
        {
            for (final SimulatedNode node : cluster.nodes())
            {
                simulation.crash(node, faults.draw(FaultClass.CRASH_OF_ALL, 1_000_000, 100_000_000));
            }
        }
        strikeNetwork();
    }

    private void strikeNetwork()
    {
        final Faults faults = world.faults;
        final int nodes = world.shape.nodes();
        for (int from = 0; from < nodes; from++)
        {
            for (int to = 0; to < nodes; to++)
            {
                if (from != to && faults.strike(FaultClass.NEIGHBOUR_LOSS, 0.006))
                {
                    cluster.network().lose(from, to, (int)faults.draw(FaultClass.NEIGHBOUR_LOSS, 0, 1));
                }
                if (from != to && faults.strike(FaultClass.NETSPLIT, 0.002))
                {
                    split(from, to);
                }
            }
        }
    }

    private void split(final int from, final int to)
    {
        final long durationNs = world.faults.draw(FaultClass.NETSPLIT, 5_000_000, 120_000_000);
        final boolean isBothWays = 0 == world.faults.draw(FaultClass.NETSPLIT, 0, 1);
        world.journal.note("network", "split", from, isBothWays ? "<->" : "->", to, "ms", durationNs / 1_000_000);
        cluster.network().split(from, to, durationNs);
        if (isBothWays)
        {
            cluster.network().split(to, from, durationNs);
        }
    }

    /**
     * May a node die without taking the only copy of anything acknowledged with it? What is acknowledged when it is
     * replicated may be in memory only.
     */
    boolean mayDie(final SimulatedNode node)
    {
        if (!world.shape.isReplicated())
        {
            return true;
        }
        for (int partition = 0; partition < world.shape.partitions(); partition++)
        {
            final Chain chain = cluster.coordinator().chain(partition);
            if (chain.members().contains(node.id()) && !isSafeWithout(node, partition, chain))
            {
                return false;
            }
        }

        return true;
    }

    private boolean isSafeWithout(final SimulatedNode node, final int partition, final Chain chain)
    {
        if (1 == chain.members().size())
        {
            return node.isAlive() && node.process().hosted(partition).isPrimary() &&
                node.process().hosted(partition).partition().epoch() == chain.epoch() &&
                cluster.checker().isRecorded(node, partition);
        }
        for (final int member : chain.members())
        {
            final SimulatedNode other = cluster.node(member);
            if (member != node.id() && (!other.isAlive() ||
                other.incarnation() != cluster.coordinator().map().incarnations().get(member)))
            {
                return false;
            }
        }

        return true;
    }

    private boolean mayAllDie()
    {
        return !world.shape.isReplicated();
    }

    /** May one bit of this node's copy of a log flip: is there another one in sync that is sound? */
    void rot(final SimulatedNode node)
    {
        for (int partition = 0; partition < world.shape.partitions(); partition++)
        {
            final SimulatedStorage storage = node.storage(partition);
            final Chain chain = cluster.coordinator().chain(partition);
            if (null != storage && world.faults.strike(FaultClass.LOG_ROT, 0.2) && isKeptElsewhere(node, partition) &&
                chain.members().size() > 1 && storage.file().rot(world.faults))
            {
                world.journal.note("node-" + node.id() + "/" + partition, "has a rotten log");
            }
        }
    }

    private boolean isKeptElsewhere(final SimulatedNode node, final int partition)
    {
        boolean isKept = false;
        for (final int member : cluster.coordinator().chain(partition).members())
        {
            final SimulatedNode other = cluster.node(member);
            if (member != node.id())
            {
                isKept |= other.isAlive() && !other.storage(partition).file().isRotten() &&
                    other.incarnation() == cluster.coordinator().map().incarnations().get(member);
            }
        }

        return isKept;
    }
}
