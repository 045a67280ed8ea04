// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.List;
import java.util.Map;

import io.gradstream.coordinator.client.LogEnd;
import io.gradstream.codecs.Chain;
import io.gradstream.coordinator.client.ReplicaReport.Status;
import org.junit.jupiter.api.Test;

import static io.gradstream.coordinator.state.TestNodes.needing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * With which copy a partition without a head is opened, and when with none.
 */
class PartitionOpeningTest
{
    private static final int A = 0;
    private static final int B = 1;

    private final CoordinatorState state = TestNodes.fixed(List.of(List.of(A, B)));
    private final TestNodes nodes = new TestNodes(state);
    private final long[] incarnations = new long[2];
    private long lastIncarnation = 100;

    @Test
    void shouldOpenNothingWhenANodeHasNotShownItsLog()
    {
        register(A);
        register(B);
        assertThat(recovered(A, 0, 0)).isFalse();

        assertThat(chain()).isEqualTo(needing(new Chain(0, 0, List.of(), Chain.NONE, 2), A, B));
    }

    @Test
    void shouldOpenWithThePreferredHomeWhenLogsAreEqual()
    {
        register(A);
        register(B);
        recovered(B, 0, 0);
        assertThat(recovered(A, 0, 0)).isTrue();

        assertThat(chain()).isEqualTo(needing(new Chain(1, 1, List.of(A), B, 2), A, B));
    }

    @Test
    void shouldOpenWithTheLongerLogWhenEpochsAreEqual()
    {
        register(A);
        register(B);
        recovered(A, 4, 100);
        recovered(B, 4, 132);

        assertThat(chain()).isEqualTo(needing(new Chain(5, 1, List.of(B), A, 2), A, B));
    }

    @Test
    void shouldOpenWithTheLaterEpochWhenTheOtherLogIsLonger()
    {
        register(A);
        register(B);
        recovered(A, 4, 1000);
        recovered(B, 5, 132);

        assertThat(chain().members()).containsExactly(B);
        assertThat(chain().epoch()).isEqualTo(6);
    }

    @Test
    void shouldOpenWithTheSoundLogWhenTheOtherIsDamaged()
    {
        register(A);
        register(B);
        recovered(A, Chain.DAMAGED, 1000);
        recovered(B, 4, 132);

        assertThat(chain()).isEqualTo(needing(new Chain(5, 2, List.of(B), A, 2), A, B));
    }

    @Test
    void shouldOpenNothingWhenEveryLogThatIsNeededIsDamaged()
    {
        whole();
        nodes.says(A, incarnations[A], 0, chain().version(), Status.LEADS);
        nodes.suspects(A, incarnations[A], 0, chain().version(), B);
        nodes.says(A, incarnations[A], 0, chain().version(), Status.LEADS);
        register(A);
        recovered(A, Chain.DAMAGED, 1000);
        recovered(B, 4, 132);

        assertThat(chain().members()).isEmpty();
        assertThat(chain().joiner()).isEqualTo(Chain.NONE);
    }

    @Test
    void shouldOpenNothingWithACopyThatEndsBeforeTheLastEpochThatAHeadConfirmed()
    {
        whole();
        nodes.says(A, incarnations[A], 0, chain().version(), Status.LEADS);
        register(A);
        nodes.says(B, incarnations[B], 0, chain().version(), Status.LEADS);
        register(B);
        recovered(A, 1, 900);
        assertThat(chain().staleReplicas()).as("A was not needed when B led").isEmpty();
        final long version = chain().version();
        assertThat(recovered(B, 0, 0)).isTrue();
        assertThat(chain()).as("B's directory is empty")
            .isEqualTo(new Chain(2, version + 1, List.of(), Chain.NONE, 2, Chain.NONE, List.of(B), List.of(B)));
        assertThat(recovered(B, 0, 0)).as("said again").isFalse();

        register(B);
        assertThat(chain().staleReplicas()).isEmpty();
        assertThat(chain().version()).isEqualTo(version + 2);
        recovered(B, 2, 900);
        assertThat(chain().members()).containsExactly(B);
        assertThat(chain().epoch()).isEqualTo(3);
    }

    @Test
    void shouldLetAHeadGoOnAloneOnlyOnceItHasConfirmedThat()
    {
        whole();
        nodes.says(A, incarnations[A], 0, chain().version(), Status.LEADS);
        assertThat(chain().requiredReplicas()).isEmpty();
        nodes.suspects(A, incarnations[A], 0, chain().version(), B);
        final Chain alone = chain();
        assertThat(alone.members()).containsExactly(A);
        assertThat(alone.requiredReplicas()).containsExactly(A, B);
        assertThat(nodes.says(A, incarnations[A], 0, alone.version() - 1, Status.LEADS)).as("of before").isFalse();
        assertThat(nodes.says(B, incarnations[B], 0, alone.version(), Status.LEADS)).as("no head").isFalse();

        final long mapVersion = state.version();
        assertThat(nodes.says(A, incarnations[A], 0, alone.version(), Status.LEADS)).isTrue();
        assertThat(chain()).isEqualTo(new Chain(1, alone.version(), List.of(A), Chain.NONE, 2));
        assertThat(state.version()).isEqualTo(mapVersion + 1);
        assertThat(nodes.says(A, incarnations[A], 0, alone.version(), Status.LEADS)).as("said again").isFalse();
    }

    @Test
    void shouldOpenWithARemovedCopyWhenTheHeadCannotHaveAcknowledgedWithoutIt()
    {
        whole();
        nodes.says(A, incarnations[A], 0, chain().version(), Status.LEADS);
        nodes.suspects(A, incarnations[A], 0, chain().version(), B);
        register(A);
        recovered(A, Chain.DAMAGED, 0);
        recovered(B, 1, 500);

        assertThat(chain().members()).as("A had not confirmed that it goes on alone").containsExactly(B);
    }

    @Test
    void shouldOpenWithTheNewestOfAllCopiesWhenTheUserAcceptsTheLoss()
    {
        aloneAndLost();
        nodes.recovered(B, incarnations[B], 0, Long.MAX_VALUE, new LogEnd(1, 900, true));
        assertThat(chain().members()).as("A has not shown what it has").isEmpty();
        recovered(A, 0, 0);

        assertThat(chain().members()).as("A was the only one needed").containsExactly(B);
        assertThat(chain().epoch()).isEqualTo(2);
    }

    @Test
    void shouldNotForgetTheCopyThatWasOpenedWithALossWhenItDiesBeforeItHasConfirmed()
    {
        aloneAndLost();
        nodes.recovered(B, incarnations[B], 0, Long.MAX_VALUE, new LogEnd(1, 900, true));
        recovered(A, 0, 0);
        register(B);
        recovered(A, 2, 100);

        assertThat(chain().members()).as("A has only begun to be sent what B has").isEmpty();
        recovered(B, 2, 950);
        assertThat(chain().members()).containsExactly(B);
    }

    @Test
    void shouldLetNoHeadAnswerBeforeItsEpochIsConfirmedThoughItWasAlone()
    {
        whole();
        nodes.says(A, incarnations[A], 0, chain().version(), Status.LEADS);
        nodes.suspects(A, incarnations[A], 0, chain().version(), B);
        nodes.says(A, incarnations[A], 0, chain().version(), Status.LEADS);
        register(A);
        recovered(A, 1, 900);
        assertThat(chain().members()).containsExactly(A);
        assertThat(chain().requiredReplicas()).containsExactly(A);

        nodes.says(A, incarnations[A], 0, chain().version(), Status.LEADS);
        assertThat(chain().requiredReplicas()).isEmpty();
        register(A);
        recovered(A, 1, 900);
        assertThat(chain().members()).as("its log of before").isEmpty();
    }

    @Test
    void shouldOpenWithTheNewestOfAllCopiesThoughTheLossIsAcceptedAtAnEmptyOne()
    {
        aloneAndLost();
        nodes.recovered(A, incarnations[A], 0, Long.MAX_VALUE, new LogEnd(0, 0, true));
        assertThat(chain().members()).as("B has not shown what it has").isEmpty();
        assertThat(chain().staleReplicas()).containsExactly(A);
        recovered(B, 1, 900);

        assertThat(chain().members()).containsExactly(B);
    }

    @Test
    void shouldOpenNothingWithADamagedCopyThoughItsLossIsAccepted()
    {
        register(A);
        register(B);
        recovered(A, Chain.DAMAGED, 0);
        nodes.recovered(B, incarnations[B], 0, chain().version(), new LogEnd(Chain.DAMAGED, 900, true));

        assertThat(chain().members()).isEmpty();
        assertThat(chain().staleReplicas()).containsExactly(A, B);
    }

    @Test
    void shouldPreferACopyThatLacksNothingToOneWhoseLossIsAccepted()
    {
        aloneAndLost();
        nodes.recovered(B, incarnations[B], 0, Long.MAX_VALUE, new LogEnd(1, 900, true));
        recovered(A, 1, 500);

        assertThat(chain().members()).as("B was not needed when A led").containsExactly(A);
    }

    @Test
    void shouldTakeWhatASilentProcessHasShownForNothingWhenALossIsAccepted()
    {
        aloneAndLost();
        recovered(A, 0, 0);
        assertThat(chain().staleReplicas()).containsExactly(A);
        final long version = chain().version();
        assertThat(silence()).as("A has ended, maybe to have its disk mounted").isTrue();
        assertThat(chain().staleReplicas()).isEmpty();
        assertThat(chain().version()).isEqualTo(version + 1);

        nodes.recovered(B, incarnations[B], 0, Long.MAX_VALUE, new LogEnd(1, 900, true));
        assertThat(chain().members()).isEmpty();
        recovered(A, 1, 1000);
        assertThat(chain().members()).containsExactly(A);
    }

    @Test
    void shouldForgetALossThatASilentProcessAccepted()
    {
        aloneAndLost();
        nodes.recovered(A, incarnations[A], 0, Long.MAX_VALUE, new LogEnd(0, 0, true));
        silence();
        recovered(B, 1, 500);

        assertThat(chain().members()).isEmpty();
    }

    @Test
    void shouldKeepWhatLivingProcessesHaveShown()
    {
        aloneAndLost();
        nodes.recovered(A, incarnations[A], 0, Long.MAX_VALUE, new LogEnd(0, 0, true));
        nodes.nowMs += state.job().repairDelayMs();
        nodes.alive(A, incarnations[A], Map.of());
        nodes.nowMs++;
        state.onTime(nodes.nowMs);
        recovered(B, 1, 500);

        assertThat(chain().members()).containsExactly(B);
    }

    /** For longer than a node may be silent; true if that has changed the map. */
    private boolean silence()
    {
        nodes.nowMs += 1L + state.job().repairDelayMs();
        return state.onTime(nodes.nowMs);
    }

    /** B was removed, A has gone on alone, and what A had is lost. */
    private void aloneAndLost()
    {
        whole();
        nodes.says(A, incarnations[A], 0, chain().version(), Status.LEADS);
        nodes.suspects(A, incarnations[A], 0, chain().version(), B);
        nodes.says(A, incarnations[A], 0, chain().version(), Status.LEADS);
        register(A);
        register(B);
    }

    private void whole()
    {
        register(A);
        register(B);
        recovered(A, 0, 0);
        recovered(B, 0, 0);
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

    private Chain chain()
    {
        return state.map().chains().get(0);
    }
}
