// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.coordinator.state.Placement;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.simulator.node.Cluster;
import io.gradstream.simulator.node.SimulatedNode;
import io.gradstream.simulator.worker.SimulatedWorker;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.Workload;
import io.gradstream.simulator.world.World;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Whether a cluster has recovered from all faults: each chain has its members, with copies of one length. */
final class Convergence
{
    private final World world;
    private final Cluster cluster;

    Convergence(final World world, final Cluster cluster)
    {
        this.world = world;
        this.cluster = cluster;
    }

    /** Returns the most iterations of each slot that a primary has. */
    long ended()
    {
        long most = 0;
        for (final SimulatedNode node : cluster.nodes())
        {
            for (int partition = 0; node.isAlive() && partition < world.config().partitions(); partition++)
            {
                final HostedPartition copy = node.process().hosted(partition);
                most = null == copy || !copy.isPrimary() ? most : Math.max(most, copy.partition().minClock());
            }
        }

        return most;
    }

    /** True if every node, chain and copy is as it is to be without faults. */
    boolean isReached()
    {
        for (final SimulatedNode node : cluster.nodes())
        {
            // who is not the node any more has to end, and who is has to say so
            if (node.isAlive() && (!cluster.isNode(node) || !node.process().isReady()))
            {
                return false;
            }
        }
        for (int partition = 0; partition < world.config().partitions(); partition++)
        {
            final Chain chain = cluster.coordinator().chain(partition);
            final List<Integer> assignment = cluster.coordinator().assignment(partition);
            if (chain.isDegraded() || !assignment.containsAll(chain.members()) || !isReached(partition, chain))
            {
                return false;
            }
        }

        return cluster.coordinator().isSettled() && cluster.coordinator().isConnected(
            cluster.nodes().stream().filter(SimulatedNode::isAlive).count()) &&
            cluster.otherJobs().isWhole() && isEven() && areLeadsEven();
    }

    /** True if no head of two members leads two partitions more than the other, or none is let hand a lead over. */
    private boolean areLeadsEven()
    {
        final List<Chain> chains = cluster.coordinator().map().chains();
        return world.isPlanted(PlantedFault.CLAIM_AT_ONCE) ||
            chains.stream().filter((chain) -> 2 == chain.members().size()).allMatch((chain) ->
                leads(chains, chain.head()) < leads(chains, chain.members().get(1)) + 2);
    }

    private static long leads(final List<Chain> chains, final int node)
    {
        return chains.stream().filter((chain) -> chain.head() == node).count();
    }

    /** True if no place is about to move. */
    private boolean isEven()
    {
        final Set<Integer> nodes = new TreeSet<>();
        cluster.nodes().forEach((node) -> nodes.add(node.id()));
        final List<List<Integer>> assignment = new ArrayList<>();
        for (int partition = 0; partition < world.config().partitions(); partition++)
        {
            assignment.add(cluster.coordinator().assignment(partition));
        }
        for (final ClusterMap.Job job : cluster.otherJobs().living())
        {
            for (int partition = job.firstPartition(); partition < job.endPartition(); partition++)
            {
                assignment.add(cluster.coordinator().assignment(partition));
            }
        }
        final JobSpec job = world.config().job();
        final Placement placement = Placement.of(nodes, assignment, job.copies(), job.virtualNodes());

        return placement == placement.moreEven((partition, node) -> true);
    }

    private boolean isReached(final int partition, final Chain chain)
    {
        long position = -1;
        for (final int member : chain.members())
        {
            final SimulatedNode node = cluster.node(member);
            final HostedPartition copy = node.isAlive() ? node.process().hosted(partition) : null;
            if (null == copy || null == copy.replica().log() ||
                copy.isPrimary() != (member == chain.head()) ||
                !copy.isPrimary() && Replica.State.FOLLOW_LOG != copy.replica().state())
            {
                return false;
            }
            final long own = copy.partition().cursor().position();
            position = position < 0 ? own : position;
            if (own != position || node.storage(partition).file().recordedPosition() < position ||
                null == copy.partition().tableSpec(Workload.COUNTS.tableId()))
            {
                return false;
            }
        }

        return true;
    }

    /** How far nodes and workers are, in one line. */
    String describe(final List<SimulatedWorker> workers)
    {
        final StringBuilder text = new StringBuilder(cluster.coordinator().map().format());
        text.append(cluster.coordinator().isSettled() ? "" : " not settled");
        for (final SimulatedNode node : cluster.nodes())
        {
            for (int partition = 0; partition < world.config().partitions(); partition++)
            {
                final HostedPartition copy = node.isAlive() ? node.process().hosted(partition) : null;
                text.append(" node-").append(node.seat()).append('/').append(partition).append('=')
                    .append(null == copy ? "-" : copy.replica().state() + "@" + copy.partition().cursor().position() +
                    " " + copy.replica().chain().version());
            }
        }
        for (final SimulatedWorker worker : workers)
        {
            for (int partition = 0; null != worker && partition < world.config().partitions(); partition++)
            {
                text.append(" slot-").append(worker.slot()).append('/').append(partition).append('=')
                    .append(worker.session(partition).state()).append(' ')
                    .append(worker.session(partition).acknowledgedThrough()).append('/')
                    .append(worker.session(partition).lastSequence());
            }
            text.append(null == worker || worker.awaited().isEmpty() ? "" : " waits for " + worker.awaited());
        }

        return text.toString();
    }
}
