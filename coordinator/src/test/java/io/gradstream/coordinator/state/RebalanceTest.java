// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.coordinator.client.LogEnd;
import io.gradstream.coordinator.client.ReplicaReport.Status;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A node comes when all places are taken: places move to it, a few at a time, and no chain is short meanwhile. */
class RebalanceTest
{
    private static final int A = 0;
    private static final int B = 1;
    private static final int C = 2;
    private static final int D = 3;
    private static final int NONE = Chain.NONE;

    private CoordinatorState state;
    private TestNodes nodes;
    private final long[] incarnations = {11, 12, 13, 14};
    private long nowMs = 1_000_000;

    @BeforeEach
    void begin()
    {
        begin(List.of(List.of(A, B), List.of(A, B), List.of(A, B)));
    }

    private void begin(final List<List<Integer>> assignment)
    {
        state = TestNodes.fixed(assignment);
        nodes = new TestNodes(state);
        nodes.nowMs = nowMs;
        for (int partition = 0; partition < assignment.size(); partition++)
        {
            for (final int node : assignment.get(partition))
            {
                nodes.register(node, incarnations[node]);
            }
        }
        for (int partition = 0; partition < assignment.size(); partition++)
        {
            for (final int node : assignment.get(partition))
            {
                recovered(node, partition);
            }
            confirm(partition);
            for (int i = 1; i < assignment.get(partition).size(); i++)
            {
                admit(partition);
            }
        }
        assertThat(state.map().chains()).allMatch((chain) -> !chain.isDegraded() && chain.isConfirmed());
    }

    @Test
    void shouldMoveNothingWhileEveryNodeHasItsShare()
    {
        for (int i = 0; i < 20; i++)
        {
            assertThat(tick(A, B)).isFalse();
        }
    }

    @Test
    void shouldGiveANewcomerTheMeanAndNoMoreThanSoManyPlacesAtOnce()
    {
        come(C);
        assertThat(tick(A, B, C)).isTrue();
        assertThat(moving()).hasSize(CoordinatorState.MAX_MOVES);
        assertThat(tick(A, B, C)).as("those are under way").isFalse();
        assertThat(state.map().chains()).noneMatch(Chain::isDegraded);

        finishMoves();
        for (int i = 0; i < 10; i++)
        {
            assertThat(tick(A, B, C)).isFalse();
        }
        assertThat(placesOf(A)).isEqualTo(2);
        assertThat(placesOf(B)).isEqualTo(2);
        assertThat(placesOf(C)).isEqualTo(2);
    }

    @Test
    void shouldLetAMemberGoOnlyWhenTheNewcomerIsInSync()
    {
        come(C);
        tick(A, B, C);
        final int partition = movedFrom(false);
        final Chain before = chain(partition);

        recovered(C, partition);
        assertThat(chain(partition).members()).isEqualTo(before.members());
        assertThat(chain(partition).joiner()).isEqualTo(C);
        admit(partition);

        final int stays = before.head();
        assertThat(chain(partition).members()).containsExactly(stays, C);
        assertThat(chain(partition).epoch()).as("the lead stays").isEqualTo(before.epoch());
        assertThat(chain(partition).requiredReplicas()).contains(A, B, C);
        confirm(partition);
        assertThat(chain(partition).isConfirmed()).isTrue();
    }

    @Test
    void shouldMoveTheLeadBeforeAHeadGoes()
    {
        come(C);
        tick(A, B, C);
        final int partition = movedFrom(true);
        final Chain before = chain(partition);
        recovered(C, partition);
        admit(partition);

        assertThat(chain(partition).members()).containsExactly(before.head(), before.members().get(1), C);
        assertThat(chain(partition).transferee()).isEqualTo(before.members().get(1));
        nodes.nowMs += 1_000;
        state.onTime(nodes.nowMs);
        reach(before.head(), true);
        assertThat(chain(partition).transferee()).as("workers reach the head").isEqualTo(before.members().get(1));

        final long version = chain(partition).version();
        nodes.says(
            before.members().get(1), incarnations[before.members().get(1)], partition, version, Status.TAKES_OVER);
        assertThat(chain(partition).members()).containsExactly(before.members().get(1), C);
        assertThat(chain(partition).epoch()).isEqualTo(before.epoch() + 1);
        assertThat(state.failovers()).as("nothing has failed").isZero();
    }

    @Test
    void shouldAskAgainForTheLeadWhenTheTransfereeDoesNotClaimIt()
    {
        come(C);
        tick(A, B, C);
        final int partition = movedFrom(true);
        recovered(C, partition);
        admit(partition);
        final int transferee = chain(partition).transferee();

        for (int i = 0; i < 11; i++)
        {
            tick(A, B, C);
        }
        assertThat(chain(partition).transferee()).as("the head serves on for a while").isEqualTo(NONE);
        for (int i = 0; i < 20; i++)
        {
            tick(A, B, C);
        }
        assertThat(chain(partition).transferee()).isEqualTo(transferee);
    }

    /** A head that has not stopped may hold what nobody else has: it loses the lead at the second time only. */
    @Test
    void shouldLetAHeadThatLeavesServeOnOnceWhereItHasNotStopped()
    {
        come(C);
        tick(A, B, C);
        final int partition = movedFrom(true);
        recovered(C, partition);
        admit(partition);
        final Chain before = chain(partition);
        final int claimant = before.transferee();
        nodes.says(claimant, incarnations[claimant], partition, before.version(), Status.CLAIMS);
        assertThat(chain(partition).members()).isEqualTo(before.members());
        assertThat(chain(partition).epoch()).isEqualTo(before.epoch());
        assertThat(chain(partition).transferee()).isEqualTo(NONE);
        for (long ms = 0; ms < LeadershipTransfers.HYSTERESIS_MS; ms += 500)
        {
            tick(A, B, C);
        }
        assertThat(chain(partition).transferee()).isEqualTo(claimant);
        nodes.says(claimant, incarnations[claimant], partition, chain(partition).version(), Status.CLAIMS);
        assertThat(chain(partition).members()).containsExactly(claimant, C);
    }

    @Test
    void shouldHearWorkersSoonThatMissAHeadWhichLeavesAndHasNotHandedOver()
    {
        come(C);
        tick(A, B, C);
        final int partition = movedFrom(true);
        recovered(C, partition);
        admit(partition);
        final Chain before = chain(partition);
        for (long ms = 0; ms < LeadershipTransfers.CLAIM_TIMEOUT_MS + LeadershipTransfers.RENAME_MS; ms += 500)
        {
            tick(A, B, C);
        }
        assertThat(chain(partition).transferee()).isEqualTo(NONE);
        state.leads().onReach(1, 0, 1, Map.of(before.head(), false, before.transferee(), true), nodes.nowMs);
        assertThat(chain(partition).transferee()).isEqualTo(before.transferee());
    }

    @Test
    void shouldNotAskOneForTheLeadThatIsNotHeard()
    {
        come(C);
        tick(A, B, C);
        final int partition = movedFrom(true);
        final int other = chain(partition).members().get(1);
        recovered(C, partition);
        admit(partition);
        assertThat(chain(partition).transferee()).isEqualTo(other);
        for (int i = 0; i < 40; i++)
        {
            tick(chain(partition).head(), C);
        }
        assertThat(chain(partition).transferee()).as("nor another, which would lead alone").isEqualTo(NONE);
        tick(A, B, C);
        tick(A, B, C);
        assertThat(chain(partition).transferee()).isEqualTo(other);
    }

    @Test
    void shouldMoveNothingOfAJobThatKeepsNoLog()
    {
        begin(List.of(List.of(A), List.of(A), List.of(A)));
        state.jobs.first().spec = new JobSpec(3, 1, 1, 1, 1, JobSpec.MAX_REPAIR_DELAY_MS, RecoveryMode.CHECKPOINT);
        come(B);
        for (int i = 0; i < 10; i++)
        {
            assertThat(tick(A, B)).isFalse();
        }
        assertThatThrownBy(() -> state.drain(0, A, true)).hasMessageContaining("keeps a log");
    }

    @Test
    void shouldKeepThePlaceMovingWhenTheNewcomerIsStartedAgain()
    {
        come(C);
        tick(A, B, C);
        final int partition = movedFrom(false);
        final List<Integer> members = chain(partition).members();
        recovered(C, partition);
        incarnations[C]++;
        nodes.register(C, incarnations[C]);

        assertThat(chain(partition).joiner()).isEqualTo(NONE);
        assertThat(chain(partition).members()).isEqualTo(members);
        recovered(C, partition);
        assertThat(chain(partition).joiner()).isEqualTo(C);
    }

    @Test
    void shouldOpenWithTheLogOfAMemberThatWasLeaving()
    {
        come(C);
        tick(A, B, C);
        final int partition = movedFrom(true);
        final int leaving = chain(partition).head();
        final int stays = chain(partition).members().get(1);
        for (final int node : List.of(stays, leaving))
        {
            incarnations[node]++;
            nodes.register(node, incarnations[node]);
        }
        assertThat(chain(partition).members()).isEmpty();
        assertThat(chain(partition).requiredReplicas()).containsExactlyInAnyOrder(stays, leaving);
        recoveredAt(stays, partition, 1, 64);
        assertThat(chain(partition).members()).isEmpty();
        recoveredAt(leaving, partition, 1, 128);

        assertThat(chain(partition).members()).containsExactly(leaving);
    }

    @Test
    void shouldNotMoveWhileANodeThatHasPlacesIsSilent()
    {
        for (int i = 0; i < 7; i++)
        {
            tick(A);
        }
        come(C);
        for (int i = 0; i < 10; i++)
        {
            tick(A, C);
        }
        assertThat(moving()).isEmpty();
        assertThat(tick(A, B, C)).isTrue();
    }

    @Test
    void shouldMakeRoomFirstWhereAChainMustNotGetLonger()
    {
        begin(List.of(List.of(A, B, C), List.of(B, C, A), List.of(C, A, B), List.of(A, B, C)));
        come(D);
        tick(A, B, C, D);
        final int partition = movedFrom(false);
        final Chain before = chain(partition);
        assertThat(before.members()).hasSize(3);
        recovered(D, partition);

        assertThat(chain(partition).members()).hasSize(2).doesNotContain(D).contains(before.head());
        assertThat(chain(partition).joiner()).isEqualTo(D);
        confirm(partition);
        admit(partition);
        assertThat(chain(partition).members()).hasSize(3).contains(D);
    }

    @Test
    void shouldMoveTheLeadFirstWhereAChainOfThreeLosesItsHead()
    {
        begin(List.of(List.of(A, B, C), List.of(A, C, B), List.of(A, B, C), List.of(A, C, B)));
        come(D);
        tick(A, B, C, D);
        final int partition = movedFrom(true);
        final Chain before = chain(partition);
        recovered(D, partition);
        assertThat(chain(partition).transferee()).isEqualTo(before.members().get(1));
        assertThat(chain(partition).members()).isEqualTo(before.members());
        claim(partition);
        assertThat(chain(partition).members()).isEqualTo(before.members().subList(1, 3));
        assertThat(chain(partition).joiner()).isEqualTo(D);
    }

    @Test
    void shouldMoveTheOnlyCopyByHavingTwoForAWhile()
    {
        begin(List.of(List.of(A), List.of(A)));
        come(B);
        tick(A, B);
        final int partition = moving().get(0);
        recovered(B, partition);
        admit(partition);
        assertThat(chain(partition).members()).containsExactly(A, B);
        assertThat(chain(partition).transferee()).isEqualTo(B);
        claim(partition);

        assertThat(chain(partition).members()).containsExactly(B);
        assertThat(chain(partition).isDegraded()).isFalse();
    }

    @Test
    void shouldGiveNothingToANodeThatNoLeaderHasHeard()
    {
        come(C);
        nowMs += state.job().repairDelayMs();
        state.onNewLeader(nowMs);
        for (int i = 0; i < 4; i++)
        {
            assertThat(tick(A, B)).as("C has been silent since before").isFalse();
        }
        assertThat(tick(A, B, C)).isTrue();
        assertThat(moving()).isNotEmpty();
    }

    @Test
    void shouldMovePlacesWhileAPartitionWaitsForItsOnlyCopy()
    {
        begin(List.of(List.of(A), List.of(B), List.of(B)));
        state.jobs.first().spec = new JobSpec(3, 1, 1, 1, 1, JobSpec.MIN_REPAIR_DELAY_MS, RecoveryMode.REPLAY);
        come(C);
        nowMs += JobSpec.MIN_REPAIR_DELAY_MS + Rebalance.HEARD_MS;
        for (int i = 0; i < 10; i++)
        {
            tick(B, C);
        }
        assertThat(moving()).hasSize(1);
        assertThat(state.clusterMap().assignment().get(0)).containsExactly(A);
    }

    @Test
    void shouldMoveEachPlaceAwayFromADrainedNodeAndForgetItOnceItIsSilent()
    {
        come(C);
        assertThat(state.drain(0, A, true)).isTrue();
        for (int i = 0; i < 10; i++)
        {
            tick(A, B, C);
            assertThat(moving()).hasSizeLessThanOrEqualTo(CoordinatorState.MAX_MOVES);
            finishMoves();
        }
        assertThat(placesOf(A)).isZero();
        assertThat(placesOf(B)).isEqualTo(3);
        assertThat(placesOf(C)).isEqualTo(3);
        assertThat(state.map().chains()).noneMatch(Chain::isDegraded);

        nowMs += state.job().repairDelayMs();
        tick(B, C);
        assertThat(tick(B, C)).isFalse();
        assertThat(state.clusterMap().endpoints().get(A)).isEmpty();
        assertThat(nodes.register(A, incarnations[A] - 1)).as("an earlier process").isFalse();
        assertThat(nodes.register(A, incarnations[A])).as("it lives").isTrue();
        assertThat(state.clusterMap().endpoints().get(A)).isNotEmpty();
        assertThat(state.isDraining(A)).isTrue();

        nowMs += state.job().repairDelayMs();
        tick(B, C);
        assertThat(state.clusterMap().endpoints().get(A)).isEmpty();
        assertThat(nodes.register(A, incarnations[A] + 1)).isTrue();
        assertThat(state.isDraining(A)).as("a newcomer").isFalse();
    }

    @Test
    void shouldGiveADrainedNodeNothingWhileItHasFewestPlaces()
    {
        come(C);
        state.drain(0, C, true);
        for (int i = 0; i < 10; i++)
        {
            assertThat(tick(A, B, C)).isFalse();
        }
        state.drain(0, C, false);
        assertThat(tick(A, B, C)).isTrue();
    }

    @Test
    void shouldGiveNoPlaceOfALostNodeToADrainedOne()
    {
        state.jobs.first().spec = new JobSpec(3, 2, 2, 1, 1, JobSpec.MIN_REPAIR_DELAY_MS, RecoveryMode.CHAIN);
        come(C);
        come(D);
        state.drain(0, D, true);
        for (int i = 0; i < 10; i++)
        {
            tick(A, B, C, D);
            finishMoves();
        }
        final int lost = B;
        for (int partition = 0; partition < 3; partition++)
        {
            final Chain chain = chain(partition);
            final int reporter = chain.members().stream().filter((node) -> node != lost).findFirst().orElseThrow();
            nodes.suspects(reporter, incarnations[reporter], partition, chain.version(), lost);
            confirm(partition);
        }
        for (int i = 0; i < 10; i++)
        {
            tick(A, C, D);
        }

        assertThat(state.clusterMap().assignment()).allMatch((places) -> !places.contains(D) && !places.contains(lost));
    }

    private void finishMoves()
    {
        for (int i = 0; i < 20 && !moving().isEmpty(); i++)
        {
            for (final int partition : moving())
            {
                for (final int node : assignment(partition))
                {
                    recovered(node, partition);
                }
                admit(partition);
                claim(partition);
                confirm(partition);
            }
            tick(IntStream.range(0, state.nodeCount()).toArray());
        }
    }

    private void come(final int node)
    {
        nodes.register(node, incarnations[node]);
    }

    private boolean tick(final int... heard)
    {
        nowMs += 500;
        nodes.nowMs = nowMs;
        for (final int node : heard)
        {
            nodes.alive(node, incarnations[node], Map.of());
        }

        return state.onTime(nowMs);
    }

    private void recovered(final int node, final int partition)
    {
        recoveredAt(node, partition, 0, 0);
    }

    private void recoveredAt(final int node, final int partition, final long epoch, final long position)
    {
        nodes.recovered(node, incarnations[node], partition, Long.MAX_VALUE, new LogEnd(epoch, position));
    }

    private void admit(final int partition)
    {
        final Chain chain = chain(partition);
        if (NONE != chain.joiner())
        {
            final int tail = chain.members().get(chain.members().size() - 1);
            nodes.admits(tail, incarnations[tail], partition, chain.version(), chain.joiner());
        }
    }

    private void claim(final int partition)
    {
        final int claimant = chain(partition).transferee();
        if (NONE != claimant)
        {
            nodes.says(claimant, incarnations[claimant], partition, chain(partition).version(), Status.TAKES_OVER);
        }
    }

    private void confirm(final int partition)
    {
        final int head = chain(partition).head();
        nodes.says(head, incarnations[head], partition, chain(partition).version(), Status.LEADS);
    }

    private void reach(final int node, final boolean isReached)
    {
        state.leads().onReach(1, 0, 1, Map.of(node, isReached), nodes.nowMs);
    }

    private Chain chain(final int partition)
    {
        return state.map().chains().get(partition);
    }

    private List<Integer> assignment(final int partition)
    {
        return state.clusterMap().assignment().get(partition);
    }

    private List<Integer> moving()
    {
        final List<Integer> moving = new ArrayList<>();
        for (int partition = 0; partition < state.map().chains().size(); partition++)
        {
            if (!assignment(partition).containsAll(chain(partition).members()))
            {
                moving.add(partition);
            }
        }

        return moving;
    }

    /** A partition that moves away from its head, or from another member. */
    private int movedFrom(final boolean isHead)
    {
        return moving().stream()
            .filter((partition) -> isHead == isLeaving(chain(partition).head(), partition))
            .findFirst().orElseThrow(() -> new AssertionError(state.clusterMap().toString()));
    }

    private boolean isLeaving(final int node, final int partition)
    {
        return !assignment(partition).contains(node);
    }

    private long placesOf(final int node)
    {
        return IntStream.range(0, state.map().chains().size())
            .filter((partition) -> chain(partition).members().contains(node) && assignment(partition).contains(node))
            .count();
    }
}
