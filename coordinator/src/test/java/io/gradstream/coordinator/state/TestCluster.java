// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.gradstream.codecs.Chain;
import io.gradstream.coordinator.client.LogEnd;
import io.gradstream.coordinator.client.ReplicaPositions;
import io.gradstream.coordinator.client.ReplicaReport.Status;

import static org.assertj.core.api.Assertions.assertThat;

/** Chains that are whole, and the nodes that keep them, whose time goes on in steps of a report. */
final class TestCluster
{
    private static final long TICK_MS = 500;

    final CoordinatorState state;
    final TestNodes nodes;
    private final Map<Integer, Long> incarnations = new HashMap<>();

    /** Where these nodes keep the partitions, the head first. */
    TestCluster(final List<List<Integer>> assignment)
    {
        state = TestNodes.fixed(assignment);
        nodes = new TestNodes(state);
        nodes.nowMs = 1_000_000;
        assignment.stream().flatMap(List::stream).sorted().distinct().forEach(this::start);
        for (int partition = 0; partition < assignment.size(); partition++)
        {
            final int number = partition;
            assignment.get(partition).forEach((node) -> recovered(node, number));
            confirm(partition);
            for (int i = 1; i < assignment.get(partition).size(); i++)
            {
                admit(partition);
            }
        }
        assertThat(state.map().chains()).allMatch((chain) -> !chain.isDegraded() && chain.isConfirmed());
    }

    /** A new process of a node registers. */
    void start(final int node)
    {
        incarnations.merge(node, 11L + node, (before, first) -> before + 1);
        nodes.register(node, incarnations.get(node));
    }

    /** All but these nodes report once. True if the map has changed by the time. */
    boolean tick(final Integer... silent)
    {
        nodes.nowMs += TICK_MS;
        for (int node = 0; node < state.nodeCount(); node++)
        {
            if (!List.of(silent).contains(node))
            {
                nodes.alive(node, incarnations.get(node), Map.of());
            }
        }

        return state.onTime(nodes.nowMs);
    }

    /** So much time goes by, in which all but these nodes report. True if the map has changed by the time. */
    boolean pass(final long ms, final Integer... silent)
    {
        boolean isChanged = false;
        for (long passedMs = 0; passedMs < ms; passedMs += TICK_MS)
        {
            isChanged |= tick(silent);
        }

        return isChanged;
    }

    void recovered(final int node, final int partition)
    {
        nodes.recovered(node, incarnations.get(node), partition, Long.MAX_VALUE, new LogEnd(0, 0));
    }

    /** A node says how far its copy is. */
    void applied(final int node, final int partition, final long position)
    {
        nodes.alive(node, incarnations.get(node), Map.of(partition, new ReplicaPositions(position, 0, 0)));
    }

    /** A node says that the joiner after it gets on. */
    void serves(final int node, final int partition)
    {
        nodes.alive(node, incarnations.get(node), Map.of(partition, new ReplicaPositions(0, 0, 0, true)));
    }

    void confirm(final int partition)
    {
        says(chain(partition).head(), partition, Status.LEADS);
    }

    void admit(final int partition)
    {
        final Chain chain = chain(partition);
        if (Chain.NONE != chain.joiner())
        {
            final int tail = chain.members().get(chain.members().size() - 1);
            nodes.admits(tail, incarnations.get(tail), partition, chain.version(), chain.joiner());
        }
    }

    boolean says(final int node, final int partition, final Status status)
    {
        return nodes.says(node, incarnations.get(node), partition, chain(partition).version(), status);
    }

    void suspects(final int reporter, final int partition, final int suspected)
    {
        nodes.suspects(reporter, incarnations.get(reporter), partition, chain(partition).version(), suspected);
    }

    /** A worker says whether it reaches a node. */
    void reach(final int slot, final int node, final boolean isReached)
    {
        state.leads().onReach(1, slot, 1, Map.of(node, isReached), nodes.nowMs);
    }

    /** A worker says that it misses one node and reaches another. */
    void misses(final int slot, final int missed, final int reached)
    {
        state.leads().onReach(1, slot, 1, Map.of(missed, false, reached, true), nodes.nowMs);
    }

    Chain chain(final int partition)
    {
        return state.map().chains().get(partition);
    }

    List<Integer> assignment(final int partition)
    {
        return state.clusterMap().assignment().get(partition);
    }

    /** The partition whose head is asked to hand the lead over, or -1. */
    int handedOver()
    {
        final List<Chain> chains = state.map().chains();
        return IntStream.range(0, chains.size()).filter((each) -> Chain.NONE != chains.get(each).transferee())
            .findFirst().orElse(-1);
    }

    /** Partitions that each of the nodes leads. */
    List<Integer> leads()
    {
        final List<Integer> leads = new ArrayList<>();
        for (int i = 0; i < state.nodeCount(); i++)
        {
            final int node = i;
            leads.add((int)state.map().chains().stream().filter((chain) -> chain.head() == node).count());
        }

        return leads;
    }
}
