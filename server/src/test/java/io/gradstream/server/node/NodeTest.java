// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.SlotRole;
import io.gradstream.recovery.chain.ChainTiming;
import io.gradstream.recovery.chain.PeerHeartbeat;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.replica.AttachAnswer;
import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.recovery.replica.Upstream;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.Outcome;
import io.gradstream.server.partition.PushPartHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.function.Consumer;

import static io.gradstream.server.node.NodeRig.HEAD;
import static io.gradstream.server.node.NodeRig.HEADS_INCARNATION;
import static io.gradstream.server.node.NodeRig.INCARNATION;
import static io.gradstream.server.node.NodeRig.NODE;
import static io.gradstream.server.node.NodeRig.OTHER;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a node makes of time that passes while it hears its neighbours, and when it answers as a head.
 */
class NodeTest
{
    private static final ChainTiming TIMING = ChainTiming.QUIET;
    private static final List<Integer> ALL = List.of(HEAD, NODE, OTHER);
    /** By the head's clock. */
    private static final long SENT = 77;
    private static final long SENT_LATER = 99;

    private final NodeRig rig = new NodeRig();
    private final Node node = rig.node;

    /**
     * The head answers until its lease is over that began with that heartbeat, though another process is its node. The
     * shorter pause is one that the node does not take for an absence of its own.
     */
    @ParameterizedTest
    @ValueSource(longs = {100_000_000, 5_000_000_000L})
    void shouldCountTheLeaseItGrantsFromWhenTheHeartbeatWasHereAfterAPause(final long pauseNs)
    {
        follow(List.of(HEAD, NODE));
        cycle((receiver) ->
        {
            rig.nowNs += pauseNs;
            heartbeat(receiver, SENT);
        });
        final long heardNs = rig.nowNs;
        assertThat(newestGrant()).isEqualTo(SENT);

        rig.map = map(2, HEADS_INCARNATION + 1, List.of(NODE));
        final HostedPartition copy = node.hosted(0);
        for (int i = 0; i < 10 && !copy.isPrimary(); i++)
        {
            cycle((receiver) -> {});
            rig.storage.recordAll();
        }

        assertThat(copy.isPrimary()).isTrue();
        assertThat(node.mayAnswer(copy, heardNs + TIMING.suspicionNs() - 1)).isFalse();
        assertThat(node.mayAnswer(copy, heardNs + TIMING.suspicionNs())).isTrue();
    }

    @Test
    void shouldGrantNothingForAHeartbeatAfterAPauseInWhichItsOwnLeaseHasRunOut()
    {
        final ChainLink link = new ChainLink(OTHER, 0, 5);
        follow(List.of(HEAD, NODE, OTHER));
        cycle((receiver) ->
        {
            receiver.onAttach(link, new EpochHistory(), 0);
            receiver.onProgress(link, 0, 0, 0, rig.nowNs);
            heartbeat(receiver, SENT);
        });
        assertThat(newestGrant()).isEqualTo(SENT);

        cycle((receiver) ->
        {
            rig.nowNs += TIMING.suspicionNs();
            heartbeat(receiver, SENT_LATER);
        });
        cycle((receiver) -> {});
        assertThat(newestGrant()).isEqualTo(SENT);

        cycle((receiver) -> receiver.onProgress(link, 0, 0, 0, rig.nowNs));
        assertThat(newestGrant()).isEqualTo(SENT_LATER);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldAnswerNobodyBeforeTheCoordinatorsKnowThatItGoesOnWithoutThoseWhoWereRemoved(final boolean isAlone)
    {
        final List<Integer> members = isAlone ? List.of(NODE) : List.of(NODE, OTHER);
        follow(isAlone ? List.of(HEAD, NODE) : List.of(HEAD, NODE, OTHER));
        rig.map = needing(2, members, List.of(HEAD));
        final HostedPartition copy = node.hosted(0);
        for (int i = 0; i < 10 && !copy.isPrimary(); i++)
        {
            cycle((receiver) -> {});
            rig.storage.recordAll();
        }
        takeLease(isAlone, copy);
        assertThat(node.mayAnswer(copy, rig.nowNs)).isFalse();
        assertThat(copy.isAnswering()).isFalse();

        rig.map = needing(3, members, List.of());
        takeLease(isAlone, copy);
        assertThat(node.mayAnswer(copy, rig.nowNs)).isTrue();
        assertThat(copy.isAnswering()).isTrue();
    }

    /** The end of an iteration is held until the other slot has ended it, and its process is not connected. */
    @Test
    void shouldNotStopAsHeadWhileItHoldsWhatNobodySendsAgain()
    {
        final List<Integer> members = List.of(NODE, OTHER);
        follow(List.of(HEAD, NODE, OTHER));
        tellSequential(new Chain(2, 2, members, Chain.NONE, 2));
        final HostedPartition copy = node.hosted(0);
        copy.partition().sumClocks(64 * 1024);
        for (int i = 0; i < 10 && !copy.isPrimary(); i++)
        {
            cycle((receiver) -> {});
            rig.storage.recordAll();
        }
        takeLease(false, copy);
        assertThat(copy.isAnswering()).isTrue();
        assertThat(copy.partition().onHello(0, 7, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        endIteration(copy, 0, 7);

        tellSequential(new Chain(2, 3, members, Chain.NONE, 2, OTHER));
        hearThatTheNextIsTold(copy);
        assertThat(copy.replica().isSealed()).isFalse();
        assertThat(copy.partition().onHello(1, 8, SlotRole.SOLE)).isEqualTo(Refusal.NONE);
        endIteration(copy, 1, 8);
        cycle((receiver) -> {});
        hearThatTheNextIsTold(copy);
        assertThat(copy.replica().isSealed()).as("the iteration is in the log").isTrue();
    }

    private void tellSequential(final Chain chain)
    {
        final ClusterMap told = NodeRig.map(chain.version(), 3, HEADS_INCARNATION, ALL, List.of(chain));
        rig.map = new ClusterMap(
            told.job().with(new Consistency(2, 0)), told.endpoints(), told.assignment(), told.chains());
    }

    private void endIteration(final HostedPartition copy, final int slot, final long incarnation)
    {
        final PushPartHeader part = new PushPartHeader();
        part.set(slot, incarnation, copy.partition().epoch(), 1, 0, 1);
        assertThat(copy.partition().onClockDone(part)).isEqualTo(Outcome.APPENDED);
    }

    private void hearThatTheNextIsTold(final HostedPartition copy)
    {
        final ChainLink link = new ChainLink(OTHER, 0, 5);
        cycle((receiver) ->
        {
            receiver.onProgress(link, copy.partition().cursor().position(), 0, 0, rig.nowNs);
            receiver.onHeartbeat(1, OTHER, new PeerHeartbeat(2, SENT, rig.nowNs, 0, 3));
        });
        cycle((receiver) -> {});
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTellTheCoordinatorsNothingOfItselfBeforeItKnowsAJobThatItMayNotBeFitFor(final boolean isFit)
    {
        rig.isFitForAnyJob = isFit;
        cycle((receiver) -> {});
        assertThat(rig.reports).isEqualTo(isFit ? 1 : 0);

        rig.map = map(1, HEADS_INCARNATION, List.of(HEAD, NODE));
        rig.nowNs += TIMING.suspicionNs();
        cycle((receiver) -> {});
        assertThat(rig.reports).isPositive();
    }

    /** Every copy has something to send in each cycle, and the stream that they share has room for one message. */
    @Test
    void shouldLetEveryCopySendWhenTheirStreamHasLittleRoom()
    {
        final Chain chain = new Chain(1, 1, List.of(HEAD, NODE), Chain.NONE, 2);
        rig.map = NodeRig.map(1, 3, HEADS_INCARNATION, ALL, List.of(chain, chain, chain));
        for (int i = 0; i < 20; i++)
        {
            rig.roomForAttaches = 1;
            rig.nowNs += Upstream.ATTACH_RETRY_NS;
            cycle((receiver) -> {});
        }

        assertThat(rig.attached).extracting(ChainLink::partition).contains(0, 1, 2);
    }

    private void takeLease(final boolean isAlone, final HostedPartition copy)
    {
        final ChainLink link = new ChainLink(OTHER, 0, 5);
        rig.nowNs += 1_000_000;
        if (!isAlone)
        {
            cycle((receiver) -> receiver.onAttach(link, new EpochHistory(), 0));
            cycle((receiver) -> receiver.onProgress(link, 0, 0, 0, rig.nowNs));
            cycle((receiver) -> receiver.onProgress(link, copy.partition().cursor().position(), 0, 0, rig.nowNs));
        }
        cycle((receiver) -> {});
    }

    /** Under one version of the chain. */
    private static ClusterMap needing(
        final long mapVersion, final List<Integer> members, final List<Integer> needed)
    {
        return NodeRig.map(mapVersion, 3, HEADS_INCARNATION, ALL,
            List.of(new Chain(2, 2, members, Chain.NONE, members.size(), Chain.NONE, List.of(), needed)));
    }

    private void cycle(final Consumer<NeighbourMessages> whatArrives)
    {
        rig.cycle(whatArrives);
    }

    private void follow(final List<Integer> members)
    {
        rig.map = map(1, HEADS_INCARNATION, members);
        for (int i = 0; i < 10; i++)
        {
            cycle((receiver) -> {});
        }
        cycle((receiver) -> receiver.onAttachAnswer(0, INCARNATION + 1, AttachAnswer.GO_ON, 0));
        assertThat(node.hosted(0).replica().upstream().attachment()).isEqualTo(INCARNATION + 1);
    }

    private static ClusterMap map(final long version, final long headsIncarnation, final List<Integer> members)
    {
        return NodeRig.map(version, 3, headsIncarnation, ALL,
            List.of(new Chain(version, version, members, Chain.NONE, members.size())));
    }

    private static void heartbeat(final NeighbourMessages receiver, final long sentNs)
    {
        receiver.onHeartbeat(1, HEAD, new PeerHeartbeat(HEADS_INCARNATION, sentNs, 0, 0, Long.MAX_VALUE));
    }

    private long newestGrant()
    {
        return rig.grants.get(rig.grants.size() - 1);
    }
}
