// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.List;

import io.gradstream.coordinator.client.ReplicaPositions;
import io.gradstream.coordinator.client.LogEnd;
import io.gradstream.coordinator.client.Suspicion;
import io.gradstream.coordinator.client.ReplicaReport;
import io.gradstream.coordinator.client.NodeReport;
import io.gradstream.codecs.Chain;
import io.gradstream.coordinator.client.ReplicaReport.Status;
import org.junit.jupiter.api.Test;

import static io.gradstream.coordinator.state.TestNodes.needing;
import static org.assertj.core.api.Assertions.assertThat;

class CoordinatorStateTest
{
    private static final int A = 0;
    private static final int B = 1;
    private static final int C = 2;
    private static final long NOW = 1_000_000;

    private final CoordinatorState state = TestNodes.fixed(List.of(List.of(A, B)));
    private final TestNodes nodes = new TestNodes(state);
    private final long[] incarnations = new long[3];
    private long lastIncarnation = 100;

    @Test
    void shouldTakeTheJoinerInWhenTheLastMemberAdmitsIt()
    {
        open();
        assertThat(nodes.admits(A, incarnations[A], 0, chain().version(), B)).isTrue();

        assertThat(chain()).isEqualTo(needing(new Chain(1, 2, List.of(A, B), Chain.NONE, 2), 0, 1));
    }

    @Test
    void shouldRefuseAnAdmissionThatWasUnderWayWhenTheJoinerLeftToBeginAnew()
    {
        open();
        final long version = chain().version();
        assertThat(nodes.says(B, incarnations[B], 0, version - 1, Status.LEAVES)).as("said before").isFalse();
        assertThat(nodes.says(A, incarnations[A], 0, version, Status.LEAVES)).as("the head").isFalse();
        assertThat(nodes.says(B, incarnations[B], 0, version, Status.LEAVES)).isTrue();
        assertThat(chain()).isEqualTo(needing(new Chain(1, version + 1, List.of(A), Chain.NONE, 2), 0, 1));

        assertThat(nodes.says(B, incarnations[B], 0, version, Status.LEAVES)).as("said twice").isFalse();
        assertThat(nodes.admits(A, incarnations[A], 0, version, B)).isFalse();
        assertThat(nodes.recovered(B, incarnations[B], 0, version + 1, new LogEnd(0, 0))).isTrue();
        assertThat(nodes.admits(A, incarnations[A], 0, version, B)).isFalse();
        assertThat(chain()).isEqualTo(needing(new Chain(1, version + 2, List.of(A), B, 2), 0, 1));
    }

    @Test
    void shouldStayAMemberWhenAdmittedBeforeItCouldLeave()
    {
        open();
        final long version = chain().version();
        nodes.admits(A, incarnations[A], 0, version, B);

        assertThat(nodes.says(B, incarnations[B], 0, version, Status.LEAVES)).isFalse();
        assertThat(chain().members()).containsExactly(A, B);
    }

    @Test
    void shouldNotAdmitWhenTheAdmissionIsNotOfTheLastMemberOrOfAnOlderChain()
    {
        open();
        final long version = chain().version();

        assertThat(nodes.admits(B, incarnations[B], 0, version, B)).isFalse();
        assertThat(nodes.admits(A, incarnations[A], 0, version - 1, B)).isFalse();
        assertThat(nodes.admits(A, incarnations[A], 0, version, C)).isFalse();
        assertThat(nodes.admits(A, incarnations[A], 0, version, Chain.NONE)).isFalse();
        assertThat(nodes.admits(A, incarnations[A] - 1, 0, version, B)).isFalse();
        assertThat(chain().joiner()).isEqualTo(B);
    }

    @Test
    void shouldPromoteTheSuccessorWhenItSuspectsTheHead()
    {
        whole();
        assertThat(suspect(B, A)).isTrue();

        assertThat(chain()).isEqualTo(needing(new Chain(2, 3, List.of(B), Chain.NONE, 2), 0, 1));
        assertThat(state.failovers()).isEqualTo(1);
        assertThat(state.spuriousFailovers()).isZero();
    }

    @Test
    void shouldPromoteTheSuccessorWhenANewProcessOfTheHeadRegisters()
    {
        whole();
        register(A);

        assertThat(chain()).isEqualTo(needing(new Chain(2, 3, List.of(B), Chain.NONE, 2), 0, 1));
        assertThat(state.failovers()).isEqualTo(1);
        recovered(A, 1, 64);
        assertThat(state.spuriousFailovers()).isZero();
    }

    @Test
    void shouldKeepTheEpochWhenTheHeadLosesItsSuccessor()
    {
        whole();
        assertThat(suspect(A, B)).isTrue();

        assertThat(chain()).isEqualTo(needing(new Chain(1, 3, List.of(A), Chain.NONE, 2), 0, 1));
        assertThat(state.failovers()).isZero();
    }

    @Test
    void shouldIgnoreTheSlowerOfTwoWhenNeighboursSuspectEachOther()
    {
        whole();
        final long version = chain().version();
        suspect(A, B);

        assertThat(nodes.suspects(B, incarnations[B], 0, version, A)).isFalse();
        assertThat(suspect(B, A)).isFalse();
        assertThat(chain().members()).containsExactly(A);
    }

    @Test
    void shouldNotPromoteAJoinerWhenItSuspectsTheOnlyMember()
    {
        open();
        final Chain before = chain();

        assertThat(suspect(B, A)).isFalse();
        assertThat(chain()).isEqualTo(before);
    }

    @Test
    void shouldDropTheJoinerWhenTheLastMemberSuspectsIt()
    {
        open();
        assertThat(suspect(A, B)).isTrue();

        assertThat(chain()).isEqualTo(needing(new Chain(1, 2, List.of(A), Chain.NONE, 2), 0, 1));
    }

    @Test
    void shouldIgnoreSuspicionsWhenTheyAreNotOfNeighbours()
    {
        final CoordinatorState three = threeInSync();
        final TestNodes threeNodes = new TestNodes(three, 1_000);

        assertThat(three.map().chains().get(0))
            .isEqualTo(needing(new Chain(1, 3, List.of(A, B, C), Chain.NONE, 3), 0, 1, 2));
        assertThat(threeNodes.suspects(C, 1, 0, 3, A)).isFalse();
        assertThat(threeNodes.suspects(A, 1, 0, 3, A)).isFalse();
        assertThat(threeNodes.suspects(3, 1, 0, 3, C)).isFalse();
        assertThat(threeNodes.suspects(B, 1, 0, 3, C)).isTrue();
    }

    /** Its sender may have granted the head a lease since, under the chain of now. */
    @Test
    void shouldIgnoreASuspicionUnderAnEarlierChainThoughTheTwoAreNeighboursStill()
    {
        final CoordinatorState three = threeInSync();
        final TestNodes threeNodes = new TestNodes(three, 1_000);
        assertThat(threeNodes.suspects(B, 1, 0, 3, C)).isTrue();
        final Chain two = new Chain(1, 4, List.of(A, B), Chain.NONE, 3);

        assertThat(threeNodes.suspects(B, 1, 0, 3, A)).isFalse();
        assertThat(threeNodes.suspects(A, 1, 0, 3, B)).isFalse();
        assertThat(three.map().chains().get(0)).isEqualTo(needing(two, 0, 1, 2));
        assertThat(threeNodes.suspects(B, 1, 0, two.version(), A)).isTrue();
    }

    @Test
    void shouldLetTheDeposedJoinWhenItHasRecoveredAgain()
    {
        whole();
        suspect(B, A);
        assertThat(recovered(A, 1, 64)).isTrue();

        assertThat(chain()).isEqualTo(needing(new Chain(2, 4, List.of(B), A, 2), 0, 1));
    }

    @Test
    void shouldCountASpuriousFailoverWhenTheDeposedProcessLives()
    {
        whole();
        suspect(B, A);
        recovered(A, 1, 64);
        recovered(A, 1, 64);

        assertThat(state.failovers()).isEqualTo(1);
        assertThat(state.spuriousFailovers()).isEqualTo(1);
    }

    @Test
    void shouldNotCountASpuriousFailoverWhenTheDeposedNodeComesAsANewProcess()
    {
        whole();
        suspect(B, A);
        register(A);
        recovered(A, 1, 64);

        assertThat(state.failovers()).isEqualTo(1);
        assertThat(state.spuriousFailovers()).isZero();
    }

    @Test
    void shouldCountOneFailoverWhenAProcessLosesSeveralPartitions()
    {
        final CoordinatorState two = TestNodes.fixed(List.of(List.of(A, B), List.of(A, B)));
        final TestNodes twoNodes = new TestNodes(two);
        twoNodes.register(A, 1);
        twoNodes.register(B, 1);
        for (int partition = 0; partition < 2; partition++)
        {
            twoNodes.recovered(A, 1, partition, 0, 0);
            twoNodes.recovered(B, 1, partition, 0, 0);
            twoNodes.admits(A, 1, partition, 1, B);
        }
        twoNodes.suspects(B, 1, 0, 2, A);
        twoNodes.suspects(B, 1, 1, 2, A);

        assertThat(two.failovers()).isEqualTo(1);
    }

    @Test
    void shouldNeedBothLogsWhenTheShortChainWasNotConfirmed()
    {
        whole();
        suspect(B, A);
        assertThat(state.required(0)).containsExactlyInAnyOrder(A, B);

        register(B);
        recovered(B, 1, 96);
        assertThat(chain().members()).isEmpty();

        recovered(A, 1, 64);
        assertThat(chain()).isEqualTo(needing(new Chain(3, 5, List.of(B), A, 2), 0, 1));
    }

    @Test
    void shouldNeedOnlyTheNewHeadWhenItConfirmedTheShortChain()
    {
        whole();
        suspect(B, A);
        nodes.says(B, incarnations[B], 0, chain().version(), Status.LEADS);
        register(B);

        recovered(A, 1, 1000);
        assertThat(chain().members()).isEmpty();
        recovered(B, 2, 64);
        assertThat(chain().members()).containsExactly(B);
        assertThat(chain().joiner()).isEqualTo(A);
        assertThat(chain().epoch()).isEqualTo(3);
    }

    @Test
    void shouldIgnoreAConfirmationWhenItIsNotTheHeadsOrOfAnOlderChain()
    {
        whole();
        suspect(B, A);
        final long version = chain().version();
        nodes.says(B, incarnations[B], 0, version - 1, Status.LEADS);
        nodes.says(A, incarnations[A], 0, version, Status.LEADS);
        nodes.says(B, incarnations[B] - 1, 0, version, Status.LEADS);

        assertThat(state.required(0)).containsExactlyInAnyOrder(A, B);
    }

    @Test
    void shouldReopenWithTheLongestLogOnlyWhenBothHaveRecoveredAfterACrashOfAll()
    {
        whole();
        nodes.says(A, incarnations[A], 0, chain().version(), Status.LEADS);
        register(A);
        register(B);
        assertThat(chain().members()).isEmpty();

        assertThat(recovered(A, 1, 100)).isFalse();
        assertThat(recovered(B, 1, 132)).isTrue();
        assertThat(chain().members()).containsExactly(B);
        assertThat(chain().epoch()).isEqualTo(3);
    }

    @Test
    void shouldAskAJoinerForItsLogAnewWhenTheOnlyMemberDied()
    {
        open();
        nodes.says(A, incarnations[A], 0, chain().version(), Status.LEADS);
        register(A);
        assertThat(chain()).isEqualTo(needing(new Chain(1, 2, List.of(), Chain.NONE, 2), 0));

        recovered(A, 1, 32);
        assertThat(chain()).isEqualTo(needing(new Chain(2, 3, List.of(A), Chain.NONE, 2), 0));
        recovered(B, 0, 0);
        assertThat(chain().joiner()).isEqualTo(B);
    }

    @Test
    void shouldIgnoreMessagesWhenTheyAreOfAnEarlierLifeOrOfNobody()
    {
        assertThat(nodes.recovered(A, 0, 0, 1, 1)).isFalse();
        register(A);
        register(B);
        final long version = state.map().version();

        assertThat(nodes.register(A, incarnations[A])).isFalse();
        assertThat(nodes.register(A, incarnations[A] - 1)).isFalse();
        assertThat(nodes.register(-1, 1)).isFalse();
        nodes.recovered(A, incarnations[A] - 1, 0, 9, 9);
        nodes.recovered(B, incarnations[B], 0, 1, 1);
        nodes.recovered(B, incarnations[B], 1, 1, 1);
        assertThat(chain().members()).isEmpty();
        assertThat(state.map().version()).isEqualTo(version);
    }

    @Test
    void shouldGiveANodeThatIsNoHomeNoPlace()
    {
        open();
        suspect(A, B);
        register(C);

        assertThat(recovered(C, 7, 7)).isFalse();
        assertThat(chain().joiner()).isEqualTo(Chain.NONE);
    }

    @Test
    void shouldGiveAFreePlaceToAWaitingNodeWhenAJoinerIsAdmittedOrDropped()
    {
        final CoordinatorState three = TestNodes.fixed(List.of(List.of(A, B, C)));
        final TestNodes threeNodes = new TestNodes(three);
        for (final int node : new int[]{A, B, C})
        {
            threeNodes.register(node, 1);
            threeNodes.recovered(node, 1, 0, 0, 0);
        }
        assertThat(three.map().chains().get(0).joiner()).isEqualTo(B);
        threeNodes.suspects(A, 1, 0, 1, B);

        assertThat(three.map().chains().get(0).joiner()).isEqualTo(C);
        threeNodes.recovered(B, 1, 0, 0, 0);
        threeNodes.admits(A, 1, 0, three.map().chains().get(0).version(), C);

        assertThat(three.map().chains().get(0).members()).containsExactly(A, C);
        assertThat(three.map().chains().get(0).joiner()).isEqualTo(B);
    }

    @Test
    void shouldNotPromoteWhoIsNotAnsweredWhenNobodyElseCouldBe()
    {
        whole();
        final Chain before = chain();

        assertThat(complain(B, A, false)).isFalse();
        assertThat(complain(A, B, false)).isFalse();
        assertThat(chain()).isEqualTo(before);
        assertThat(complain(B, A, true)).isTrue();
        assertThat(chain().members()).containsExactly(B);
    }

    @Test
    void shouldPromoteAMemberThatIsReachedWhenTheHeadsSuccessorIsNotAnswered()
    {
        final CoordinatorState three = threeInSync();
        final TestNodes threeNodes = new TestNodes(three, 1_000);
        threeNodes.nowMs = NOW - SuspicionArbiter.REACHED_MS;
        threeNodes.answered(C, 1);

        assertThat(unanswered(threeNodes, B, A)).isTrue();
        assertThat(three.map().chains().get(0)).isEqualTo(needing(new Chain(2, 5, List.of(C), Chain.NONE, 3), 0, 1, 2));
        assertThat(three.failovers()).isEqualTo(1);
    }

    @Test
    void shouldPromoteNobodyWhenTheMemberBehindIsNotReachedEither()
    {
        final CoordinatorState three = threeInSync();
        final TestNodes threeNodes = new TestNodes(three, 1_000);
        assertThat(unanswered(threeNodes, B, A)).isFalse();

        threeNodes.nowMs = NOW - SuspicionArbiter.REACHED_MS - 1;
        threeNodes.answered(C, 1);
        assertThat(unanswered(threeNodes, B, A)).isFalse();

        threeNodes.nowMs = NOW;
        threeNodes.answered(C, 0);
        assertThat(unanswered(threeNodes, B, A)).isFalse();
    }

    @Test
    void shouldIgnoreWhoIsNotAnsweredWhenItDidNotStandByTheHead()
    {
        final CoordinatorState three = threeInSync();
        final TestNodes threeNodes = new TestNodes(three, 1_000);
        for (final int node : new int[]{A, B, C})
        {
            threeNodes.nowMs = NOW;
            threeNodes.answered(node, 1);
        }

        assertThat(unanswered(threeNodes, A, B)).isFalse();
        assertThat(unanswered(threeNodes, B, C)).isFalse();
        assertThat(unanswered(threeNodes, C, B)).isFalse();
    }

    @Test
    void shouldForgetThatANodeWasReachedWhenANewProcessRegisters()
    {
        final CoordinatorState three = TestNodes.fixed(List.of(List.of(A, B, C)));
        final TestNodes threeNodes = new TestNodes(three);
        threeNodes.register(C, 1);
        threeNodes.nowMs = NOW;
        threeNodes.answered(C, 1);
        assertThat(three.complaints.isReached(C, NOW)).isTrue();

        threeNodes.register(C, 2);
        assertThat(three.complaints.isReached(C, NOW)).isFalse();
    }

    private static boolean unanswered(final TestNodes nodes, final int reporter, final int suspected)
    {
        nodes.nowMs = NOW;
        return nodes.suspects(reporter, 1, 0, 3, new Suspicion(suspected, false));
    }

    private static CoordinatorState threeInSync()
    {
        final CoordinatorState three = TestNodes.fixed(List.of(List.of(A, B, C)));
        final TestNodes threeNodes = new TestNodes(three);
        for (int node = 0; node < 4; node++)
        {
            threeNodes.register(node, 1);
            threeNodes.recovered(node, 1, 0, 0, 0);
        }
        threeNodes.admits(A, 1, 0, 1, B);
        threeNodes.admits(B, 1, 0, 2, C);

        return three;
    }

    @Test
    void shouldIgnoreAReportThatArrivesAfterALaterOne()
    {
        register(A);
        register(B);
        final NodeReport earlier = new NodeReport(B, incarnations[B], 1_000, false, TestNodes.endpoint(B), List.of(
            new ReplicaReport(0, Status.RECOVERED, 0, new LogEnd(9, 9), Chain.NONE, List.of(),
                new ReplicaPositions(9, 9, 9))));
        state.onReport(
            new NodeReport(B, incarnations[B], 1_001, false, TestNodes.endpoint(B), List.of()), NOW);
        recovered(A, 0, 0);

        assertThat(state.onReport(earlier, NOW + 1)).isFalse();
        assertThat(chain().members()).isEmpty();
        assertThat(state.heardMs(B)).isEqualTo(NOW);
        assertThat(state.replicas(B)).isEmpty();
        assertThat(state.onReport(new NodeReport(
            B, incarnations[B], 1_002, false, TestNodes.endpoint(B), earlier.replicas()), NOW + 1)).isTrue();
        assertThat(chain().members()).containsExactly(B);
    }

    private void open()
    {
        register(A);
        register(B);
        recovered(A, 0, 0);
        recovered(B, 0, 0);
    }

    private void whole()
    {
        open();
        nodes.admits(A, incarnations[A], 0, chain().version(), B);
    }

    private void register(final int node)
    {
        incarnations[node] = ++lastIncarnation;
        assertThat(nodes.register(node, lastIncarnation)).isTrue();
    }

    private boolean recovered(final int node, final long epoch, final long position)
    {
        return nodes.recovered(node, incarnations[node], 0, epoch, position);
    }

    private boolean suspect(final int reporter, final int suspected)
    {
        return complain(reporter, suspected, true);
    }

    private boolean complain(final int reporter, final int suspected, final boolean isAnswered)
    {
        return nodes.suspects(
            reporter, incarnations[reporter], 0, chain().version(), new Suspicion(suspected, isAnswered));
    }

    private Chain chain()
    {
        return state.map().chains().get(0);
    }
}
