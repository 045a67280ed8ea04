// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.chain;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.replica.AttachAnswer;
import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.recovery.replica.FakePorts;
import io.gradstream.recovery.replica.FakeState;
import io.gradstream.recovery.replica.FakeStorage;
import io.gradstream.recovery.replica.Replica;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class ChainMonitorTest
{
    private static final ChainTiming TIMING = ChainTiming.QUIET;
    private static final long STEP_NS = TIMING.heartbeatNs();
    /** A map newer than any here. */
    private static final long TOLD = 9;

    private final FakePorts ports = new FakePorts();
    private final Replica replica = new Replica(1, 5, 0, new FakeStorage(), new FakeState(), ports);
    private final ChainMonitor node = new ChainMonitor(1, 5, 3, TIMING, List.of(replica), ports, ports::isAnswered);

    @Test
    void shouldGoOnSuspectingUntilTheChainChanges()
    {
        node.onMap(map(1, List.of(0, 1)), 0);
        node.onHeartbeat(0, new PeerHeartbeat(3, 1, 0, 0, TOLD), 0);

        run(0, TIMING.suspicionNs());
        assertThat(ports.count("suspect 1 0")).isEqualTo(1);
        run(TIMING.suspicionNs(), 3 * TIMING.suspicionNs());
        assertThat(suspected()).containsExactly(0);

        node.onMap(map(2, List.of(1)), 3 * TIMING.suspicionNs());
        assertThat(suspected()).isEmpty();
    }

    private List<Integer> suspected()
    {
        final List<Integer> suspected = new ArrayList<>();
        node.forEachSuspicion(0, (nodeId, isAnswered) -> suspected.add(nodeId));

        return suspected;
    }

    @Test
    void shouldTellASuccessorsSilenceAtOnceWhenItWasHeardBetween()
    {
        node.onMap(map(1, List.of(1, 0)), 0);
        final long againNs = TIMING.suspicionNs() + 2 * STEP_NS;
        node.onHeartbeat(0, new PeerHeartbeat(3, 1, 0, 0, TOLD), 0);
        run(0, TIMING.suspicionNs());
        node.onHeartbeat(0, new PeerHeartbeat(3, 2, 0, 0, TOLD), againNs);
        run(againNs, againNs + TIMING.suspicionNs());

        assertThat(ports.count("suspect 1 0")).isEqualTo(2);
    }

    @Test
    void shouldTakeTheLeadOverAtOnceFromAHeadThatHasStopped()
    {
        followAsTransferee();
        work(1);
        assertThat(node.claims(0)).isFalse();
        replica.upstream().onAttachAnswer(replica.upstream().attachment(), AttachAnswer.SEALED, 1);
        work(2);

        assertThat(node.claims(0)).isTrue();
        assertThat(node.takesOver(0)).isTrue();
    }

    @Test
    void shouldOnlyClaimTheLeadOfAHeadThatHasNotSaidThatItHasStopped()
    {
        followAsTransferee();
        work(TIMING.suspicionNs());

        assertThat(node.claims(0)).isTrue();
        assertThat(node.takesOver(0)).isFalse();
    }

    private void followAsTransferee()
    {
        for (int i = 0; i < 10; i++)
        {
            replica.doWork(0);
        }
        node.onMap(new ChainMap(
            1, List.of(3L, 5L, 2L), List.of(new Chain(1, 1, List.of(0, 1), Chain.NONE, 2, 1))), 0);
        replica.doWork(0);
        replica.doWork(0);
        replica.upstream().onAttachAnswer(6, AttachAnswer.GO_ON, 0);
        assertThat(replica.upstream().attachment()).isEqualTo(6);
    }

    @Test
    void shouldIgnoreAMapOfAnEarlierLife()
    {
        node.onMap(new ChainMap(9, List.of(3L, 4L, 2L), List.of(new Chain(1, 9, List.of(1), Chain.NONE, 2))), 0);

        assertThat(replica.chain().version()).isZero();
    }

    @Test
    void shouldSendHeartbeatsToItsWholeChain()
    {
        node.onMap(map(1, List.of(0, 2, 1)), 0);
        run(0, 2 * STEP_NS);

        assertThat(ports.count("heartbeat 0")).isEqualTo(3);
        assertThat(ports.count("heartbeat 2")).isEqualTo(3);
    }

    @Test
    void shouldSuspectAHeadThatDiedWithTheMemberBetweenAfterOneMoreSuspicionTime()
    {
        node.onMap(map(1, List.of(0, 2, 1)), 0);
        node.onHeartbeat(0, new PeerHeartbeat(3, 1, 0, 0, TOLD), 0);
        node.onHeartbeat(2, new PeerHeartbeat(2, 1, 0, 0, TOLD), 0);
        run(0, TIMING.suspicionNs());
        assertThat(ports.count("suspect 1 2")).isEqualTo(1);
        assertThat(ports.count("suspect 1 0")).isZero();

        node.onMap(map(2, List.of(0, 1)), TIMING.suspicionNs());
        run(TIMING.suspicionNs(), 2 * TIMING.suspicionNs());
        assertThat(ports.count("suspect 2 0")).isEqualTo(1);
    }

    @Test
    void shouldGiveANewPredecessorTheSuspicionTimeEvenIfItHasBeenSilentForLong()
    {
        node.onMap(map(1, List.of(0, 2, 1)), 0);
        node.onHeartbeat(0, new PeerHeartbeat(3, 1, 0, 0, TOLD), 0);
        final long learnedNs = TIMING.suspicionNs() - 1;
        node.onMap(map(2, List.of(0, 1)), learnedNs);

        work(learnedNs);
        work(learnedNs + TIMING.suspicionNs() / 2);
        work(learnedNs + TIMING.suspicionNs() - 1);
        assertThat(ports.count("suspect 2 0")).isZero();

        work(learnedNs + TIMING.suspicionNs());
        assertThat(ports.count("suspect 2 0")).isEqualTo(1);
    }

    @Test
    void shouldNotComplainOfOthersWhileTheCoordinatorDoesNotAnswer()
    {
        node.onMap(map(1, List.of(0, 1)), 0);
        node.onHeartbeat(0, new PeerHeartbeat(3, 1, 0, 0, TOLD), 0);
        ports.isUnanswered = true;
        run(0, 3 * TIMING.suspicionNs());
        assertThat(ports.count("suspect")).isZero();

        ports.isUnanswered = false;
        work(3 * TIMING.suspicionNs() + STEP_NS);
        assertThat(ports.last()).isEqualTo("suspect 1 0");
    }

    @Test
    void shouldTellThatItDoesNotStandByTheHeadAnyMoreWhenAnotherBehindItCanBePromoted()
    {
        node.onMap(map(1, List.of(0, 1, 2)), 0);
        node.onHeartbeat(0, new PeerHeartbeat(3, 1, 0, 0, TOLD), 0);
        ports.isUnanswered = true;
        final long dueNs = TIMING.suspicionNs() + TIMING.leaseNs();
        run(0, dueNs - 1, 2);
        assertThat(ports.count("suspect")).isZero();

        run(dueNs, dueNs, 2);
        assertThat(ports.count("suspect 1 0 unanswered")).isEqualTo(1);

        ports.isUnanswered = false;
        run(dueNs + STEP_NS, dueNs + STEP_NS, 2);
        assertThat(ports.last()).isEqualTo("suspect 1 0");
    }

    @Test
    void shouldLetThoseComplainFirstWhoMayHearEachOtherWhenItHearsNobody()
    {
        node.onMap(map(1, List.of(1, 0, 2)), 0);
        node.onHeartbeat(0, new PeerHeartbeat(3, 1, 0, 0, TOLD), 0);
        node.onHeartbeat(2, new PeerHeartbeat(2, 1, 0, 0, TOLD), 0);
        final long dueNs = TIMING.suspicionNs() + TIMING.leaseNs() + 2 * STEP_NS;
        run(0, dueNs - STEP_NS);
        assertThat(ports.count("suspect")).isZero();

        run(dueNs, dueNs);
        assertThat(ports.count("suspect 1 0")).isEqualTo(1);
    }

    @Test
    void shouldComplainOfASuccessorThatSpeaksAndDoesNotHear()
    {
        node.onMap(map(1, List.of(1, 0)), 0);
        runDeaf(0, TIMING.suspicionNs() - 3 * STEP_NS, 1);
        assertThat(ports.count("suspect")).isZero();

        runDeaf(TIMING.suspicionNs() - 2 * STEP_NS, TIMING.suspicionNs(), 1);
        assertThat(ports.count("suspect 1 0")).isEqualTo(1);
    }

    @Test
    void shouldComplainOfAPredecessorThatWasNotToldThatItIsTheHead()
    {
        node.onMap(map(1, List.of(2, 0, 1)), 0);
        runDeaf(0, TIMING.suspicionNs(), Long.MAX_VALUE);
        node.onMap(map(2, List.of(0, 1)), TIMING.suspicionNs());
        runWithMap(TIMING.suspicionNs(), 2 * TIMING.suspicionNs() - STEP_NS, 1);
        assertThat(ports.count("suspect 2")).isZero();

        runWithMap(2 * TIMING.suspicionNs(), 2 * TIMING.suspicionNs(), 1);
        assertThat(ports.count("suspect 2 0")).isEqualTo(1);
        node.onMap(map(3, List.of(2, 0, 1)), 2 * TIMING.suspicionNs());
        runWithMap(2 * TIMING.suspicionNs(), 4 * TIMING.suspicionNs(), 3);
        assertThat(ports.count("suspect 3 0")).isZero();
    }

    /** A head that has handed the lead over stays stopped until it hears that, and grants nobody a lease. */
    @Test
    void shouldComplainOfASuccessorThatWasNotToldThatItFollows()
    {
        final long turnedNs = TIMING.suspicionNs();
        node.onMap(map(1, List.of(0, 1)), 0);
        runWithMap(0, turnedNs, 1);
        node.onMap(map(2, List.of(1, 0)), turnedNs);
        runWithMap(turnedNs, turnedNs + TIMING.suspicionNs() - STEP_NS, 1);
        assertThat(ports.count("suspect")).isZero();

        runWithMap(turnedNs + TIMING.suspicionNs(), turnedNs + TIMING.suspicionNs(), 1);
        assertThat(ports.count("suspect 2 0")).isEqualTo(1);
    }

    @Test
    void shouldNotComplainOfASuccessorThatWasToldThatItFollows()
    {
        node.onMap(map(1, List.of(0, 1)), 0);
        node.onMap(map(2, List.of(1, 0)), 0);
        runWithMap(0, 3 * TIMING.suspicionNs(), 2);
        node.onMap(map(3, List.of(1, 0)), 3 * TIMING.suspicionNs());
        runWithMap(3 * TIMING.suspicionNs(), 6 * TIMING.suspicionNs(), 2);

        assertThat(ports.count("suspect")).as("it follows by an older map").isZero();
    }

    @Test
    void shouldNotComplainOfItsPredecessorWhenItOnlyJoins()
    {
        node.onMap(new ChainMap(1, List.of(3L, 5L, 2L), List.of(new Chain(1, 1, List.of(0, 2), 1, 3))), 0);
        node.onHeartbeat(2, new PeerHeartbeat(2, 1, 0, 0, TOLD), 0);
        run(0, 2 * TIMING.suspicionNs());

        assertThat(ports.count("suspect")).isZero();
    }

    @Test
    void shouldGiveAJoinerTimeWhenTheLinkToItDidNotWorkFromTheBeginning()
    {
        node.onMap(map(1, List.of(1, 0)), 0);
        node.onHeartbeat(0, new PeerHeartbeat(3, 1, 0, 0, TOLD), 0);
        run(0, TIMING.suspicionNs());
        assertThat(ports.count("suspect 1 0")).isEqualTo(1);

        final long joinedNs = TIMING.suspicionNs();
        final Chain joining = new Chain(1, 2, List.of(1), 0, 2);
        node.onMap(new ChainMap(2, List.of(3L, 5L, 2L), List.of(joining)), joinedNs);
        final long patienceNs = NeighbourWatch.CONNECT_PATIENCE * TIMING.suspicionNs();
        run(joinedNs, joinedNs + patienceNs - STEP_NS);
        assertThat(ports.count("suspect 2 0")).isZero();
        run(joinedNs + patienceNs, joinedNs + patienceNs);
        assertThat(ports.count("suspect 2 0")).isEqualTo(1);
    }

    @Test
    void shouldNotCountAgainstAJoinerThatNothingWasSaidWhileItWasOutOfTheChain()
    {
        final long joinedNs = TIMING.suspicionNs() / 2 + STEP_NS;
        node.onMap(map(1, List.of(1, 0)), 0);
        runDeaf(0, STEP_NS, Long.MAX_VALUE);
        node.onMap(map(2, List.of(1)), STEP_NS);
        run(2 * STEP_NS, joinedNs - STEP_NS);
        final Chain joining = new Chain(1, 3, List.of(1), 0, 2);
        node.onMap(new ChainMap(3, List.of(3L, 5L, 2L), List.of(joining)), joinedNs);
        final long patienceNs = NeighbourWatch.CONNECT_PATIENCE * TIMING.suspicionNs();
        run(joinedNs, joinedNs + patienceNs - STEP_NS);
        assertThat(ports.count("suspect")).isZero();

        run(joinedNs + patienceNs, joinedNs + patienceNs);
        assertThat(ports.count("suspect 3 0")).isEqualTo(1);
    }

    @Test
    void shouldComplainOfAJoinerThatHearsNothing()
    {
        final long patienceNs = NeighbourWatch.CONNECT_PATIENCE * TIMING.suspicionNs();
        node.onMap(new ChainMap(3, List.of(3L, 5L, 2L), List.of(new Chain(1, 3, List.of(1), 0, 2))), 0);
        runDeaf(0, patienceNs - STEP_NS, 1);
        assertThat(ports.count("suspect")).isZero();

        runDeaf(patienceNs, patienceNs + TIMING.suspicionNs(), 1);
        assertThat(ports.count("suspect 3 0")).isEqualTo(1);
    }

    @Test
    void shouldComplainOfAJoinerThatIsDeadThoughItIsAwayItselfNowAndThen()
    {
        final long patienceNs = NeighbourWatch.CONNECT_PATIENCE * TIMING.suspicionNs();
        node.onMap(new ChainMap(3, List.of(3L, 5L, 2L), List.of(new Chain(1, 3, List.of(1), 0, 2))), 0);
        runDeaf(0, STEP_NS, Long.MAX_VALUE);
        for (long nowNs = 2 * STEP_NS; nowNs < 5 * patienceNs; nowNs += TIMING.suspicionNs())
        {
            run(nowNs, nowNs + TIMING.suspicionNs() / 4);
        }

        assertThat(ports.count("suspect 3 0")).isEqualTo(1);
    }

    @Test
    void shouldGiveAJoinerTimeToComeBackToItself()
    {
        final long patienceNs = NeighbourWatch.CONNECT_PATIENCE * TIMING.suspicionNs();
        final Chain joining = new Chain(1, 3, List.of(1), 0, 2);
        node.onMap(new ChainMap(3, List.of(3L, 5L, 2L), List.of(joining)), 0);
        runDeaf(0, 2 * patienceNs, Long.MAX_VALUE);
        run(2 * patienceNs + STEP_NS, 3 * patienceNs - STEP_NS);
        assertThat(ports.count("suspect")).isZero();

        run(3 * patienceNs, 3 * patienceNs);
        assertThat(ports.count("suspect 3 0")).isEqualTo(1);
    }

    @Test
    void shouldComplainAtOnceOfAFormerNeighbourWhenTheLinkHasNotWorkedSinceItComplained()
    {
        final long failedNs = TIMING.suspicionNs();
        node.onMap(map(1, List.of(1, 0, 2)), 0);
        runDeaf(0, failedNs, 1);
        assertThat(ports.count("suspect 1 0")).isEqualTo(1);

        node.onMap(map(2, List.of(1, 2)), failedNs);
        runDeaf(failedNs, failedNs + STEP_NS, 1);
        node.onMap(map(3, List.of(1, 2, 0)), failedNs + STEP_NS);
        node.onMap(map(4, List.of(1, 0)), failedNs + STEP_NS);
        runDeaf(failedNs + STEP_NS, failedNs + 2 * STEP_NS, 1);
        assertThat(ports.count("suspect 4 0")).isEqualTo(1);
    }

    @Test
    void shouldGiveAFormerNeighbourTimeWhenTheLinkHasWorkedSinceItComplained()
    {
        final long failedNs = TIMING.suspicionNs();
        node.onMap(map(1, List.of(1, 0, 2)), 0);
        runDeaf(0, failedNs, 1);
        runDeaf(failedNs, failedNs + STEP_NS, Long.MAX_VALUE);
        node.onMap(map(2, List.of(1, 2)), failedNs + STEP_NS);
        run(failedNs + 2 * STEP_NS, 3 * failedNs, 2);
        node.onMap(map(3, List.of(1, 2, 0)), 3 * failedNs);
        node.onMap(map(4, List.of(1, 0)), 3 * failedNs);
        runDeaf(3 * failedNs, 4 * failedNs, failedNs);

        assertThat(ports.count("suspect 4")).isZero();
    }

    @Test
    void shouldNotComplainOfAJoinerThatStandsByItForWhatThatSaidBefore()
    {
        final long failedNs = 3 * STEP_NS + TIMING.suspicionNs();
        final long joinedNs = 3 * failedNs;
        node.onMap(map(1, List.of(1, 0)), 0);
        for (int i = 0; i < 20; i++)
        {
            replica.doWork(0);
        }
        assertThat(replica.isPrimary()).isTrue();
        runDeaf(STEP_NS, 2 * STEP_NS, Long.MAX_VALUE);
        run(3 * STEP_NS, failedNs);
        assertThat(ports.count("suspect 1 0")).isEqualTo(1);

        node.onMap(new ChainMap(2, List.of(3L, 5L, 2L), List.of(new Chain(1, 2, List.of(1), 0, 2))), failedNs);
        run(failedNs, joinedNs);
        node.onHeartbeat(0, new PeerHeartbeat(3, joinedNs, 2 * STEP_NS, joinedNs - 2 * STEP_NS, 2), joinedNs);
        work(joinedNs);
        final ChainLink link = new ChainLink(0, 0, 100);
        final EpochHistory history = new EpochHistory();
        history.add(1, 0);
        replica.downstream().onAttach(link, history, FakeState.STEP, joinedNs);
        replica.doWork(joinedNs);
        replica.downstream().onProgress(link, FakeState.STEP, FakeState.STEP, 0, joinedNs + 1, joinedNs + 2);
        replica.doWork(joinedNs + 2);
        assertThat(replica.downstream().isInSyncSet()).isTrue();
        work(joinedNs + 3);
        assertThat(ports.count("suspect 2 0")).isZero();

        run(joinedNs + STEP_NS, joinedNs + TIMING.leaseNs() + 2 * STEP_NS);
        assertThat(ports.count("suspect 2 0")).isEqualTo(1);
    }

    @Test
    void shouldSayInHeartbeatsWhatItHasHeard()
    {
        node.onMap(map(1, List.of(0, 1)), 0);
        work(0);
        node.onHeartbeat(0, new PeerHeartbeat(3, 77, 0, 0, TOLD), 1);
        work(STEP_NS);

        assertThat(ports.heard).containsExactly(0L, 77L);
    }

    private void work(final long nowNs)
    {
        node.doWork(nowNs);
        ports.report(node, replica.chain().version(), nowNs);
    }

    private static ChainMap map(final long version, final List<Integer> members)
    {
        return new ChainMap(version, List.of(3L, 5L, 2L), List.of(new Chain(1, version, members, Chain.NONE, 2)));
    }

    private void run(final long fromNs, final long toNs)
    {
        run(fromNs, toNs, Chain.NONE);
    }

    /** With heartbeats of a node that hears everything. */
    private void run(final long fromNs, final long toNs, final int from)
    {
        for (long nowNs = fromNs; nowNs <= toNs; nowNs += STEP_NS)
        {
            node.onHeartbeat(from, new PeerHeartbeat(2, nowNs + 1, nowNs, 0, Long.MAX_VALUE), nowNs);
            work(nowNs);
        }
    }

    /** With heartbeats of node 0, which hears the coordinators, and what was said before 1 only, or everything. */
    private void runDeaf(final long fromNs, final long toNs, final long heardNs)
    {
        final long told = replica.chain().version();
        for (long nowNs = fromNs; nowNs <= toNs; nowNs += STEP_NS)
        {
            final long quotedNs = Math.min(heardNs, nowNs);
            node.onHeartbeat(0, new PeerHeartbeat(3, nowNs + 1, quotedNs, nowNs - quotedNs, told), nowNs);
            node.onHeartbeat(2, new PeerHeartbeat(2, nowNs + 1, nowNs, 0, told), nowNs);
            work(nowNs);
        }
    }

    private void runWithMap(final long fromNs, final long toNs, final long mapVersion)
    {
        for (long nowNs = fromNs; nowNs <= toNs; nowNs += STEP_NS)
        {
            node.onHeartbeat(0, new PeerHeartbeat(3, nowNs + 1, nowNs, 0, mapVersion), nowNs);
            node.onHeartbeat(2, new PeerHeartbeat(2, nowNs + 1, nowNs, 0, mapVersion), nowNs);
            work(nowNs);
        }
    }
}
