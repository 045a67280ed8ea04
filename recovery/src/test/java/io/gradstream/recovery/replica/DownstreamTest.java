// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.codecs.Chain;
import io.gradstream.recovery.log.EpochHistory;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class DownstreamTest
{
    private static final ChainLink FIRST = new ChainLink(1, 0, 100);
    private static final long LEASE_NS = 100;
    private static final ChainLink OTHER = new ChainLink(2, 0, 900);
    private static final Chain NO_CHAIN = chain(0, List.of(), Chain.NONE);

    private final FakeState state = new FakeState();
    private final FakePorts ports = new FakePorts();
    private final FakeStorage storage = new FakeStorage();
    private final Downstream downstream = new Downstream(0, 0, ports, storage, state);

    @BeforeEach
    void fill()
    {
        downstream.isOpen(true);
        downstream.onChain(NO_CHAIN, chain(1, List.of(0, FIRST.nodeId()), Chain.NONE));
        state.epochs.add(1, 0);
        for (int i = 0; i < 10; i++)
        {
            storage.records.add(state.append(1));
        }
    }

    @Test
    void shouldNotTakeWhereFollowerEndsForWhatItsChainHasWhenItAttaches()
    {
        attach(FIRST, 10);
        assertThat(downstream.atMostApplied(Long.MAX_VALUE)).isZero();

        downstream.onProgress(FIRST, 8L * FakeState.STEP, 0, 0, 0, 1);
        assertThat(downstream.atMostApplied(Long.MAX_VALUE)).isEqualTo(8L * FakeState.STEP);
    }

    @Test
    void shouldSendEachRecordOnceAndInOrderWhenFollowerCatchesUp()
    {
        attach(FIRST, 4);
        work(5);

        assertThat(ports.forwarded).hasSize(6).isSorted().doesNotHaveDuplicates();
        assertThat(downstream.state()).isEqualTo(LinkState.LIVE);
        assertThat(storage.openReplays).isZero();
    }

    @Test
    void shouldAskForASnapshotOnceWhenEverythingBeforeIsSent()
    {
        downstream.askForSnapshot();
        attach(FIRST, 4);
        work(5);
        assertThat(ports.count("answer SNAPSHOT_WANTED")).isZero();

        ports.isBlocked = true;
        downstream.askForSnapshot();
        work(1);
        ports.isBlocked = false;
        work(3);
        assertThat(ports.count("answer SNAPSHOT_WANTED " + 10 * FakeState.STEP)).isEqualTo(1);
    }

    @Test
    void shouldSayThatTheHeadHasStoppedOnceTheFollowerHasEverything()
    {
        attach(FIRST, 10);
        downstream.seal(1);
        work(5);
        assertThat(ports.count("answer SEALED")).as("it has not said that it has everything").isZero();

        downstream.onProgress(FIRST, 9L * FakeState.STEP, 0, 0, 0, 1);
        work(5);
        assertThat(ports.count("answer SEALED")).isZero();

        downstream.onProgress(FIRST, 10L * FakeState.STEP, 0, 0, 0, 1);
        ports.isBlocked = true;
        work(5);
        ports.isBlocked = false;
        work(5);
        assertThat(ports.count("answer SEALED 1")).isEqualTo(1);
        downstream.doWork(4 + SealNotice.RETRY_NS);
        assertThat(ports.count("answer SEALED 1")).as("it may have been lost").isEqualTo(2);

        downstream.onChain(chain(1, List.of(0, 1), Chain.NONE), chain(2, List.of(0, 1), Chain.NONE));
        downstream.doWork(4 * SealNotice.RETRY_NS);
        assertThat(ports.count("answer SEALED")).as("under another chain").isEqualTo(2);
    }

    @Test
    void shouldGoOnReadingWhenAReplayBrokeOffOnce()
    {
        storage.failingReplays = ReadAttempts.MAX - 1;
        attach(FIRST, 4);
        work(10);

        assertThat(ports.count("answer WIPE")).isZero();
        assertThat(ports.forwarded).hasSize(6);
        assertThat(storage.openReplays).isZero();
    }

    @Test
    void shouldLeaveAFollowerWhatItHasWhenItMayBeInSyncAtAnyMoment()
    {
        keepOnlyBehind(8);
        final Chain joining = chain(2, List.of(0), FIRST.nodeId());
        downstream.onChain(NO_CHAIN, joining);
        downstream.onAdmissionAsked();
        for (int round = 1; round < ReadAttempts.MAX; round++)
        {
            attach(FIRST, 4);
            work(10);
            assertThat(ports.count("answer LEAVE")).as("round %d", round).isZero();
            downstream.onProgress(FIRST, 4L * FakeState.STEP, 0, 0, 0, 1);
            work(1);
            assertThat(ports.last()).as("it attaches again").startsWith("answer ATTACH_AGAIN");
        }
        attach(FIRST, 4);
        work(10);
        assertThat(ports.count("answer LEAVE " + 4L * FakeState.STEP)).isEqualTo(1);

        downstream.onChain(joining, chain(3, List.of(0, FIRST.nodeId()), Chain.NONE));
        attach(FIRST, 4);
        work(10);
        assertThat(ports.count("answer LEAVE " + 4L * FakeState.STEP)).isEqualTo(2);
        assertThat(ports.count("answer WIPE")).as("it is in sync, and may not have heard it").isZero();
        assertThat(downstream.isInSyncSet()).isTrue();
    }

    @Test
    void shouldLetAJoinerKeepWhatItHasUntilASnapshotHoldsWhatCannotBeRead()
    {
        downstream.onChain(NO_CHAIN, chain(2, List.of(0), FIRST.nodeId()));
        storage.startPosition = 8L * FakeState.STEP;
        storage.snapshotCount = 1;
        state.snapshotPosition = 4L * FakeState.STEP;
        attach(FIRST, 4);
        work(10);
        assertThat(ports.count("answer WIPE")).isZero();
        assertThat(downstream.state()).as("one is wanted").isEqualTo(LinkState.AWAIT_SNAPSHOT);
        assertThat(downstream.lacksSnapshot()).isTrue();

        state.snapshotPosition = 10L * FakeState.STEP;
        storage.snapshotCount = 0;
        assertThat(downstream.lacksSnapshot()).as("none is kept").isTrue();
        state.cursor.set(4L * FakeState.STEP, 4, 1, 0);
        assertThat(downstream.lacksSnapshot()).as("of what was cut off").isFalse();
        state.cursor.set(10L * FakeState.STEP, 10, 1, 0);
        storage.snapshotCount = 1;
        assertThat(downstream.lacksSnapshot()).isFalse();
        downstream.onSnapshotTaken();
        downstream.onProgress(FIRST, 4L * FakeState.STEP, 0, 0, 0, 1);
        work(1);
        assertThat(ports.last()).startsWith("answer ATTACH_AGAIN");
        attach(FIRST, 4);
        work(10);
        assertThat(ports.count("answer WIPE " + 4L * FakeState.STEP)).isEqualTo(1);
    }

    @Test
    void shouldHaveTheNextFollowerAttachAgainAsOftenAsTheOneBefore()
    {
        final Chain joining = chain(2, List.of(0), FIRST.nodeId());
        downstream.onChain(NO_CHAIN, joining);
        keepOnlyBehind(8);
        final Chain before = chain(3, List.of(0, FIRST.nodeId()), Chain.NONE);
        downstream.onChain(joining, before);
        for (int round = 0; round < ReadAttempts.MAX; round++)
        {
            attach(FIRST, 4);
            work(10);
        }
        assertThat(ports.count("answer LEAVE")).isEqualTo(1);

        final ChainLink next = new ChainLink(FIRST.nodeId() + 1, 0, 1);
        downstream.onChain(before, chain(4, List.of(0, next.nodeId()), Chain.NONE));
        attach(next, 4);
        work(10);
        assertThat(ports.count("answer LEAVE")).isEqualTo(1);
    }

    @Test
    void shouldWaitForNoJoinerAnyMoreThatCannotGoOn()
    {
        downstream.onChain(NO_CHAIN, chain(2, List.of(0), FIRST.nodeId()));
        attach(FIRST, 10);
        downstream.onProgress(FIRST, 10L * FakeState.STEP, 0, 0, 1, 1);
        work(3);
        assertThat(downstream.isInSyncSet()).isTrue();

        keepOnlyBehind(8);
        attach(FIRST, 4);
        work(10);

        assertThat(ports.count("answer WIPE")).isEqualTo(1);
        assertThat(downstream.isInSyncSet()).isFalse();
    }

    @Test
    void shouldHaveAJoinerBeginAnewWhoseAdmissionCountsNoMore()
    {
        keepOnlyBehind(8);
        final Chain joining = chain(2, List.of(0), FIRST.nodeId());
        downstream.onChain(NO_CHAIN, joining);
        downstream.onAdmissionAsked();

        downstream.onChain(joining, chain(3, List.of(0), FIRST.nodeId()));
        attach(FIRST, 4);
        work(10);
        assertThat(ports.count("answer WIPE")).isEqualTo(1);
    }

    @Test
    void shouldTellAJoinerToBeginAnewWhenTheLogNoLongerHoldsWhatItLacks()
    {
        downstream.onChain(NO_CHAIN, chain(2, List.of(0), FIRST.nodeId()));
        keepOnlyBehind(8);
        attach(FIRST, 4);
        work(10);

        assertThat(ports.count("answer WIPE")).isEqualTo(1);
        assertThat(downstream.state()).isEqualTo(LinkState.AWAIT_SNAPSHOT);
        downstream.onSnapshotTaken();
        assertThat(downstream.state()).isEqualTo(LinkState.DETACHED);
    }

    @Test
    void shouldNotHandOnWhatItsOwnLogGivesBackBroken()
    {
        downstream.onChain(NO_CHAIN, chain(2, List.of(0), FIRST.nodeId()));
        final UnsafeBuffer record = storage.records.get(7);
        record.putByte(FakeState.LENGTH - 1, (byte)(record.getByte(FakeState.LENGTH - 1) ^ 1));
        storage.snapshotCount = 1;
        state.snapshotPosition = 8L * FakeState.STEP;
        attach(FIRST, 4);
        work(10);

        assertThat(ports.forwarded).contains(7L * FakeState.STEP).doesNotContain(8L * FakeState.STEP);
        assertThat(ports.count("answer WIPE")).isEqualTo(1);
        assertThat(storage.openReplays).isZero();
    }

    @Test
    void shouldSendAgainFromTheFollowersEndWhenNothingIsReportedForTooLong()
    {
        attach(FIRST, 10);
        work(2);
        append();
        downstream.doWork(Downstream.STALL_NS + 1);
        downstream.doWork(Downstream.STALL_NS + 2);

        assertThat(ports.forwarded).containsExactly(11L * FakeState.STEP, 11L * FakeState.STEP);
    }

    @Test
    void shouldHoldTheLeaseFromWhenTheHeartbeatWasSentNotFromWhenTheGrantCame()
    {
        attach(FIRST, 10);
        assertThat(downstream.hasLease(LEASE_NS, 1)).isFalse();

        downstream.onProgress(FIRST, 0, 0, 0, 10, 90);
        downstream.onProgress(FIRST, 0, 0, 0, 7, 95);
        assertThat(downstream.hasLease(LEASE_NS, 10 + LEASE_NS - 1)).isTrue();
        assertThat(downstream.hasLease(LEASE_NS, 10 + LEASE_NS)).isFalse();
    }

    @Test
    void shouldNotHoldALeaseWhenTheGrantIsOfAnEarlierLife()
    {
        downstream.onAttach(FIRST, new EpochHistory(), 0, 50);

        downstream.onProgress(FIRST, 0, 0, 0, 3_600_000_000_000L, 60);
        assertThat(downstream.hasLease(LEASE_NS, 60)).isFalse();

        downstream.onProgress(FIRST, 0, 0, 0, 49, 60);
        assertThat(downstream.hasLease(LEASE_NS, 60)).isFalse();
    }

    @Test
    void shouldForgetTheLeaseWhenTheFollowerAttachesAgain()
    {
        attach(FIRST, 10);
        downstream.onProgress(FIRST, 0, 0, 0, 10, 20);
        attach(new ChainLink(1, 0, 101), 10);
        assertThat(downstream.hasLease(LEASE_NS, 20)).isFalse();

        work(1);
        downstream.onProgress(FIRST, 0, 0, 0, 25, 30);
        assertThat(downstream.hasLease(LEASE_NS, 30)).isFalse();
    }

    @Test
    void shouldForgetHowFarTheFollowersChainHasComeWhenItAttachesAgain()
    {
        attach(FIRST, 10);
        downstream.onProgress(FIRST, 8L * FakeState.STEP, 7L * FakeState.STEP, 6L * FakeState.STEP, 0, 1);
        assertThat(downstream.atMostApplied(Long.MAX_VALUE)).isEqualTo(8L * FakeState.STEP);
        assertThat(downstream.atMostRecorded(Long.MAX_VALUE)).isEqualTo(7L * FakeState.STEP);
        assertThat(downstream.atMostSnapshotted(Long.MAX_VALUE)).isEqualTo(6L * FakeState.STEP);

        attach(new ChainLink(1, 0, 101), 4);
        assertThat(downstream.atMostApplied(Long.MAX_VALUE)).isZero();
        assertThat(downstream.atMostRecorded(Long.MAX_VALUE)).isZero();
        assertThat(downstream.atMostSnapshotted(Long.MAX_VALUE)).isZero();
    }

    /** In a chain between the two it may have lost its place, and nothing was to wait for it then. */
    @Test
    void shouldTakeAJoinerForANewOneWhenAChainBetweenWasMissed()
    {
        final Chain joining = chain(2, List.of(0), FIRST.nodeId());
        downstream.onChain(NO_CHAIN, joining);
        attach(FIRST, 10);
        downstream.onProgress(FIRST, 10L * FakeState.STEP, 10L * FakeState.STEP, 0, 1, 1);
        work(2);
        assertThat(downstream.mayBeAdmitted()).isTrue();

        final Chain next = chain(3, List.of(0), FIRST.nodeId());
        downstream.onChain(joining, next);
        assertThat(downstream.isInSyncSet()).isTrue();
        assertThat(downstream.mayBeAdmitted()).isTrue();

        downstream.onChain(next, chain(5, List.of(0), FIRST.nodeId()));
        assertThat(downstream.isInSyncSet()).isFalse();
        assertThat(downstream.state()).isEqualTo(LinkState.DETACHED);
    }

    @Test
    void shouldAskToAttachAgainWhenAnotherNodesAttemptWasLater()
    {
        final Chain before = chain(2, List.of(0, OTHER.nodeId()), Chain.NONE);
        downstream.onChain(NO_CHAIN, before);
        attach(OTHER, 10);
        work(2);

        downstream.onChain(before, chain(3, List.of(0, FIRST.nodeId()), Chain.NONE));
        downstream.onProgress(FIRST, 1, 1, 0, 0, 5);
        work(2);

        assertThat(ports.count("answer ATTACH_AGAIN")).isEqualTo(1);
    }

    @Test
    void shouldSendTheSnapshotBeforeWhenTheFollowerAsksForIt()
    {
        storage.snapshotCount = 2;
        downstream.onAttach(FIRST, new EpochHistory(), Upstream.WANTS_SNAPSHOT - 1, 0);
        work(3);

        assertThat(storage.openedSnapshotAge).isEqualTo(1);
        assertThat(ports.count("frame")).isEqualTo(1);
        assertThat(storage.openReplays).isZero();
    }

    @Test
    void shouldReadWhatItsQueueCannotHoldFromItsLog()
    {
        ports.queueLength = 1024;
        ports.isBlocked = true;
        attach(FIRST, 4);
        for (int i = 0; i < 12; i++)
        {
            append();
        }
        assertThat(downstream.state()).isEqualTo(LinkState.CATCH_UP_OVERFLOWED);

        ports.isBlocked = false;
        work(5);
        assertThat(ports.forwarded).hasSize(6 + 12).isSorted().doesNotHaveDuplicates();
        assertThat(downstream.state()).isEqualTo(LinkState.LIVE);
    }

    @Test
    void shouldReadItsLogAgainWhenTheFollowerTakesNothingForTooLong()
    {
        ports.queueLength = 1024;
        attach(FIRST, 10);
        work(1);
        ports.isBlocked = true;
        for (int i = 0; i < 7; i++)
        {
            append();
        }
        downstream.doWork(0);
        assertThat(downstream.state()).isEqualTo(LinkState.BLOCKED);
        assertThat(downstream.hasRoom()).isFalse();

        downstream.doWork(Downstream.BLOCK_LIMIT_NS + 1);
        assertThat(downstream.state()).isEqualTo(LinkState.CATCH_UP);
        assertThat(downstream.hasRoom()).isTrue();
        ports.isBlocked = false;
        work(5);
        assertThat(ports.forwarded).hasSize(7).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void shouldHoldTheHeadBackWhenAJoinerReadsAgainAndFallsFurtherBehind()
    {
        ports.queueLength = 1024;
        downstream.onChain(NO_CHAIN, chain(2, List.of(0), FIRST.nodeId()));
        attach(FIRST, 4);
        appendMoreThanAJoinerMayLag();
        assertThat(downstream.state()).isEqualTo(LinkState.CATCH_UP_OVERFLOWED);
        work(1);
        assertThat(downstream.hasRoom()).as("while it reads for the first time").isTrue();

        while (LinkState.CATCH_UP_OVERFLOWED == downstream.state())
        {
            work(1);
        }
        appendMoreThanAJoinerMayLag();
        downstream.onProgress(FIRST, 5L * FakeState.STEP, 0, 0, 0, 2);
        downstream.doWork(2);
        assertThat(downstream.hasRoom()).as("while it reads again").isFalse();

        downstream.doWork(2 + CatchUpThrottle.HOLD_LIMIT_NS);
        assertThat(downstream.hasRoom()).as("when it applies nothing").isTrue();
    }

    private void appendMoreThanAJoinerMayLag()
    {
        for (long bytes = 0; bytes <= 2 * Downstream.JOIN_LAG; bytes += FakeState.STEP)
        {
            append();
        }
    }

    @Test
    void shouldOnlyBuildALinkUpFromTheBeginning()
    {
        for (final LinkState state : LinkState.values())
        {
            assertThat(state.mayBecome(LinkState.DETACHED)).isTrue();
        }
        assertThat(LinkState.SNAPSHOT.mayBecome(LinkState.LIVE)).isFalse();
        assertThat(LinkState.AWAIT_SNAPSHOT.mayBecome(LinkState.CATCH_UP)).isFalse();
        assertThat(LinkState.DETACHED.mayBecome(LinkState.BLOCKED)).isFalse();
    }

    @Test
    void shouldTruncateWhenTheFollowerHoldsMoreThanItsEpochDoes()
    {
        final EpochHistory history = new EpochHistory();
        history.add(1, 0);
        downstream.onAttach(FIRST, history, 12L * FakeState.STEP, 0);
        work(1);

        assertThat(ports.last()).isEqualTo("answer TRUNCATE " + 10 * FakeState.STEP);
    }

    private static Chain chain(final long version, final List<Integer> members, final int joiner)
    {
        return new Chain(1, version, members, joiner, 3);
    }

    private void keepOnlyBehind(final int records)
    {
        storage.startPosition = (long)records * FakeState.STEP;
        storage.snapshotCount = 1;
        state.snapshotPosition = storage.startPosition;
    }

    private void attach(final ChainLink link, final int records)
    {
        final EpochHistory history = new EpochHistory();
        history.add(1, 0);
        downstream.onAttach(link, history, (long)records * FakeState.STEP, 0);
    }

    private void append()
    {
        final long before = state.cursor.position();
        storage.records.add(state.append(1));
        downstream.onAppended(
            before, state.cursor.position(), storage.records.get(storage.records.size() - 1), 0, FakeState.LENGTH);
    }

    private void work(final int cycles)
    {
        for (int i = 0; i < cycles; i++)
        {
            downstream.doWork(i);
        }
    }
}
