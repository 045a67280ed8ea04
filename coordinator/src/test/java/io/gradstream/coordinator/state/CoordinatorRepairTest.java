// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.gradstream.coordinator.client.ReplicaPositions;
import io.gradstream.coordinator.client.LogEnd;
import io.gradstream.codecs.Chain;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.coordinator.client.ReplicaReport.Status;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * A job from its definition on: where its partitions are placed, and how places of silent nodes are given to others.
 */
class CoordinatorRepairTest
{
    private static final int PARTITIONS = 12;
    private static final int DELAY_MS = 2_000;
    private static final int TICK_MS = 500;

    private CoordinatorState state = new CoordinatorState();
    private TestNodes nodes = new TestNodes(state);
    private final long[] incarnations = new long[JobSpec.MAX_NODES];
    private long nowMs = 10_000;

    @Test
    void shouldKeepTheFirstDefinitionWhenAnotherComes()
    {
        assertThat(state.defineJob(job(2, 2), 1)).isTrue();
        final long version = state.map().version();

        assertThat(state.defineJob(job(2, 1), 1)).isFalse();
        assertThat(state.job()).isEqualTo(job(2, 2));
        assertThat(state.map().version()).isEqualTo(version);
        assertThat(state.clusterMap().isPlaced()).isFalse();
    }

    @Test
    void shouldPlaceWhenAsManyNodesAsTheJobWantsHaveRegistered()
    {
        state.defineJob(job(3, 2), 1);
        register(0);
        register(5);
        assertThat(state.clusterMap().isPlaced()).isFalse();
        register(2);

        assertThat(state.clusterMap().isPlaced()).isTrue();
        for (int partition = 0; partition < PARTITIONS; partition++)
        {
            assertThat(assignment(partition)).hasSize(2).doesNotHaveDuplicates().isSubsetOf(0, 2, 5);
            assertThat(state.required(partition)).isEqualTo(new HashSet<>(assignment(partition)));
        }
    }

    @Test
    void shouldPlaceWhenTheJobIsDefinedAfterItsNodesHaveRegistered()
    {
        register(0);
        register(1);
        state.defineJob(job(2, 2), 1);

        assertThat(state.clusterMap().isPlaced()).isTrue();
    }

    @Test
    void shouldIgnoreARegistrationWhenItsIncarnationIsNotNewerOrItsNodeCannotBe()
    {
        state.defineJob(job(2, 2), 1);
        register(0);
        final long version = state.map().version();

        assertThat(nodes.register(0, incarnations[0])).isFalse();
        assertThat(nodes.register(0, incarnations[0] - 1)).isFalse();
        assertThat(nodes.register(JobSpec.MAX_NODES, 7)).isFalse();
        assertThat(nodes.register(-1, 7)).isFalse();
        assertThat(nodes.register(1, 0)).isFalse();
        assertThat(state.map().version()).isEqualTo(version);
        assertThat(state.clusterMap().endpoints().get(0)).isEqualTo(TestNodes.endpoint(0));
    }

    @Test
    void shouldTellTheNewEndpointWhenANodeComesBackElsewhere()
    {
        state.defineJob(job(2, 2), 1);
        register(0);

        nowMs += 5_001;
        assertThat(at().register(0, incarnations[0] + 1, "127.0.0.9:1")).isTrue();
        assertThat(state.clusterMap().endpoints()).containsExactly("127.0.0.9:1");
    }

    @Test
    void shouldKeepALivingNodeWhenAProcessElsewhereHasItsId()
    {
        state.defineJob(job(2, 2), 1);
        register(0);
        final long known = incarnations[0];
        nowMs += 3_000;
        at().alive(0, known, Map.of());
        nowMs += 5_000;

        assertThat(at().register(0, known + 1, "127.0.0.9:1")).isFalse();
        // the same place: the process before it is dead, for the port is its own
        assertThat(at().register(0, known + 1)).isTrue();
        nowMs += 5_001;
        assertThat(at().register(0, known + 2, "127.0.0.9:1")).isTrue();
    }

    @Test
    void shouldGiveALostNodesPlacesToAnotherOnlyAfterTheDelayAndAFewAtOnce()
    {
        whole(4, 3, 2);
        final int lost = 1;
        final List<Integer> affected = kill(lost);
        assertThat(affected).hasSizeGreaterThan(CoordinatorState.MAX_REPAIRS);

        final long lastHeardMs = nowMs;
        while (nowMs + TICK_MS <= lastHeardMs + DELAY_MS)
        {
            assertThat(tick(lost)).as("too early").isFalse();
        }
        assertThat(tick(lost)).isTrue();
        assertThat(stillAt(lost)).hasSize(affected.size() - CoordinatorState.MAX_REPAIRS);
        assertThat(tick(lost)).as("while those are under repair").isFalse();

        joinAll(lost);
        for (int i = 0; i < PARTITIONS; i++)
        {
            tick(lost);
            joinAll(lost);
        }
        assertThat(stillAt(lost)).isEmpty();
        assertThat(state.map().chains()).noneMatch(Chain::isDegraded);
    }

    @Test
    void shouldKeepAHomeUntilTheHeadHasConfirmedThatItNeedsItNoMore()
    {
        whole(4, 3, 2);
        final int partition = stillAt(1).get(0);
        suspect(partition, 1);
        for (int i = 0; i < 20; i++)
        {
            tick(1);
        }
        assertThat(state.required(partition)).contains(1);
        assertThat(assignment(partition)).as("not confirmed").contains(1);

        confirm(partition);
        assertThat(tick(1)).isTrue();
        assertThat(assignment(partition)).as("confirmed").doesNotContain(1);
    }

    @Test
    void shouldKeepEveryHomeWhenThereIsNobodyElse()
    {
        whole(2, 2, 2);
        final List<Integer> affected = kill(1);
        for (int i = 0; i < 20; i++)
        {
            assertThat(tick(1)).isFalse();
        }

        assertThat(stillAt(1)).isEqualTo(affected);
    }

    @Test
    void shouldNotThrowWhenEveryNodeIsSilent()
    {
        whole(3, 3, 2);
        nowMs += 10 * DELAY_MS;

        assertThatCode(() -> assertThat(state.onTime(nowMs)).isFalse()).doesNotThrowAnyException();
    }

    @Test
    void shouldRepairOthersWhenPartitionsWaitForTheirOnlyMember()
    {
        final List<List<Integer>> assignment = new ArrayList<>(Collections.nCopies(PARTITIONS, List.of(2, 1)));
        assignment.set(PARTITIONS - 1, List.of(0, 1));
        state = TestNodes.fixed(assignment);
        state.jobs.first().spec = job(3, 2);
        nodes = new TestNodes(state);
        for (int node = 0; node < 5; node++)
        {
            register(node);
        }
        joinAll(-1);
        kill(1);
        nowMs += DELAY_MS + 1;
        aliveExcept(1, 1);
        assertThat(state.onTime(nowMs)).isTrue();
        assertThat(stillAt(1)).hasSize(PARTITIONS - CoordinatorState.MAX_REPAIRS);
        // the nodes that take the places live, but cannot get what only node 2 has, which is dead too
        nowMs += DELAY_MS + 1;
        aliveExcept(1, 2);
        state.onTime(nowMs);

        assertThat(assignment(PARTITIONS - 1)).doesNotContain(1);
    }

    @Test
    void shouldGiveANodeNothingBackWhenItReturnsAfterItsPlacesWereGivenAway()
    {
        whole(4, 3, 2);
        final List<Integer> affected = kill(1);
        for (int i = 0; i < 20; i++)
        {
            tick(1);
            joinAll(1);
        }
        assertThat(stillAt(1)).isEmpty();
        register(1);
        final List<Chain> before = state.map().chains();
        affected.forEach((partition) -> assertThat(recovered(1, partition, 99, 1 << 20)).isFalse());

        assertThat(state.map().chains()).isEqualTo(before);
        assertThat(before).noneMatch((chain) -> chain.holds(1));
    }

    @Test
    void shouldWaitForANodeAnewWhenAnotherMemberLeads()
    {
        whole(4, 3, 2);
        kill(1);
        nowMs += DELAY_MS + 1;
        state.onNewLeader(nowMs);

        assertThat(state.onTime(nowMs + DELAY_MS)).isFalse();
        nowMs += DELAY_MS + 1;
        aliveExcept(1, 1);
        assertThat(state.onTime(nowMs)).isTrue();
    }

    @Test
    void shouldRepairInTimeWhenTheNewLeadersClockShowsAnHourLess()
    {
        whole(4, 3, 2);
        kill(1);
        nowMs -= TimeUnit.HOURS.toMillis(1);
        state.onNewLeader(nowMs);

        assertThat(state.onTime(nowMs + DELAY_MS)).isFalse();
        nowMs += DELAY_MS + 1;
        aliveExcept(1, 1);
        assertThat(state.onTime(nowMs)).isTrue();
    }

    @Test
    void shouldForgetWhatTheJoinerSaidWhenTheOnlyMemberDies()
    {
        final CoordinatorState two = TestNodes.fixed(List.of(List.of(0, 1)));
        final TestNodes twoNodes = new TestNodes(two);
        twoNodes.register(0, 1);
        twoNodes.register(1, 1);
        twoNodes.recovered(0, 1, 0, 0, new LogEnd(0, 0));
        twoNodes.recovered(1, 1, 0, 0, new LogEnd(0, 0));
        twoNodes.admits(0, 1, 0, two.map().chains().get(0).version(), 1);
        twoNodes.suspects(0, 1, 0, two.map().chains().get(0).version(), 1);
        final long known = two.map().chains().get(0).version();
        twoNodes.recovered(1, 1, 0, known, new LogEnd(1, 500));
        assertThat(two.map().chains().get(0).joiner()).isEqualTo(1);
        // node 1 attaches, and is told to truncate; then node 0 dies, and node 1's report of before comes again
        twoNodes.register(0, 2);
        twoNodes.recovered(1, 1, 0, known, new LogEnd(1, 500));
        twoNodes.recovered(0, 2, 0, two.map().chains().get(0).version(), new LogEnd(1, 400));

        assertThat(two.map().chains().get(0).members()).as("node 1's log of now is not known").isEmpty();
    }

    @Test
    void shouldRememberHowFarReplicasAreOnlyWhereTheirNodeIsAtHome()
    {
        whole(3, 3, 2);
        final int home = assignment(0).get(0);
        at().alive(home, incarnations[home], Map.of(
            0, new ReplicaPositions(3, 2, 1),
            -1, new ReplicaPositions(1, 1, 1),
            PARTITIONS, new ReplicaPositions(1, 1, 1)));

        assertThat(state.replicas(home)).isEqualTo(Map.of(0, new ReplicaPositions(3, 2, 1)));
        assertThat(state.heardMs(home)).isEqualTo(nowMs);
    }

    /** All chains whole and confirmed. */
    private void whole(final int nodes, final int placed, final int copies)
    {
        state.defineJob(job(placed, copies), 1);
        for (int node = 0; node < nodes; node++)
        {
            register(node);
        }
        joinAll(-1);
        assertThat(state.map().chains()).noneMatch(Chain::isDegraded);
    }

    /** Neighbours suspect a node in every chain, and who heads confirms. */
    private List<Integer> kill(final int node)
    {
        final List<Integer> homesOf = stillAt(node);
        for (final int partition : homesOf)
        {
            suspect(partition, node);
            confirm(partition);
        }

        return homesOf;
    }

    private void suspect(final int partition, final int node)
    {
        final Chain chain = state.map().chains().get(partition);
        final int reporter = chain.head() == node ? chain.successorOf(node) : chain.predecessorOf(node);
        assertThat(at().suspects(reporter, incarnations[reporter], partition, chain.version(), node)).isTrue();
    }

    private boolean tick(final int silent)
    {
        nowMs += TICK_MS;
        aliveExcept(silent, silent);
        return state.onTime(nowMs);
    }

    private void aliveExcept(final int silent, final int other)
    {
        for (int node = 0; node < state.nodeCount(); node++)
        {
            if (node != silent && node != other)
            {
                at().alive(node, incarnations[node], Map.of());
            }
        }
    }

    private void joinAll(final int silent)
    {
        for (int partition = 0; partition < PARTITIONS; partition++)
        {
            for (final int node : new ArrayList<>(assignment(partition)))
            {
                if (node != silent)
                {
                    recovered(node, partition, 0, 0);
                }
            }
            Chain chain = state.map().chains().get(partition);
            while (Chain.NONE != chain.joiner() && !chain.members().contains(silent))
            {
                final int tail = chain.members().get(chain.members().size() - 1);
                confirm(partition);
                at().admits(tail, incarnations[tail], partition, chain.version(), chain.joiner());
                chain = state.map().chains().get(partition);
            }
            if (!chain.members().isEmpty() && head(partition) != silent)
            {
                confirm(partition);
            }
        }
    }

    private void confirm(final int partition)
    {
        at().says(head(partition), incarnations[head(partition)], partition,
            state.map().chains().get(partition).version(), Status.LEADS);
    }

    private List<Integer> stillAt(final int node)
    {
        final List<Integer> partitions = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++)
        {
            if (assignment(partition).contains(node))
            {
                partitions.add(partition);
            }
        }

        return partitions;
    }

    private void register(final int node)
    {
        incarnations[node] += 100;
        assertThat(at().register(node, incarnations[node])).isTrue();
    }

    private boolean recovered(final int node, final int partition, final long epoch, final long position)
    {
        return at().recovered(node, incarnations[node], partition, state.map().chains().get(partition).version(),
            new LogEnd(epoch, position));
    }

    private int head(final int partition)
    {
        return state.map().chains().get(partition).head();
    }

    private List<Integer> assignment(final int partition)
    {
        return state.clusterMap().assignment().get(partition);
    }

    private TestNodes at()
    {
        nodes.nowMs = nowMs;
        return nodes;
    }

    private static JobSpec job(final int nodes, final int copies)
    {
        return new JobSpec(
            PARTITIONS, copies, nodes, JobSpec.DEFAULT_VIRTUAL_NODES, 1000, DELAY_MS, RecoveryMode.CHAIN);
    }
}
