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
package io.gradstream.coordinator.state;

import java.util.List;

import io.gradstream.codecs.Chain;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CoordinatorStateTest
{
    private static final int A = 0;
    private static final int B = 1;
    private static final int C = 2;
    private static final long NOW = 1_000_000;

    private final CoordinatorState state = new CoordinatorState(3, List.of(List.of(A, B)));
    private final long[] incarnations = new long[3];
    private long lastIncarnation = 100;

    @Test
    void shouldOpenNothingWhenAHomeHasNotShownItsLog()
    {
        register(A);
        register(B);
        assertThat(climbed(A, 0, 0)).isFalse();

        assertThat(chain()).isEqualTo(new Chain(0, 0, List.of(), Chain.NONE, 2));
    }

    @Test
    void shouldOpenWithThePreferredHomeWhenLogsAreEqual()
    {
        register(A);
        register(B);
        climbed(B, 0, 0);
        assertThat(climbed(A, 0, 0)).isTrue();

        assertThat(chain()).isEqualTo(new Chain(1, 1, List.of(A), B, 2));
    }

    @Test
    void shouldOpenWithTheLongerLogWhenEpochsAreEqual()
    {
        register(A);
        register(B);
        climbed(A, 4, 100);
        climbed(B, 4, 132);

        assertThat(chain()).isEqualTo(new Chain(5, 1, List.of(B), A, 2));
    }

    @Test
    void shouldOpenWithTheLaterEpochWhenTheOtherLogIsLonger()
    {
        register(A);
        register(B);
        climbed(A, 4, 1000);
        climbed(B, 5, 132);

        assertThat(chain().members()).containsExactly(B);
        assertThat(chain().epoch()).isEqualTo(6);
    }

    @Test
    void shouldOpenWithTheSoundLogWhenTheOtherIsDamaged()
    {
        register(A);
        register(B);
        climbed(A, Chain.DAMAGED, 1000);
        climbed(B, 4, 132);

        assertThat(chain()).isEqualTo(new Chain(5, 1, List.of(B), A, 2));
    }

    @Test
    void shouldOpenNothingWhenEveryLogThatIsNeededIsDamaged()
    {
        whole();
        state.confirm(A, incarnations[A], 0, chain().version());
        suspect(A, B);
        state.confirm(A, incarnations[A], 0, chain().version());
        register(A);
        climbed(A, Chain.DAMAGED, 1000);
        climbed(B, 4, 132);

        assertThat(chain().members()).isEmpty();
        assertThat(chain().joiner()).isEqualTo(Chain.NONE);
    }

    @Test
    void shouldTakeTheJoinerInWhenTheLastMemberAdmitsIt()
    {
        open();
        assertThat(state.admit(A, incarnations[A], 0, chain().version(), B)).isTrue();

        assertThat(chain()).isEqualTo(new Chain(1, 2, List.of(A, B), Chain.NONE, 2));
    }

    @Test
    void shouldRefuseAnAdmissionThatWasUnderWayWhenTheJoinerLeftToBeginAnew()
    {
        open();
        final long version = chain().version();
        assertThat(state.leave(B, incarnations[B], 0, version - 1)).as("said before").isFalse();
        assertThat(state.leave(A, incarnations[A], 0, version)).as("the head").isFalse();
        assertThat(state.leave(B, incarnations[B], 0, version)).isTrue();
        assertThat(chain()).isEqualTo(new Chain(1, version + 1, List.of(A), Chain.NONE, 2));

        assertThat(state.leave(B, incarnations[B], 0, version)).as("said twice").isFalse();
        assertThat(state.admit(A, incarnations[A], 0, version, B)).isFalse();
        assertThat(state.climbed(B, incarnations[B], 0, version + 1, new ClimbedReport(0, 0))).isTrue();
        assertThat(state.admit(A, incarnations[A], 0, version, B)).isFalse();
        assertThat(chain()).isEqualTo(new Chain(1, version + 2, List.of(A), B, 2));
    }

    @Test
    void shouldStayAMemberWhenAdmittedBeforeItCouldLeave()
    {
        open();
        final long version = chain().version();
        state.admit(A, incarnations[A], 0, version, B);

        assertThat(state.leave(B, incarnations[B], 0, version)).isFalse();
        assertThat(chain().members()).containsExactly(A, B);
    }

    @Test
    void shouldNotAdmitWhenTheAdmissionIsNotOfTheLastMemberOrOfAnOlderChain()
    {
        open();
        final long version = chain().version();

        assertThat(state.admit(B, incarnations[B], 0, version, B)).isFalse();
        assertThat(state.admit(A, incarnations[A], 0, version - 1, B)).isFalse();
        assertThat(state.admit(A, incarnations[A], 0, version, C)).isFalse();
        assertThat(state.admit(A, incarnations[A], 0, version, Chain.NONE)).isFalse();
        assertThat(state.admit(A, incarnations[A] - 1, 0, version, B)).isFalse();
        assertThat(chain().joiner()).isEqualTo(B);
    }

    @Test
    void shouldPromoteTheSuccessorWhenItSuspectsTheHead()
    {
        whole();
        assertThat(suspect(B, A)).isTrue();

        assertThat(chain()).isEqualTo(new Chain(2, 3, List.of(B), Chain.NONE, 2));
        assertThat(state.failovers()).isEqualTo(1);
        assertThat(state.spuriousFailovers()).isZero();
    }

    @Test
    void shouldPromoteTheSuccessorWhenANewProcessOfTheHeadRegisters()
    {
        whole();
        register(A);

        assertThat(chain()).isEqualTo(new Chain(2, 3, List.of(B), Chain.NONE, 2));
        assertThat(state.failovers()).isEqualTo(1);
        climbed(A, 1, 64);
        assertThat(state.spuriousFailovers()).isZero();
    }

    @Test
    void shouldKeepTheEpochWhenTheHeadLosesItsSuccessor()
    {
        whole();
        assertThat(suspect(A, B)).isTrue();

        assertThat(chain()).isEqualTo(new Chain(1, 3, List.of(A), Chain.NONE, 2));
        assertThat(state.failovers()).isZero();
    }

    @Test
    void shouldIgnoreTheSlowerOfTwoWhenNeighboursSuspectEachOther()
    {
        whole();
        final long version = chain().version();
        suspect(A, B);

        assertThat(state.complaints().take(Complaint.answered(B, incarnations[B], 0, version, A))).isFalse();
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

        assertThat(chain()).isEqualTo(new Chain(1, 2, List.of(A), Chain.NONE, 2));
    }

    @Test
    void shouldIgnoreSuspicionsWhenTheyAreNotOfNeighbours()
    {
        final CoordinatorState three = threeInSync();

        assertThat(three.map().chains().get(0)).isEqualTo(new Chain(1, 3, List.of(A, B, C), Chain.NONE, 3));
        assertThat(three.complaints().take(Complaint.answered(C, 1, 0, 3, A))).isFalse();
        assertThat(three.complaints().take(Complaint.answered(A, 1, 0, 3, A))).isFalse();
        assertThat(three.complaints().take(Complaint.answered(3, 1, 0, 3, C))).isFalse();
        assertThat(three.complaints().take(Complaint.answered(B, 1, 0, 3, C))).isTrue();
    }

    @Test
    void shouldLetTheDeposedJoinWhenItHasClimbedAgain()
    {
        whole();
        suspect(B, A);
        assertThat(climbed(A, 1, 64)).isTrue();

        assertThat(chain()).isEqualTo(new Chain(2, 4, List.of(B), A, 2));
    }

    @Test
    void shouldCountASpuriousFailoverWhenTheDeposedProcessLives()
    {
        whole();
        suspect(B, A);
        climbed(A, 1, 64);
        climbed(A, 1, 64);

        assertThat(state.failovers()).isEqualTo(1);
        assertThat(state.spuriousFailovers()).isEqualTo(1);
    }

    @Test
    void shouldNotCountASpuriousFailoverWhenTheDeposedNodeComesAsANewProcess()
    {
        whole();
        suspect(B, A);
        register(A);
        climbed(A, 1, 64);

        assertThat(state.failovers()).isEqualTo(1);
        assertThat(state.spuriousFailovers()).isZero();
    }

    @Test
    void shouldCountOneFailoverWhenAProcessLosesSeveralPartitions()
    {
        final CoordinatorState two = new CoordinatorState(2, List.of(List.of(A, B), List.of(A, B)));
        two.register(A, 1);
        two.register(B, 1);
        for (int partition = 0; partition < 2; partition++)
        {
            two.climbed(A, 1, partition, 0, 0);
            two.climbed(B, 1, partition, 0, 0);
            two.admit(A, 1, partition, 1, B);
        }
        two.complaints().take(Complaint.answered(B, 1, 0, 2, A));
        two.complaints().take(Complaint.answered(B, 1, 1, 2, A));

        assertThat(two.failovers()).isEqualTo(1);
    }

    @Test
    void shouldNeedBothLogsWhenTheShortChainWasNotConfirmed()
    {
        whole();
        suspect(B, A);
        assertThat(state.required(0)).containsExactlyInAnyOrder(A, B);

        register(B);
        climbed(B, 1, 96);
        assertThat(chain().members()).isEmpty();

        climbed(A, 1, 64);
        assertThat(chain()).isEqualTo(new Chain(3, 5, List.of(B), A, 2));
    }

    @Test
    void shouldNeedOnlyTheNewHeadWhenItConfirmedTheShortChain()
    {
        whole();
        suspect(B, A);
        state.confirm(B, incarnations[B], 0, chain().version());
        register(B);

        climbed(A, 1, 1000);
        assertThat(chain().members()).isEmpty();
        climbed(B, 2, 64);
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
        state.confirm(B, incarnations[B], 0, version - 1);
        state.confirm(A, incarnations[A], 0, version);
        state.confirm(B, incarnations[B] - 1, 0, version);

        assertThat(state.required(0)).containsExactlyInAnyOrder(A, B);
    }

    @Test
    void shouldReopenWithTheLongestLogOnlyWhenBothHaveClimbedAfterACrashOfAll()
    {
        whole();
        state.confirm(A, incarnations[A], 0, chain().version());
        register(A);
        register(B);
        assertThat(chain().members()).isEmpty();

        assertThat(climbed(A, 1, 100)).isFalse();
        assertThat(climbed(B, 1, 132)).isTrue();
        assertThat(chain().members()).containsExactly(B);
        assertThat(chain().epoch()).isEqualTo(3);
    }

    @Test
    void shouldAskAJoinerForItsLogAnewWhenTheOnlyMemberDied()
    {
        open();
        state.confirm(A, incarnations[A], 0, chain().version());
        register(A);
        assertThat(chain()).isEqualTo(new Chain(1, 2, List.of(), Chain.NONE, 2));

        climbed(A, 1, 32);
        assertThat(chain()).isEqualTo(new Chain(2, 3, List.of(A), Chain.NONE, 2));
        climbed(B, 0, 0);
        assertThat(chain().joiner()).isEqualTo(B);
    }

    @Test
    void shouldIgnoreMessagesWhenTheyAreOfAnEarlierLifeOrOfNobody()
    {
        assertThat(state.climbed(A, 0, 0, 1, 1)).isFalse();
        register(A);
        register(B);
        final long version = state.map().version();

        assertThat(state.register(A, incarnations[A])).isFalse();
        assertThat(state.register(A, incarnations[A] - 1)).isFalse();
        assertThat(state.register(3, 1)).isFalse();
        assertThat(state.register(-1, 1)).isFalse();
        state.climbed(A, incarnations[A] - 1, 0, 9, 9);
        state.climbed(B, incarnations[B], 0, 1, 1);
        state.climbed(B, incarnations[B], 1, 1, 1);
        assertThat(chain().members()).isEmpty();
        assertThat(state.map().version()).isEqualTo(version);
    }

    @Test
    void shouldGiveANodeThatIsNoHomeNoPlace()
    {
        open();
        suspect(A, B);
        register(C);

        assertThat(climbed(C, 7, 7)).isFalse();
        assertThat(chain().joiner()).isEqualTo(Chain.NONE);
    }

    @Test
    void shouldGiveAFreePlaceToAWaitingNodeWhenAJoinerIsAdmittedOrDropped()
    {
        final CoordinatorState three = new CoordinatorState(3, List.of(List.of(A, B, C)));
        for (final int node : new int[]{A, B, C})
        {
            three.register(node, 1);
            three.climbed(node, 1, 0, 0, 0);
        }
        assertThat(three.map().chains().get(0).joiner()).isEqualTo(B);
        three.complaints().take(Complaint.answered(A, 1, 0, 1, B));

        assertThat(three.map().chains().get(0).joiner()).isEqualTo(C);
        three.climbed(B, 1, 0, 0, 0);
        three.admit(A, 1, 0, three.map().chains().get(0).version(), C);

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
        three.complaints().onAnswered(C, 1, NOW - Complaints.REACHED_MS);

        assertThat(three.complaints().take(unanswered(B, A))).isTrue();
        assertThat(three.map().chains().get(0)).isEqualTo(new Chain(2, 5, List.of(C), Chain.NONE, 3));
        assertThat(three.failovers()).isEqualTo(1);
    }

    @Test
    void shouldPromoteNobodyWhenTheMemberBehindIsNotReachedEither()
    {
        final CoordinatorState three = threeInSync();
        assertThat(three.complaints().take(unanswered(B, A))).isFalse();

        three.complaints().onAnswered(C, 1, NOW - Complaints.REACHED_MS - 1);
        assertThat(three.complaints().take(unanswered(B, A))).isFalse();

        three.complaints().onAnswered(C, 2, NOW);
        assertThat(three.complaints().take(unanswered(B, A))).isFalse();
    }

    @Test
    void shouldIgnoreWhoIsNotAnsweredWhenItDidNotStandByTheHead()
    {
        final CoordinatorState three = threeInSync();
        for (final int node : new int[]{A, B, C})
        {
            three.complaints().onAnswered(node, 1, NOW);
        }

        assertThat(three.complaints().take(unanswered(A, B))).isFalse();
        assertThat(three.complaints().take(unanswered(B, C))).isFalse();
        assertThat(three.complaints().take(unanswered(C, B))).isFalse();
    }

    @Test
    void shouldForgetThatANodeWasReachedWhenANewProcessRegisters()
    {
        final CoordinatorState three = new CoordinatorState(4, List.of(List.of(A, B, C)));
        three.register(C, 1);
        three.complaints().onAnswered(C, 1, NOW);
        assertThat(three.complaints().isReached(C, NOW)).isTrue();

        three.register(C, 2);
        assertThat(three.complaints().isReached(C, NOW)).isFalse();
    }

    private static Complaint unanswered(final int reporter, final int suspected)
    {
        return new Complaint(reporter, 1, 0, 3, suspected, false, NOW);
    }

    private static CoordinatorState threeInSync()
    {
        final CoordinatorState three = new CoordinatorState(4, List.of(List.of(A, B, C)));
        for (int node = 0; node < 4; node++)
        {
            three.register(node, 1);
            three.climbed(node, 1, 0, 0, 0);
        }
        three.admit(A, 1, 0, 1, B);
        three.admit(B, 1, 0, 2, C);

        return three;
    }

    @Test
    void shouldRefuseHomesWhenTheyAreNotDifferentNodes()
    {
        assertThatThrownBy(() -> new CoordinatorState(2, List.of(List.of(0, 2))))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("homes=[0, 2]");
        assertThatThrownBy(() -> new CoordinatorState(2, List.of(List.of(0, 0))))
            .isInstanceOf(IllegalArgumentException.class);
    }

    private void open()
    {
        register(A);
        register(B);
        climbed(A, 0, 0);
        climbed(B, 0, 0);
    }

    private void whole()
    {
        open();
        state.admit(A, incarnations[A], 0, chain().version(), B);
    }

    private void register(final int node)
    {
        incarnations[node] = ++lastIncarnation;
        assertThat(state.register(node, lastIncarnation)).isTrue();
    }

    private boolean climbed(final int node, final long epoch, final long position)
    {
        return state.climbed(node, incarnations[node], 0, epoch, position);
    }

    private boolean suspect(final int reporter, final int suspected)
    {
        return complain(reporter, suspected, true);
    }

    private boolean complain(final int reporter, final int suspected, final boolean isAnswered)
    {
        return state.complaints().take(new Complaint(
            reporter, incarnations[reporter], 0, chain().version(), suspected, isAnswered, NOW));
    }

    private Chain chain()
    {
        return state.map().chains().get(0);
    }
}
