// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.recovery.chain.ChainMonitor;
import io.gradstream.recovery.chain.ChainTiming;
import io.gradstream.recovery.chain.PeerHeartbeat;
import io.gradstream.recovery.log.EpochHistory;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ChainLeaseTest
{
    private static final ChainTiming TIMING = ChainTiming.QUIET;
    private static final long STEP_NS = TIMING.heartbeatNs();
    /** A map newer than any here. */
    private static final long TOLD = 9;
    private static final long INCARNATION = 1000;
    private static final long SENT = 77;
    private static final long SENT_LATER = 99;

    private final FakePorts ports = new FakePorts();
    private final Replica replica = replica(0);
    private final Replica other = replica(1);
    private final ChainMonitor node =
        new ChainMonitor(1, INCARNATION, 4, TIMING, List.of(replica, other), ports, ports::isAnswered);
    private long nowNs = 1_000_000_000;

    @Test
    void shouldGrantALeaseWhenItIsTheLastMember()
    {
        follow(chain(List.of(0, 1), Chain.NONE));
        node.onHeartbeat(0, new PeerHeartbeat(3, SENT, 0, 0, TOLD), nowNs);

        assertThat(grant()).isEqualTo(SENT);
    }

    @Test
    void shouldGrantNothingNewInTheMiddleOfAChainWithoutALeaseOfItsOwn()
    {
        follow(chain(List.of(0, 1, 2), Chain.NONE));
        node.onHeartbeat(0, new PeerHeartbeat(3, SENT, 0, 0, TOLD), nowNs);
        assertThat(grant()).isZero();

        successorGrants(nowNs);
        assertThat(grant()).isEqualTo(SENT);

        final long grantedNs = nowNs;
        while (nowNs - grantedNs < TIMING.leaseNs())
        {
            nowNs += STEP_NS;
            node.onHeartbeat(0, new PeerHeartbeat(3, SENT, 0, 0, TOLD), nowNs);
            work();
        }
        node.onHeartbeat(0, new PeerHeartbeat(3, SENT_LATER, 0, 0, TOLD), nowNs);
        assertThat(grant()).isEqualTo(SENT);

        successorGrants(nowNs);
        assertThat(grant()).isEqualTo(SENT_LATER);
    }

    @Test
    void shouldGrantWithoutALeaseWhenOnlyAJoinerFollowsThatIsNotInTheSet()
    {
        follow(chain(List.of(0, 1), 2));
        node.onHeartbeat(0, new PeerHeartbeat(3, SENT, 0, 0, TOLD), nowNs);

        assertThat(grant()).isEqualTo(SENT);
    }

    @Test
    void shouldGrantNothingNewWhenItHasAskedToBePromotedInThatPartition()
    {
        follow(chain(List.of(0, 1), Chain.NONE));
        node.onHeartbeat(0, new PeerHeartbeat(3, SENT, 0, 0, TOLD), nowNs);
        for (long i = 0; i * STEP_NS <= TIMING.suspicionNs(); i++)
        {
            nowNs += STEP_NS;
            work();
        }
        assertThat(ports.count("suspect 1 0")).isEqualTo(1);

        node.onHeartbeat(0, new PeerHeartbeat(3, SENT_LATER, 0, 0, TOLD), nowNs);
        assertThat(grant()).isEqualTo(SENT);

        onMap(2, chain(2, List.of(0, 1), Chain.NONE));
        assertThat(grant()).isEqualTo(SENT_LATER);
    }

    @Test
    void shouldStandBackForTheSuspicionTimeBeforeItAsksForThePlaceOfAHeadThatDoesNotHearIt()
    {
        follow(chain(List.of(0, 1), Chain.NONE));
        final long deafSinceNs = nowNs;
        long stoodNs = nowNs;
        long grantedNs = 0;
        while (0 == ports.count("suspect 1 0"))
        {
            nowNs += STEP_NS;
            node.onHeartbeat(0, new PeerHeartbeat(3, nowNs, deafSinceNs, nowNs - deafSinceNs, 1), nowNs);
            work();
            final long newestNs = ports.grants.get(ports.grants.size() - 1);
            stoodNs = newestNs > grantedNs ? nowNs : stoodNs;
            grantedNs = newestNs;
        }

        assertThat(stoodNs).isLessThan(deafSinceNs + TIMING.leaseNs());
        assertThat(nowNs).isEqualTo(stoodNs + TIMING.suspicionNs());
        node.onHeartbeat(0, new PeerHeartbeat(3, nowNs + 1, nowNs, 0, 1), nowNs);
        assertThat(grant()).isEqualTo(grantedNs);
    }

    /** As a joiner it grants whatever its head was told, and may be taken in before the head says that it knows. */
    @Test
    void shouldNotAskForThePlaceOfAHeadWithinTheLeaseThatItGrantedAsAJoiner()
    {
        follow(chain(List.of(0), 1));
        final long joinedNs = nowNs;
        while (nowNs - joinedNs < 2 * TIMING.suspicionNs())
        {
            hearHeadThatWasNotTold();
        }
        final long grantedNs = nowNs;
        assertThat(ports.grants.get(ports.grants.size() - 1)).isEqualTo(grantedNs);

        onMap(2, chain(2, List.of(0, 1), Chain.NONE));
        while (0 == ports.count("suspect 2 0"))
        {
            hearHeadThatWasNotTold();
        }
        assertThat(ports.grants.get(ports.grants.size() - 1)).isEqualTo(grantedNs);
        assertThat(nowNs).isEqualTo(grantedNs + TIMING.suspicionNs());
    }

    @Test
    void shouldHoldALeaseOnlyInThePartitionWhoseChainHasGranted()
    {
        final Chain headed = chain(List.of(1, 2), Chain.NONE);
        climb(replica);
        climb(other);
        node.onMap(new ChainMap(1, List.of(3L, INCARNATION, 2L, 2L), List.of(headed, headed)), nowNs);
        assertThat(node.holdsLease(replica, nowNs)).isFalse();

        climb(replica);
        climb(other);
        successorGrants(nowNs);
        assertThat(node.holdsLease(replica, nowNs)).isTrue();
        assertThat(node.holdsLease(replica, nowNs + TIMING.leaseNs() - 1)).isTrue();
        assertThat(node.holdsLease(replica, nowNs + TIMING.leaseNs())).isFalse();
        assertThat(node.holdsLease(other, nowNs)).isFalse();

        onMap(2, chain(2, List.of(1), 2));
        assertThat(node.holdsLease(replica, nowNs + TIMING.leaseNs())).isTrue();
        onMap(3, chain(3, List.of(1, 3), Chain.NONE));
        assertThat(node.holdsLease(replica, nowNs)).isFalse();
    }

    @Test
    void shouldRefuseTimesThatDoNotFitTheNumberOfCopies()
    {
        final ChainTiming tight = ChainTiming.ofMs(10, 100, 199);

        assertThat(tight.requireCopies(2)).isSameAs(tight);
        assertThat(ChainTiming.QUIET.requireCopies(ChainTiming.MAX_COPIES)).isSameAs(ChainTiming.QUIET);
        assertThat(ChainTiming.SHARED.requireCopies(ChainTiming.MAX_COPIES)).isSameAs(ChainTiming.SHARED);
        assertThatThrownBy(() -> tight.requireCopies(3)).hasMessageContaining("suspicion of at least 2 leases");
        assertThatThrownBy(() -> tight.requireCopies(0)).hasMessageContaining("copies=0");
        assertThatThrownBy(() -> ChainTiming.QUIET.requireCopies(ChainTiming.MAX_COPIES + 1))
            .hasMessageContaining("1..3");
    }

    @Test
    void shouldNotAnswerBeforeTheLeaseIsOverThatItGrantedAProcessWhichAnotherOneReplaced()
    {
        final long heardNs = followAndGrant();
        onMap(2, 3L + 1, chain(2, List.of(1), Chain.NONE));

        assertThat(node.holdsLease(replica, heardNs + TIMING.suspicionNs() - 1)).isFalse();
        assertThat(node.holdsLease(replica, heardNs + TIMING.suspicionNs())).isTrue();
    }

    @Test
    void shouldNotForgetAReplacedProcessWhenAnotherMapComesWithinTheLeaseThatItGrantedIt()
    {
        final long heardNs = followAndGrant();
        onMap(2, 3L + 1, chain(2, List.of(1), Chain.NONE));
        onMap(3, 3L + 1, chain(3, List.of(1), 0));

        assertThat(node.holdsLease(replica, heardNs + TIMING.suspicionNs() - 1)).isFalse();
        assertThat(node.holdsLease(replica, heardNs + TIMING.suspicionNs())).isTrue();
    }

    @Test
    void shouldAnswerAtOnceWhenTheHeadBeforeItWasRemovedAndNoOtherProcessIsItsNode()
    {
        final long heardNs = followAndGrant();
        onMap(2, 3L, chain(2, List.of(1), Chain.NONE));

        assertThat(node.holdsLease(replica, heardNs)).isTrue();
    }

    @Test
    void shouldStopAsHeadOnlyOnceItsSuccessorKnowsThatItIsToLead()
    {
        climb(replica);
        onMap(1, chain(1, List.of(1, 2), Chain.NONE));
        climb(replica);
        assertThat(replica.isPrimary()).isTrue();
        onMap(2, new Chain(1, 2, List.of(1, 2), Chain.NONE, 3, 2));
        successorGrants(nowNs);
        node.onHeartbeat(2, new PeerHeartbeat(2, SENT, nowNs, 0, 1), nowNs);
        work();
        assertThat(replica.isSealed()).as("by an older map").isFalse();

        node.onHeartbeat(2, new PeerHeartbeat(2, SENT_LATER, nowNs, 0, 2), nowNs);
        nowNs += TIMING.leaseNs();
        work();
        assertThat(replica.isSealed()).as("without a lease").isFalse();

        successorGrants(nowNs);
        ports.isUnanswered = true;
        work();
        assertThat(replica.isSealed()).as("the coordinators may be away").isFalse();

        ports.isUnanswered = false;
        work();
        assertThat(replica.isSealed()).isTrue();
        assertThat(replica.isPrimary()).isFalse();
    }

    private long followAndGrant()
    {
        follow(chain(List.of(0, 1), Chain.NONE));
        node.onHeartbeat(0, new PeerHeartbeat(3, SENT, 0, 0, TOLD), nowNs);
        final long heardNs = nowNs;
        assertThat(grant()).isEqualTo(SENT);

        return heardNs;
    }

    private void work()
    {
        node.doWork(nowNs);
        ports.report(node, replica.chain().version(), nowNs);
    }

    private Replica replica(final int partition)
    {
        return new Replica(1, INCARNATION, partition, new FakeStorage(), new FakeState(), ports);
    }

    private static Chain chain(final List<Integer> members, final int joiner)
    {
        return chain(1, members, joiner);
    }

    private static Chain chain(final long version, final List<Integer> members, final int joiner)
    {
        return new Chain(1, version, members, joiner, 3);
    }

    private void onMap(final long version, final Chain chain)
    {
        onMap(version, 3L, chain);
    }

    private void onMap(final long version, final long head, final Chain chain)
    {
        node.onMap(new ChainMap(version, List.of(head, INCARNATION, 2L, 2L), List.of(chain, other.chain())), nowNs);
    }

    private void climb(final Replica climbing)
    {
        for (int i = 0; i < 10; i++)
        {
            climbing.doWork(nowNs);
        }
    }

    private void follow(final Chain chain)
    {
        climb(replica);
        onMap(1, chain);
        climb(replica);
        replica.upstream().onAttachAnswer(INCARNATION + 1, AttachAnswer.GO_ON, 0);
        assertThat(replica.upstream().attachment()).isEqualTo(INCARNATION + 1);
    }

    /** The next member attaches, if it has not, and grants this one a lease. */
    private void successorGrants(final long grantNs)
    {
        final ChainLink link = new ChainLink(2, 0, 5);
        if (LinkState.DETACHED == replica.downstream().state())
        {
            replica.downstream().onAttach(link, new EpochHistory(), 0, nowNs);
            replica.doWork(nowNs);
        }
        replica.downstream().onProgress(link, 0, 0, 0, grantNs, nowNs);
    }

    private void hearHeadThatWasNotTold()
    {
        nowNs += STEP_NS;
        node.onHeartbeat(0, new PeerHeartbeat(3, nowNs, nowNs, 0, 0), nowNs);
        work();
    }

    /** What the predecessor is told now. */
    private long grant()
    {
        nowNs += STEP_NS;
        work();

        return ports.grants.get(ports.grants.size() - 1);
    }
}
