// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.coordinator.client.ReplicaReport.Status;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RepairTest
{
    private static final int NODES = 3;
    private static final int DELAY_MS = 3000;

    private final CoordinatorState state = new CoordinatorState();
    private final TestNodes nodes = new TestNodes(state);

    @BeforeEach
    void placeOnePartition()
    {
        state.defineJob(new JobSpec(1, 2, NODES, 16, 100, DELAY_MS, RecoveryMode.CHAIN), 1);
        for (int node = 0; node < NODES; node++)
        {
            nodes.register(node, 1 + node);
        }
    }

    @Test
    void shouldGiveThePlaceOfASilentNodeToAnother()
    {
        final List<Integer> assignment = assignment();
        final int head = assignment.get(0);
        final int spare = spare();
        whole(head, assignment.get(1));
        lose(head, assignment.get(1));
        alive(DELAY_MS, head, spare);
        assertThat(state.onTime(DELAY_MS)).isFalse();
        assertThat(assignment()).isEqualTo(assignment);

        assertThat(state.onTime(DELAY_MS + 1)).isTrue();
        assertThat(assignment()).containsExactlyInAnyOrder(head, spare);
        assertThat(nodes.recovered(spare, 1 + spare, 0, 0, 0)).isTrue();
        assertThat(chain().joiner()).isEqualTo(spare);
    }

    @Test
    void shouldLetTheReturnedNodeBeASpare()
    {
        final int head = assignment().get(0);
        final int lost = assignment().get(1);
        final int spare = spare();
        whole(head, lost);
        lose(head, lost);
        alive(DELAY_MS, head, spare);
        state.onTime(DELAY_MS + 1);
        nodes.nowMs = DELAY_MS + 2;
        assertThat(nodes.register(lost, 100)).isTrue();

        assertThat(state.onTime(DELAY_MS + 2)).isFalse();
        assertThat(nodes.recovered(lost, 100, 0, 1, 1000)).isFalse();
        assertThat(assignment()).containsExactlyInAnyOrder(head, spare);
    }

    @Test
    void shouldKeepPlacesWhenAllNodesAreSilent()
    {
        final List<Integer> assignment = assignment();

        assertThat(state.onTime(10 * DELAY_MS)).isFalse();
        assertThat(assignment()).isEqualTo(assignment);
    }

    @Test
    void shouldKeepPlacesWhenNobodyIsLeftToTakeThem()
    {
        final List<Integer> assignment = assignment();
        whole(assignment.get(0), assignment.get(1));
        lose(assignment.get(0), assignment.get(1));
        alive(DELAY_MS, assignment.get(0));

        assertThat(state.onTime(DELAY_MS + 1)).isFalse();
        assertThat(assignment()).isEqualTo(assignment);
    }

    private void whole(final int head, final int successor)
    {
        nodes.recovered(successor, 1 + successor, 0, 0, 0);
        nodes.recovered(head, 1 + head, 0, 0, 0);
        nodes.says(head, 1 + head, 0, chain().version(), Status.LEADS);
        nodes.admits(head, 1 + head, 0, chain().version(), successor);
        assertThat(chain().members()).containsExactly(head, successor);
    }

    private void lose(final int head, final int lost)
    {
        nodes.says(head, 1 + head, 0, chain().version(), Status.LEADS);
        assertThat(nodes.suspects(head, 1 + head, 0, chain().version(), lost)).isTrue();
        nodes.says(head, 1 + head, 0, chain().version(), Status.LEADS);
    }

    private void alive(final long nowMs, final int... living)
    {
        nodes.nowMs = nowMs;
        for (final int node : living)
        {
            nodes.alive(node, 1 + node, Map.of());
        }
    }

    private int spare()
    {
        final Set<Integer> spares = new TreeSet<>(List.of(0, 1, 2));
        assignment().forEach(spares::remove);
        return spares.iterator().next();
    }

    private List<Integer> assignment()
    {
        return state.clusterMap().assignment().get(0);
    }

    private Chain chain()
    {
        return state.map().chains().get(0);
    }
}
