// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.gradstream.coordinator.client.ReplicaPositions;
import io.gradstream.coordinator.client.LogEnd;
import io.gradstream.coordinator.client.Suspicion;
import io.gradstream.coordinator.client.ReplicaReport;
import io.gradstream.coordinator.client.NodeReport;
import io.gradstream.codecs.Chain;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.coordinator.client.ReplicaReport.Status;

/**
 * Nodes that report to a state, one thing at a time.
 */
final class TestNodes
{
    private static final ReplicaPositions NOWHERE = new ReplicaPositions(0, 0, 0);

    /** Time of the next report. */
    long nowMs;
    private final CoordinatorState state;
    private long number;

    TestNodes(final CoordinatorState state)
    {
        this(state, 0);
    }

    /** That have reported so often before. */
    TestNodes(final CoordinatorState state, final long number)
    {
        this.state = state;
        this.number = number;
    }

    /** A job whose partitions have these places from the beginning. */
    static CoordinatorState fixed(final List<List<Integer>> assignment)
    {
        final CoordinatorState state = new CoordinatorState();
        for (final List<Integer> nodes : assignment)
        {
            final PartitionChain chain = new PartitionChain(nodes.size());
            chain.place(nodes);
            state.chains.put(state.chains.size(), chain);
        }
        final int copies = assignment.stream().mapToInt(List::size).max().orElseThrow();
        state.jobs.first().spec = new JobSpec(assignment.size(), copies, copies, 1, 1, JobSpec.MAX_REPAIR_DELAY_MS,
            RecoveryMode.CHAIN);
        state.jobs.first().isPlaced = true;

        return state;
    }

    /** A chain whose head has not confirmed that it goes on without these nodes. */
    static Chain needing(final Chain chain, final Integer... nodes)
    {
        return new Chain(
            chain.epoch(), chain.version(), chain.members(), chain.joiner(), chain.wanted(), chain.transferee(),
            chain.staleReplicas(), List.of(nodes));
    }

    static String endpoint(final int node)
    {
        return "127.0.0.1:" + (4000 + node);
    }

    boolean register(final int node, final long incarnation)
    {
        return register(node, incarnation, endpoint(node));
    }

    boolean register(final int node, final long incarnation, final String endpoint)
    {
        return state.onReport(new NodeReport(node, incarnation, ++number, false, endpoint, List.of()), nowMs);
    }

    boolean alive(final int node, final long incarnation, final Map<Integer, ReplicaPositions> positions)
    {
        final List<ReplicaReport> replicas = new ArrayList<>();
        positions.forEach((partition, how) ->
            replicas.add(new ReplicaReport(partition, Status.NONE, 0, LogEnd.NONE, Chain.NONE, List.of(), how)));

        return state.onReport(
            new NodeReport(node, incarnation, ++number, false, endpoint(node), replicas), nowMs);
    }

    void answered(final int node, final long incarnation)
    {
        state.onReport(new NodeReport(node, incarnation, ++number, true, endpoint(node), List.of()), nowMs);
    }

    /** As far as its node knows now. */
    boolean recovered(
        final int node, final long incarnation, final int partition, final long epoch, final long position)
    {
        return recovered(node, incarnation, partition, Long.MAX_VALUE, new LogEnd(epoch, position));
    }

    boolean recovered(
        final int node, final long incarnation, final int partition, final long version, final LogEnd logEnd)
    {
        return report(node, incarnation,
            new ReplicaReport(partition, Status.RECOVERED, version, logEnd, Chain.NONE, List.of(), NOWHERE));
    }

    boolean says(
        final int node, final long incarnation, final int partition, final long version, final Status status)
    {
        return report(node, incarnation,
            new ReplicaReport(partition, status, version, LogEnd.NONE, Chain.NONE, List.of(), NOWHERE));
    }

    boolean admits(
        final int node, final long incarnation, final int partition, final long version, final int joiner)
    {
        return report(node, incarnation,
            new ReplicaReport(partition, Status.NONE, version, LogEnd.NONE, joiner, List.of(), NOWHERE));
    }

    boolean suspects(
        final int node, final long incarnation, final int partition, final long version, final int suspected)
    {
        return suspects(node, incarnation, partition, version, new Suspicion(suspected, true));
    }

    boolean suspects(
        final int node, final long incarnation, final int partition, final long version, final Suspicion suspicion)
    {
        return report(node, incarnation,
            new ReplicaReport(partition, Status.NONE, version, LogEnd.NONE, Chain.NONE, List.of(suspicion), NOWHERE));
    }

    private boolean report(final int node, final long incarnation, final ReplicaReport replica)
    {
        return state.onReport(
            new NodeReport(node, incarnation, ++number, false, endpoint(node), List.of(replica)), nowMs);
    }
}
