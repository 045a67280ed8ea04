// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.List;
import java.util.Map;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.coordinator.client.ReplicaReport.Status;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Leads are uneven and nothing else happens: heads hand leads over, one after the other, and stay in sync. */
class LeadBalanceTest
{
    private static final int A = 0;
    private static final int B = 1;
    private static final int C = 2;
    private static final int NONE = -1;
    private static final long SETTLED_MS = LeadBalance.KEPT_MS / LeadBalance.SETTLED_DIVISOR;
    private static final long LONG_MS = LeadBalance.KEPT_MS + 2 * SETTLED_MS;

    private TestCluster cluster = new TestCluster(List.of(List.of(A, B), List.of(A, B), List.of(A, B), List.of(A, B)));

    @Test
    void shouldHandOneLeadOverAfterTheOtherUntilTheyAreEven()
    {
        for (int i = 0; i < 2; i++)
        {
            awaitHandOver();
            assertThat(cluster.state.map().chains().stream().filter((chain) -> NONE != chain.transferee()))
                .hasSize(1);
            takeOver();
        }

        assertThat(cluster.leads()).containsExactly(2, 2);
        assertThat(cluster.pass(LONG_MS)).as("even").isFalse();
        assertThat(cluster.state.failovers()).as("nothing has failed").isZero();
    }

    @Test
    void shouldKeepTheOldHeadInSyncWhenItHasStopped()
    {
        final int partition = awaitHandOver();
        final Chain before = cluster.chain(partition);
        cluster.says(B, partition, Status.TAKES_OVER);

        final Chain now = cluster.chain(partition);
        assertThat(now.members()).containsExactly(B, A);
        assertThat(now.epoch()).isEqualTo(before.epoch() + 1);
        assertThat(now.joiner()).isEqualTo(NONE);
        assertThat(now.isDegraded()).isFalse();
        assertThat(now.requiredReplicas()).as("until the new head has confirmed").contains(A, B);
    }

    /** The old head does not hear that it follows now, and has stopped: nobody would serve. */
    @Test
    void shouldLetTheNewHeadGoOnAloneWhenItComplainsOfTheOldOne()
    {
        final int partition = awaitHandOver();
        cluster.says(B, partition, Status.TAKES_OVER);
        cluster.suspects(B, partition, A);
        assertThat(cluster.chain(partition).members()).containsExactly(B);
        assertThat(cluster.chain(partition).requiredReplicas()).as("until B has confirmed").contains(A, B);
        cluster.confirm(partition);
        assertThat(cluster.chain(partition).isConfirmed()).isTrue();
        assertThat(cluster.state.failovers()).as("the lead has not moved by that").isZero();

        cluster.recovered(A, partition);
        cluster.admit(partition);
        assertThat(cluster.chain(partition).members()).containsExactly(B, A);
    }

    @Test
    void shouldWaitUntilNothingHasChangedForAWhile()
    {
        cluster.pass(LeadBalance.KEPT_MS + 1_000, B);
        assertThat(cluster.handedOver()).as("B is silent").isEqualTo(NONE);
        cluster.pass(SETTLED_MS - 500);
        assertThat(cluster.handedOver()).as("B is heard not long enough").isEqualTo(NONE);
        cluster.tick();
        assertThat(cluster.handedOver()).isNotEqualTo(NONE);
    }

    @Test
    void shouldNotHandOverWhileAChainIsShort()
    {
        cluster.suspects(A, 3, B);
        cluster.confirm(3);
        cluster.pass(LONG_MS);
        assertThat(cluster.handedOver()).isEqualTo(NONE);
        cluster.recovered(B, 3);
        cluster.admit(3);
        cluster.confirm(3);
        awaitHandOver();
    }

    @Test
    void shouldLeaveALeadWhereItIsForAWhileAfterItHasMoved()
    {
        final int first = awaitHandOver();
        takeOver();
        awaitHandOver();
        takeOver();
        assertThat(cluster.leads()).containsExactly(2, 2);
        // B dies, and comes back without a lead
        cluster.start(B);
        for (int partition = 0; partition < 4; partition++)
        {
            cluster.recovered(B, partition);
            cluster.confirm(partition);
            cluster.admit(partition);
            cluster.confirm(partition);
        }
        assertThat(cluster.leads()).containsExactly(4, 0);
        cluster.pass(SETTLED_MS + 1_000);
        final int next = cluster.handedOver();
        assertThat(next).as("one that has stayed with A").isNotEqualTo(NONE).isNotEqualTo(first);
        cluster.says(B, next, Status.CLAIMS);
        assertThat(cluster.handedOver()).isEqualTo(NONE);
    }

    @Test
    void shouldGiveNoLeadToANodeThatAWorkerDoesNotReach()
    {
        for (int i = 0; i < 200; i++)
        {
            cluster.tick();
            cluster.reach(7, B, false);
            assertThat(cluster.handedOver()).isEqualTo(NONE);
        }
        cluster.reach(7, B, true);
        cluster.tick();
        assertThat(cluster.handedOver()).isNotEqualTo(NONE);
    }

    @Test
    void shouldGiveALeadToANodeThatAWorkerOfAnotherJobDoesNotReach()
    {
        cluster.state.createJob(0, "b", new JobSpec(1, 2, 2, 1, 1, JobSpec.MAX_REPAIR_DELAY_MS, RecoveryMode.CHAIN),
            cluster.nodes.nowMs);
        cluster.tick();
        List.of(A, B).forEach((node) -> cluster.recovered(node, 4));
        cluster.confirm(4);
        cluster.admit(4);
        for (long waitedMs = 0; waitedMs < LONG_MS && NONE == cluster.handedOver(); waitedMs += 500)
        {
            cluster.tick();
            cluster.state.leads().onReach(2, 7, 1, Map.of(B, false), cluster.nodes.nowMs);
        }

        assertThat(cluster.handedOver()).isBetween(0, 3);
    }

    @Test
    void shouldGiveNoLeadToADrainedNode()
    {
        cluster.start(C);
        cluster.state.nodes.get(B).isDraining = true;
        cluster.state.nodes.get(C).isDraining = true;
        cluster.pass(LONG_MS);
        assertThat(cluster.handedOver()).isEqualTo(NONE);
    }

    @Test
    void shouldKeepBothCopiesWhenTheHeadHasNotStopped()
    {
        final int partition = awaitHandOver();
        final Chain before = cluster.chain(partition);
        cluster.says(B, partition, Status.CLAIMS);

        final Chain now = cluster.chain(partition);
        assertThat(now.members()).isEqualTo(before.members());
        assertThat(now.epoch()).isEqualTo(before.epoch());
        assertThat(now.transferee()).isEqualTo(NONE);
    }

    @Test
    void shouldHearWorkersSoonThatMissAHeadWhichHasNotHandedOver()
    {
        final int partition = awaitHandOver();
        cluster.says(B, partition, Status.CLAIMS);
        cluster.misses(7, A, B);
        assertThat(cluster.chain(partition).transferee()).as("it has just served").isEqualTo(NONE);
        cluster.pass(LeadershipTransfers.RENAME_MS);
        cluster.misses(7, A, B);
        assertThat(cluster.chain(partition).transferee()).isEqualTo(B);
        cluster.pass(LeadershipTransfers.CLAIM_TIMEOUT_MS + LeadershipTransfers.RENAME_MS);
        cluster.misses(7, A, B);
        assertThat(cluster.chain(partition).transferee()).as("B has not led for workers either").isEqualTo(NONE);
    }

    @Test
    void shouldHearWorkersSoonAfterATransfereeHasNotClaimedInTime()
    {
        final int partition = awaitHandOver();
        cluster.pass(LeadershipTransfers.CLAIM_TIMEOUT_MS + LeadershipTransfers.RENAME_MS);
        cluster.misses(7, A, B);
        assertThat(cluster.chain(partition).transferee()).isEqualTo(B);
    }

    @Test
    void shouldAskAnotherHeadWhenOneDoesNotHandOver()
    {
        final int partition = awaitHandOver();
        cluster.pass(LeadershipTransfers.CLAIM_TIMEOUT_MS);
        assertThat(cluster.handedOver()).as("the head goes on").isEqualTo(NONE);
        cluster.pass(SETTLED_MS + 1_000);
        assertThat(cluster.handedOver()).isNotEqualTo(NONE).isNotEqualTo(partition);
    }

    @Test
    void shouldIgnoreATakeOverOfAnEarlierVersion()
    {
        final int partition = awaitHandOver();
        final long version = cluster.chain(partition).version();
        cluster.pass(LeadershipTransfers.CLAIM_TIMEOUT_MS);
        final Chain before = cluster.chain(partition);
        cluster.nodes.says(B, 12, partition, version, Status.TAKES_OVER);
        assertThat(cluster.chain(partition)).isEqualTo(before);
    }

    @Test
    void shouldNotDismissAHandOverBecauseWorkersReachTheHead()
    {
        final int partition = awaitHandOver();
        cluster.reach(7, A, true);
        assertThat(cluster.handedOver()).isEqualTo(partition);
    }

    @Test
    void shouldLeaveTheLeadsOfChainsOfThreeWhereTheyAre()
    {
        cluster = new TestCluster(List.of(List.of(A, B, C), List.of(A, B, C), List.of(B, A, C), List.of(B, A, C)));
        assertThat(cluster.pass(LONG_MS)).isFalse();
        assertThat(cluster.leads()).containsExactly(2, 2, 0);
    }

    @Test
    void shouldHandNothingOverInAJobThatKeepsNoLog()
    {
        cluster = new TestCluster(List.of(List.of(A), List.of(A), List.of(A)));
        cluster.state.jobs.first().spec =
            new JobSpec(3, 1, 1, 1, 1, JobSpec.MAX_REPAIR_DELAY_MS, RecoveryMode.CHECKPOINT);
        cluster.start(B);
        assertThat(cluster.pass(LONG_MS)).isFalse();
    }

    @Test
    void shouldGiveNodesTheirWholeTimeUnderANewLeader()
    {
        cluster.pass(LeadBalance.KEPT_MS - 500);
        cluster.state.onNewLeader(cluster.nodes.nowMs);
        cluster.pass(SETTLED_MS - 500);
        assertThat(cluster.handedOver()).isEqualTo(NONE);
        cluster.pass(1_000);
        assertThat(cluster.handedOver()).isNotEqualTo(NONE);
    }

    /** Returns the partition whose head is asked to hand the lead over. */
    private int awaitHandOver()
    {
        for (long waitedMs = 0; waitedMs < LONG_MS && NONE == cluster.handedOver(); waitedMs += 500)
        {
            cluster.tick();
        }
        assertThat(cluster.handedOver()).isNotEqualTo(NONE);

        return cluster.handedOver();
    }

    /** The transferee takes the lead over, and the new head confirms. */
    private void takeOver()
    {
        final int partition = cluster.handedOver();
        if (NONE != partition)
        {
            cluster.says(cluster.chain(partition).transferee(), partition, Status.TAKES_OVER);
            cluster.confirm(partition);
        }
    }
}
