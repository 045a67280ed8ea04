// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.console.ClusterState;
import io.gradstream.console.ClusterState.Replica;
import io.gradstream.console.ClusterState.Role;
import io.gradstream.coordinator.client.CoordinatorStatus;
import io.gradstream.coordinator.client.WorkStatus;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The state that is made of what coordinators say.
 */
class StateReaderTest
{
    private static final JobSpec JOB = new JobSpec(2, 2, 2, 16, 1000, 3000, RecoveryMode.CHAIN);
    private static final ClusterWatch.LocalServers NO_SERVERS =
        new ClusterWatch.LocalServers(List.of(Path.of("no-such-directory")), (node) -> true);
    private static final List<String> COORDINATORS = List.of("127.0.0.1:9000", "127.0.0.2:9000", "127.0.0.3:9000");

    @Test
    void shouldShowRolesLagsAndWhoHasFewerCopies()
    {
        final ClusterState state = state(20, (node) -> true);

        assertThat(state.job().mode()).isEqualTo("chain");
        assertThat(state.notServed()).isZero();
        assertThat(state.degraded()).isEqualTo(1);
        assertThat(state.nodes()).extracting(ClusterState.Node::heads).containsExactly(1, 1);
        assertThat(state.partitions().get(0).replicas()).containsExactly(
            new Replica(0, Role.HEAD, "", ClusterState.UNKNOWN, 1_000, 900, 800, 0),
            new Replica(1, Role.STANDBY, "", ClusterState.UNKNOWN, 900, 900, 800, 100));
        assertThat(state.partitions().get(1).replicas()).extracting(Replica::role)
            .containsExactly(Role.HEAD, Role.JOINER);
    }

    @Test
    void shouldShowAtOnceThatAProcessIsGone()
    {
        final ClusterState state = state(20, (node) -> 0 != node);

        assertThat(state.notServed()).isEqualTo(1);
        assertThat(state.partitions().get(0).served()).isFalse();
        assertThat(state.nodes()).extracting(ClusterState.Node::silent).containsExactly(true, false);
    }

    @Test
    void shouldShowThatANodeWasNotHeardForLong()
    {
        final ClusterState state = state(StateReader.SILENT_MS + 1, (node) -> true);

        assertThat(state.notServed()).isEqualTo(1);
        assertThat(state.nodes()).extracting(ClusterState.Node::silent).containsExactly(true, false);
    }

    @Test
    void shouldShowNoPartitionsBeforeTheyArePlaced()
    {
        final ClusterMap map = new ClusterMap(null, List.of(), List.of(), new ChainMap(1, List.of(), List.of()));
        final ClusterState state =
            StateReaderTest.state(map, new CoordinatorStatus(1, 0, 0, 0, 0, List.of(), Set.of(), List.of()), 0, null);

        assertThat(state.partitions()).isEmpty();
        assertThat(state.nodes()).isEmpty();
        assertThat(state.job()).isNull();
    }

    /** The state of a cluster with three coordinators and no counters to read. */
    static ClusterState state(
        final ClusterMap map, final CoordinatorStatus status, final long timeMs, final ClusterState earlier)
    {
        return state(map, status, null, timeMs, earlier);
    }

    static ClusterState state(
        final ClusterMap map,
        final CoordinatorStatus status,
        final WorkStatus work,
        final long timeMs,
        final ClusterState earlier)
    {
        return new StateReader(
            map, map.job("default"), status, work, NO_SERVERS.counters(), NO_SERVERS.isAlive())
            .state(COORDINATORS, timeMs, earlier);
    }

    @Test
    void shouldShowThePartitionsOfTheJobThatIsMeantAndTheNodesOfAll()
    {
        final ClusterMap.Job other = new ClusterMap.Job(3, "other", 1, new JobSpec(
            1, 1, 1, 1, 1, JobSpec.MIN_REPAIR_DELAY_MS, RecoveryMode.REPLAY));
        final ClusterMap map = new ClusterMap(List.of(new ClusterMap.Job(1, "default", 0, other.spec()), other),
            List.of(), List.of("127.0.0.1:9100"), List.of(List.of(0), List.of(0)), new ChainMap(7, List.of(1L), List.of(
                new Chain(1, 2, List.of(0), Chain.NONE, 1), new Chain(9, 5, List.of(0), Chain.NONE, 1))), 1);
        final ClusterState state = new StateReader(map, other, new CoordinatorStatus(7, 1, 0, 1, 0, List.of(5L),
            Set.of(), List.of(new CoordinatorStatus.Replica(0, 0, 100, 90, 80),
            new CoordinatorStatus.Replica(0, 1, 2_000, 900, 800))), null, NO_SERVERS.counters(), (node) -> true)
            .state(COORDINATORS, 0, null);

        assertThat(state.job().name()).isEqualTo("other");
        assertThat(state.partitions()).extracting(ClusterState.Partition::id).containsExactly(0);
        assertThat(state.partitions().get(0).epoch()).isEqualTo(9);
        assertThat(state.partitions().get(0).head().applied()).isEqualTo(2_000);
        assertThat(state.nodes().get(0).places()).isEqualTo(2);
    }

    private static ClusterState state(final long heardMs, final IntPredicate isAlive)
    {
        final ClusterMap map = new ClusterMap(JOB, List.of("127.0.0.1:9100", "127.0.0.1:9101"),
            List.of(List.of(0, 1), List.of(1, 0)), new ChainMap(7, Collections.nCopies(2, 1L), List.of(
                new Chain(1, 2, List.of(0, 1), Chain.NONE, 2), new Chain(3, 5, List.of(1), 0, 2))));

        return new StateReader(map, map.job("default"), new CoordinatorStatus(
            7, 1, 0, 1, 0, List.of(heardMs, 12L), Set.of(), List.of(
            new CoordinatorStatus.Replica(0, 0, 1_000, 900, 800),
            new CoordinatorStatus.Replica(1, 0, 900, 900, 800))), null, NO_SERVERS.counters(), isAlive)
            .state(COORDINATORS, 0, null);
    }
}
