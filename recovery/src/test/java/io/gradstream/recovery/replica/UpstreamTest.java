// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.codecs.Chain;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class UpstreamTest
{
    private static final long INCARNATION = 1000;

    private final FakeState leader = new FakeState();
    private final FakeState state = new FakeState();
    private final FakePorts ports = new FakePorts();
    private final FakeStorage storage = new FakeStorage();
    private final Replica replica = new Replica(1, INCARNATION, 0, storage, state, ports);

    @Test
    void shouldAppendWhatComesNextAndSkipWhatItHas()
    {
        follow(List.of(0, 1), Chain.NONE);
        final UnsafeBuffer first = leader.append(1);

        assertThat(forward(0, 1, first)).isTrue();
        assertThat(forward(0, 1, first)).isTrue();
        assertThat(storage.records).hasSize(1);
        assertThat(state.cursor.position()).isEqualTo(FakeState.STEP);
    }

    @Test
    void shouldLeaveTheRecordWhenTheLogHasNoRoom()
    {
        follow(List.of(0, 1), Chain.NONE);
        storage.isOutOfRoom = true;
        final UnsafeBuffer first = leader.append(1);

        assertThat(forward(0, 1, first)).isFalse();
        storage.isOutOfRoom = false;
        assertThat(forward(0, 1, first)).isTrue();
        assertThat(storage.records).hasSize(1);
    }

    @Test
    void shouldTellOnceThatASnapshotIsWantedAndFollowOn()
    {
        follow(List.of(0, 1), Chain.NONE);
        replica.upstream().onAttachAnswer(replica.upstream().attachment(), AttachAnswer.SNAPSHOT_WANTED, 0);

        assertThat(replica.upstream().pollSnapshotAsked()).isTrue();
        assertThat(replica.upstream().pollSnapshotAsked()).isFalse();
        assertThat(forward(0, 1, leader.append(1))).isTrue();
        assertThat(storage.records).hasSize(1);
    }

    @Test
    void shouldBelieveThatTheHeadHasStoppedUnderTheChainThatItNamesAlone()
    {
        follow(List.of(0, 1), Chain.NONE);
        final long version = replica.chain().version();
        final long attachment = replica.upstream().attachment();
        replica.upstream().onAttachAnswer(attachment, AttachAnswer.SEALED, version - 1);
        assertThat(replica.upstream().isSealed()).as("an earlier one").isFalse();
        replica.upstream().onAttachAnswer(attachment - 1, AttachAnswer.SEALED, version);
        assertThat(replica.upstream().isSealed()).as("said to an earlier attachment").isFalse();
        replica.upstream().onAttachAnswer(attachment, AttachAnswer.SEALED, version);
        assertThat(replica.upstream().isSealed()).isTrue();

        replica.onChain(new Chain(1, version + 1, List.of(0, 1), Chain.NONE, 2));
        assertThat(replica.upstream().isSealed()).as("the lead stays after all").isFalse();
    }

    @Test
    void shouldAttachAgainWhenARecordIsMissing()
    {
        follow(List.of(0, 1), Chain.NONE);
        leader.append(1);

        assertThat(forward(1, 2, leader.append(1))).isTrue();
        replica.doWork(1);

        assertThat(storage.records).isEmpty();
        assertThat(ports.count("attach")).isEqualTo(2);
    }

    @Test
    void shouldHaltWhenAMembersLogDiffers()
    {
        follow(List.of(0, 1), Chain.NONE);
        leader.cursor.set(0, 0, 0, 42);

        forward(0, 1, leader.append(1));
        replica.doWork(1);

        assertThat(replica.haltReason()).contains("DIVERGED");
        assertThat(storage.records).isEmpty();
    }

    @Test
    void shouldRepeatAnAttachSoonAndMoreSeldomEachTime()
    {
        follow(List.of(0, 1), Chain.NONE);
        replica.onChain(new Chain(1, 9, List.of(2, 1), Chain.NONE, 2));
        final int before = ports.count("attach");
        replica.doWork(1);
        replica.doWork(1);
        assertThat(ports.count("attach")).isEqualTo(before + 1);

        final long stepNs = Upstream.FIRST_RETRY_NS;
        final int[] dueAfterSteps = {1, 3, 7, 12, 17};
        assertThat(Upstream.ATTACH_RETRY_NS).isEqualTo(5 * stepNs);
        for (int i = 0; i < dueAfterSteps.length; i++)
        {
            replica.doWork(dueAfterSteps[i] * stepNs);
            assertThat(ports.count("attach")).isEqualTo(before + 1 + i);
            replica.doWork(1 + dueAfterSteps[i] * stepNs);
            assertThat(ports.count("attach")).isEqualTo(before + 2 + i);
        }
    }

    @Test
    void shouldAskAgainForARecordThatWasBrokenOnTheWay()
    {
        follow(List.of(0, 1), Chain.NONE);
        final UnsafeBuffer record = leader.append(1);
        final UnsafeBuffer broken = broken(record);

        assertThat(forward(0, 1, broken)).isTrue();
        replica.doWork(1);
        assertThat(replica.haltReason()).isNull();
        assertThat(storage.records).isEmpty();
        assertThat(ports.count("attach")).isEqualTo(2);

        replica.upstream().onAttachAnswer(INCARNATION + 2, AttachAnswer.GO_ON, 0);
        assertThat(forward(2, 0, 1, record)).isTrue();
        assertThat(storage.records).hasSize(1);
    }

    @Test
    void shouldHaltWhenTheSameRecordIsBrokenAgainAndAgain()
    {
        follow(List.of(0, 1), Chain.NONE);
        final UnsafeBuffer broken = broken(leader.append(1));

        int asked = 0;
        long nowNs = 1;
        while (null == replica.haltReason() && asked < 100)
        {
            asked++;
            forward(asked, 0, 1, broken);
            nowNs += Upstream.ATTACH_RETRY_NS;
            replica.doWork(nowNs);
            replica.upstream().onAttachAnswer(INCARNATION + asked + 1, AttachAnswer.GO_ON, 0);
        }

        assertThat(asked).isEqualTo(8);
        assertThat(replica.haltReason()).contains("DIVERGED", "checksum differs", "8 times");
        assertThat(storage.records).isEmpty();
    }

    @Test
    void shouldBeginAnewWhenAJoinersLogDiffersAndItIsNoJoinerAnyMore()
    {
        follow(List.of(0), 1);
        leader.cursor.set(0, 0, 0, 42);

        forward(0, 1, leader.append(1));
        for (int i = 0; i < 3; i++)
        {
            replica.doWork(i);
        }
        assertThat(storage.wipes).as("an admission may be under way").isZero();
        assertThat(replica.state()).isEqualTo(Replica.State.LEAVE_CHAIN);

        replica.onChain(new Chain(1, 2, List.of(0), Chain.NONE, 2));
        for (int i = 0; i < 10 && Replica.State.AWAIT_ROLE != replica.state(); i++)
        {
            replica.doWork(i);
        }
        assertThat(replica.haltReason()).isNull();
        assertThat(storage.wipes).isEqualTo(1);
        assertThat(replica.state()).isEqualTo(Replica.State.AWAIT_ROLE);
        assertThat(state.cursor.position()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {Chain.NONE, 1})
    void shouldKeepTheLogOfAJoinerThatWasAdmittedAndRemovedAgainWhileItIsNeeded(final int joiner)
    {
        follow(List.of(0), 1);
        forward(0, 1, leader.append(1));
        leader.cursor.set(FakeState.STEP, 1, 1, 42);
        forward(1, 2, leader.append(1));
        replica.doWork(1);
        assertThat(replica.state()).isEqualTo(Replica.State.LEAVE_CHAIN);

        replica.onChain(new Chain(1, 3, List.of(0), joiner, 2, Chain.NONE, List.of(), List.of(0, 1)));
        for (int i = 0; i < 10 && Replica.State.AWAIT_ROLE != replica.state(); i++)
        {
            replica.doWork(i);
        }

        assertThat(replica.state()).as("it shows what it has").isEqualTo(Replica.State.AWAIT_ROLE);
        assertThat(storage.wipes).isZero();
        assertThat(storage.records).hasSize(1);
    }

    @Test
    void shouldHaltWithAllItHasWhenAJoinerWasAdmittedBeforeItCouldBeginAnew()
    {
        follow(List.of(0), 1);
        forward(0, 1, leader.append(1));
        leader.cursor.set(FakeState.STEP, 1, 1, 42);
        forward(1, 2, leader.append(1));
        replica.doWork(1);

        replica.onChain(new Chain(1, 2, List.of(0, 1), Chain.NONE, 2));
        replica.doWork(2);
        replica.doWork(3);

        assertThat(replica.haltReason()).contains("DIVERGED");
        assertThat(storage.wipes).isZero();
        assertThat(storage.records).hasSize(1);
    }

    @Test
    void shouldFetchASnapshotWhenAJoinerCannotGoOn()
    {
        follow(List.of(0), 1);
        forward(0, 1, leader.append(1));

        replica.upstream().onAttachAnswer(INCARNATION + 1, AttachAnswer.WIPE, FakeState.STEP);
        climbTo(Replica.State.FETCH_SNAPSHOT);
        replica.doWork(1);

        assertThat(storage.wipes).isEqualTo(1);
        assertThat(ports.last()).isEqualTo("attach " + Upstream.WANTS_SNAPSHOT);
    }

    @ParameterizedTest
    @EnumSource(names = {"WIPE", "LEAVE"})
    void shouldKeepTheLogWhenAnAnswerIsLateThatItCannotGoOn(final AttachAnswer answer)
    {
        follow(List.of(0), 1);
        forward(0, 1, leader.append(1));

        replica.upstream().onAttachAnswer(INCARNATION + 1, answer, FakeState.STEP - 1);
        replica.doWork(1);

        assertThat(replica.state()).isEqualTo(Replica.State.FOLLOW_LOG);
        assertThat(forward(1, 2, leader.append(1))).isTrue();
        assertThat(storage.records).hasSize(2);
    }

    @Test
    void shouldKeepTheLogOfOneThatMayBeInSyncUntilItIsNoJoinerAnyMore()
    {
        cannotGoOn();
        for (int i = 1; i < 10; i++)
        {
            replica.doWork(i);
        }

        assertThat(storage.wipes).as("it may have been admitted, and not know").isZero();
        assertThat(replica.state()).isEqualTo(Replica.State.LEAVE_CHAIN);

        replica.onChain(new Chain(1, 2, List.of(0), Chain.NONE, 2));
        climbTo(Replica.State.AWAIT_ROLE);
        assertThat(storage.wipes).isEqualTo(1);
        assertThat(state.cursor.position()).isZero();
    }

    @Test
    void shouldKeepTheLogOfOneThatLeavesAChainWithoutAHead()
    {
        cannotGoOn();

        replica.onChain(new Chain(1, 2, List.of(), Chain.NONE, 2, Chain.NONE, List.of(), List.of(0)));
        climbTo(Replica.State.AWAIT_ROLE);

        assertThat(storage.wipes).as("nobody goes on without it").isZero();
        assertThat(state.cursor.position()).isEqualTo(FakeState.STEP);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldHaltWithAllItHasWhenAJoinerThatCannotGoOnWasAdmitted(final int head)
    {
        cannotGoOn();
        replica.doWork(1);

        replica.onChain(new Chain(2, 3, 0 == head ? List.of(0, 1) : List.of(1), Chain.NONE, 2));
        replica.doWork(2);

        assertThat(replica.haltReason()).contains("node 0", "position=" + FakeState.STEP);
        assertThat(storage.wipes).isZero();
        assertThat(storage.records).hasSize(1);
    }

    @Test
    void shouldHaltAMemberThatCannotGoOnAndSayWhy()
    {
        follow(List.of(0, 1), Chain.NONE);
        forward(0, 1, leader.append(1));
        replica.upstream().onAttachAnswer(INCARNATION + 1, AttachAnswer.LEAVE, FakeState.STEP);
        replica.doWork(1);

        assertThat(replica.haltReason()).contains("member in sync", "node 0", "cannot read");
        assertThat(storage.wipes).isZero();
    }

    @Test
    void shouldTakeNothingMoreFromAPredecessorThatIsNoneAnyMoreBeforeItActsOnThat()
    {
        follow(List.of(0, 1), Chain.NONE);
        final long attachment = replica.upstream().attachment();

        replica.onChain(new Chain(2, 2, List.of(1), Chain.NONE, 2));

        assertThat(attachment).isEqualTo(INCARNATION + 1);
        assertThat(replica.state()).isEqualTo(Replica.State.FOLLOW_LOG);
        assertThat(replica.upstream().attachment()).isZero();
        assertThat(forward(0, 1, leader.append(1))).isTrue();
        assertThat(storage.records).isEmpty();
    }

    @Test
    void shouldGoOnFromWhatItHasWhenItLostItsPlaceAndJoins()
    {
        follow(List.of(0, 1), Chain.NONE);
        forward(0, 1, leader.append(1));
        final int replays = storage.openedReplays;

        replica.onChain(new Chain(1, 2, List.of(0), Chain.NONE, 2));
        replica.doWork(1);
        assertThat(replica.state()).isEqualTo(Replica.State.AWAIT_ROLE);
        assertThat(replica.logEpoch()).isEqualTo(1);

        replica.onChain(new Chain(1, 3, List.of(0), 1, 2));
        replica.doWork(2);
        replica.doWork(2);
        replica.upstream().onAttachAnswer(INCARNATION + 2, AttachAnswer.GO_ON, FakeState.STEP);
        assertThat(forward(2, 1, 2, leader.append(1))).isTrue();
        assertThat(storage.records).hasSize(2);
        assertThat(storage.openedReplays).isEqualTo(replays);
    }

    @Test
    void shouldCountNothingAsRecordedWhenItFetchedASnapshotAndLostItsPlaceBeforeItKeptOne()
    {
        fetch();
        frame(2, 0);
        for (int i = 0; i < 5; i++)
        {
            replica.doWork(i);
        }

        replica.onChain(new Chain(1, 2, List.of(0), Chain.NONE, 2));
        replica.doWork(6);
        assertThat(replica.state()).isEqualTo(Replica.State.AWAIT_ROLE);
        replica.onChain(new Chain(1, 3, List.of(0), 1, 2));
        replica.doWork(7);

        assertThat(replica.state()).isEqualTo(Replica.State.FOLLOW_LOG);
        assertThat(replica.isSnapshotWanted()).isTrue();
        assertThat(replica.recordedPosition()).isZero();
    }

    @Test
    void shouldOpenItsLogAgainWhenItLostItsPlaceAfterPaddingForARecordThatDidNotCome()
    {
        follow(List.of(0, 1), Chain.NONE);
        forward(0, 1, leader.append(1));
        storage.padding = FakeState.STEP;

        replica.onChain(new Chain(1, 2, List.of(0), Chain.NONE, 2));
        replica.doWork(1);

        assertThat(replica.state()).isEqualTo(Replica.State.LOAD_SNAPSHOT);
    }

    @Test
    void shouldAppendNothingMoreAsAHeadThatIsNoneAnyMoreBeforeItActsOnThat()
    {
        lead();
        final int before = storage.records.size();
        assertThat(replica.isPrimary()).isTrue();
        assertThat(state.appender.tryClaim(FakeState.LENGTH)).isTrue();

        replica.onChain(new Chain(2, 3, List.of(0), Chain.NONE, 2));

        assertThat(replica.state()).isEqualTo(Replica.State.PRIMARY);
        assertThat(replica.isPrimary()).isFalse();
        assertThat(state.appender.tryClaim(FakeState.LENGTH)).isFalse();
        assertThat(storage.records).hasSize(before);
        replica.doWork(1);
        assertThat(replica.state()).isEqualTo(Replica.State.LOAD_SNAPSHOT);
    }

    @Test
    void shouldNotHeadAnotherEpochThanTheOneItHasStarted()
    {
        lead();

        replica.onChain(new Chain(3, 3, List.of(1), Chain.NONE, 2));

        assertThat(replica.isPrimary()).isFalse();
        assertThat(state.appender.tryClaim(FakeState.LENGTH)).isFalse();
    }

    @Test
    void shouldGiveUpItsPlaceUntilTheCoordinatorDecides()
    {
        follow(List.of(0), 1);
        leader.cursor.set(0, 0, 0, 42);
        forward(0, 1, leader.append(1));
        for (int i = 1; i < 10; i++)
        {
            replica.doWork(i);
        }
        assertThat(replica.state()).isEqualTo(Replica.State.LEAVE_CHAIN);
        assertThat(storage.wipes).isZero();
    }

    @Test
    void shouldAskForTheSnapshotBeforeWhenAFrameIsBroken()
    {
        fetch();
        state.brokenFrames = 1;

        frame(2, 0);
        replica.doWork(5);

        assertThat(ports.last()).isEqualTo("attach " + (Upstream.WANTS_SNAPSHOT - 1));
    }

    @Test
    void shouldForgetWhatItHasLoadedWhenItFetchesTheSnapshotAgain()
    {
        state.framesToLoad = 3;
        fetch();
        frame(2, 0);
        frame(2, 2);
        assertThat(state.cursor.position()).isZero();
        replica.doWork(5);
        assertThat(ports.last()).isEqualTo("attach " + Upstream.WANTS_SNAPSHOT);

        frame(3, 0);
        frame(3, 1);
        replica.doWork(6);
        assertThat(replica.state()).isEqualTo(Replica.State.FETCH_SNAPSHOT);
        frame(3, 2);
        replica.doWork(7);
        assertThat(replica.state()).isEqualTo(Replica.State.OPEN_LOG);
    }

    @Test
    void shouldCountNothingAsRecordedBeforeItKeepsTheSnapshotItFetched()
    {
        fetch();
        frame(2, 0);
        for (int i = 0; i < 5; i++)
        {
            replica.doWork(i);
        }
        assertThat(replica.state()).isEqualTo(Replica.State.FOLLOW_LOG);
        assertThat(ports.last()).isEqualTo("attach " + 10 * FakeState.STEP);
        assertThat(replica.isSnapshotWanted()).isTrue();
        assertThat(replica.recordedPosition()).isZero();

        storage.snapshotCount = 1;

        assertThat(replica.isSnapshotWanted()).isFalse();
        assertThat(replica.recordedPosition()).isEqualTo(10L * FakeState.STEP);
    }

    private void follow(final List<Integer> members, final int joiner)
    {
        for (int i = 0; i < 10 && Replica.State.AWAIT_ROLE != replica.state(); i++)
        {
            replica.doWork(0);
        }
        replica.onChain(new Chain(1, 1, members, joiner, 2));
        replica.doWork(0);
        replica.doWork(0);
        replica.upstream().onAttachAnswer(INCARNATION + 1, AttachAnswer.GO_ON, 0);
    }

    private void cannotGoOn()
    {
        follow(List.of(0), 1);
        forward(0, 1, leader.append(1));
        replica.upstream().onAttachAnswer(INCARNATION + 1, AttachAnswer.LEAVE, FakeState.STEP);
    }

    private void climbTo(final Replica.State state)
    {
        for (int i = 0; i < 20 && state != replica.state(); i++)
        {
            replica.doWork(i);
        }
        assertThat(replica.state()).isEqualTo(state);
    }

    private void lead()
    {
        follow(List.of(0, 1), Chain.NONE);
        replica.onChain(new Chain(2, 2, List.of(1), Chain.NONE, 2));
        for (int i = 0; i < 3; i++)
        {
            replica.doWork(0);
        }
    }

    private void fetch()
    {
        follow(List.of(0), 1);
        replica.upstream().onAttachAnswer(INCARNATION + 1, AttachAnswer.WIPE, 0);
        leader.cursor.set(0, 0, 0, 42);
        forward(0, 1, leader.append(1));
        for (int i = 0; i < 4; i++)
        {
            replica.doWork(0);
        }
    }

    private static UnsafeBuffer broken(final UnsafeBuffer record)
    {
        final UnsafeBuffer broken = new UnsafeBuffer(ByteBuffer.allocateDirect(record.capacity()));
        broken.putBytes(0, record, 0, record.capacity());
        broken.putByte(FakeState.LENGTH - 1, (byte)(broken.getByte(FakeState.LENGTH - 1) ^ 1));

        return broken;
    }

    private void frame(final int attempt, final int index)
    {
        replica.upstream().onSnapshotFrame(INCARNATION + attempt, index, new UnsafeBuffer(new byte[8]), 0, 8);
    }

    private boolean forward(final int from, final int to, final UnsafeBuffer record)
    {
        return forward(1, from, to, record);
    }

    private boolean forward(final int attempt, final int from, final int to, final UnsafeBuffer record)
    {
        return replica.upstream().onForward(INCARNATION + attempt, (long)from * FakeState.STEP,
            (long)to * FakeState.STEP, record, 0, FakeState.LENGTH);
    }
}
