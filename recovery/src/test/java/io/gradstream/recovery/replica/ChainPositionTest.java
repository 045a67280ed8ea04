// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.codecs.Chain;
import io.gradstream.recovery.log.EpochHistory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class ChainPositionTest
{
    private static final ChainLink JOINER = new ChainLink(2, 0, 100);

    private final FakeState state = new FakeState();
    private final FakePorts ports = new FakePorts();
    private final FakeStorage storage = new FakeStorage();
    private final Downstream downstream = new Downstream(1, 0, ports, storage, state);

    @Test
    void shouldAdmitJoinerWhenLastMemberIsNotTheHead()
    {
        final Replica replica = new Replica(1, 1, 0, storage, state, ports);
        awaitRole(replica);
        replica.onChain(new Chain(1, 3, List.of(0, 1), 2, 3));
        replica.doWork(0);
        replica.downstream().onAttach(JOINER, new EpochHistory(), 0, 0);
        replica.downstream().onProgress(JOINER, 0, 0, 0, 1, 1);
        replica.doWork(1);
        replica.doWork(2);

        assertThat(replica.admittedJoiner()).isEqualTo(2);
        assertThat(replica.isPrimary()).isFalse();
    }

    @Test
    void shouldLeaveAJoinersLogAsItIsWhileItIsNeeded()
    {
        final Replica replica = new Replica(1, 1, 0, storage, state, ports);
        awaitRole(replica);
        final Chain confirmed = new Chain(2, 3, List.of(0), 1, 2);
        replica.onChain(new Chain(2, 3, List.of(0), 1, 2, Chain.NONE, List.of(), List.of(0, 1)));
        replica.doWork(0);
        assertThat(replica.state()).isEqualTo(Replica.State.AWAIT_ROLE);
        assertThat(ports.count("attach")).isZero();

        replica.onChain(confirmed);
        replica.doWork(1);
        replica.doWork(2);
        assertThat(replica.state()).as("under the same version").isEqualTo(Replica.State.FOLLOW_LOG);
        assertThat(ports.count("attach")).isPositive();
        replica.onChain(new Chain(1, 2, List.of(0, 1), Chain.NONE, 2));
        assertThat(replica.chain()).as("older").isEqualTo(confirmed);
    }

    @Test
    void shouldLetAJoinerFollowWhoseLogIsNotNeeded()
    {
        final Replica replica = new Replica(1, 1, 0, storage, state, ports);
        awaitRole(replica);
        replica.onChain(new Chain(2, 3, List.of(0), 1, 2, Chain.NONE, List.of(), List.of(0)));
        replica.doWork(0);

        assertThat(replica.state()).isEqualTo(Replica.State.FOLLOW_LOG);
    }

    @Test
    void shouldBeNoPrimaryOnceItHasStoppedUntilThereIsAnotherChain()
    {
        final Replica replica = new Replica(1, 1, 0, storage, state, ports);
        awaitRole(replica);
        replica.onChain(new Chain(1, 1, List.of(1, 0), Chain.NONE, 2));
        replica.doWork(0);
        replica.doWork(0);
        replica.onChain(new Chain(1, 2, List.of(1, 0), Chain.NONE, 2, 0));
        replica.seal();
        replica.doWork(0);
        assertThat(replica.isPrimary()).isFalse();
        assertThat(replica.mayConfirm()).isFalse();
        assertThat(replica.state()).isEqualTo(Replica.State.PRIMARY);

        replica.onChain(new Chain(1, 2, List.of(1, 0), Chain.NONE, 2, 0));
        assertThat(replica.isPrimary()).as("told again").isFalse();
        replica.onChain(new Chain(1, 3, List.of(1, 0), Chain.NONE, 2));
        assertThat(replica.isPrimary()).as("the transferee is dismissed").isTrue();
    }

    @Test
    void shouldFollowWithAllThatItHasOnceItHasHandedTheLeadOver()
    {
        final Replica replica = sealedHead();
        assertThat(state.tryAppend(2)).as("it has stopped").isFalse();
        final int resets = state.resets;
        final long position = state.cursor.position();
        replica.onChain(new Chain(2, 3, List.of(0, 1), Chain.NONE, 2));
        replica.doWork(0);
        replica.doWork(0);

        assertThat(replica.state()).isEqualTo(Replica.State.FOLLOW_LOG);
        assertThat(state.resets).as("nothing is read again").isEqualTo(resets);
        assertThat(state.cursor.position()).isEqualTo(position);
        assertThat(state.appender).as("nor kept of what it had not logged").isNull();
        assertThat(ports.count("attach")).isPositive();
        replica.onChain(new Chain(3, 4, List.of(1), Chain.NONE, 2));
        replica.doWork(0);
        assertThat(replica.state()).isEqualTo(Replica.State.START_EPOCH);
    }

    @Test
    void shouldStartTheNextEpochIfItHasTheLeadBackBeforeItHeardThatItWasGone()
    {
        final Replica replica = sealedHead();
        final int resets = state.resets;
        replica.onChain(new Chain(3, 4, List.of(1), Chain.NONE, 2));
        replica.doWork(0);

        assertThat(replica.state()).isEqualTo(Replica.State.START_EPOCH);
        assertThat(state.resets).isEqualTo(resets);
    }

    @Test
    void shouldGoOnAsHeadWhileItsLogIsPaddedForARecordThatHasNotCome()
    {
        final Replica replica = head();
        storage.padding = 32;
        assertThat(replica.seal()).isFalse();
        assertThat(replica.isPrimary()).isTrue();
        storage.padding = 0;
        replica.mayHandOver(false);
        assertThat(replica.seal()).as("it holds what nobody else has").isFalse();
        replica.mayHandOver(true);
        assertThat(replica.seal()).isTrue();
        assertThat(replica.isPrimary()).isFalse();
    }

    private Replica head()
    {
        final Replica replica = new Replica(1, 1, 0, storage, state, ports);
        awaitRole(replica);
        replica.onChain(new Chain(1, 1, List.of(1, 0), Chain.NONE, 2));
        replica.doWork(0);
        replica.doWork(0);
        replica.onChain(new Chain(1, 2, List.of(1, 0), Chain.NONE, 2, 0));

        return replica;
    }

    private Replica sealedHead()
    {
        final Replica replica = head();
        assertThat(replica.seal()).isTrue();

        return replica;
    }

    @Test
    void shouldConfirmOnlyOnceWhatItHeldIsRecorded()
    {
        final Replica replica = new Replica(1, 1, 0, storage, state, ports);
        awaitRole(replica);
        replica.onChain(new Chain(1, 1, List.of(1, 0), Chain.NONE, 2));
        replica.doWork(0);
        replica.doWork(0);
        assertThat(replica.isPrimary()).isTrue();
        assertThat(replica.mayConfirm()).isTrue();
        storage.isRecording = false;
        assertThat(state.tryAppend(2)).isTrue();
        assertThat(replica.mayConfirm()).as("what came since is acknowledged by this version").isTrue();

        replica.onChain(new Chain(1, 2, List.of(1), Chain.NONE, 2, Chain.NONE, List.of(), List.of(0, 1)));
        assertThat(replica.mayConfirm()).as("the other one may have had it on record alone").isFalse();
        storage.isRecording = true;
        assertThat(replica.mayConfirm()).isTrue();

        storage.isRecording = false;
        assertThat(state.tryAppend(2)).isTrue();
        replica.onChain(new Chain(1, 3, List.of(1), Chain.NONE, 2, Chain.NONE, List.of(), List.of(0, 1)));
        assertThat(replica.mayConfirm()).as("nor what came before the next change").isFalse();
    }

    @Test
    void shouldNotConfirmWhileItsLogCannotGiveBackWhatNoSnapshotHolds()
    {
        final Replica replica = new Replica(1, 1, 0, storage, state, ports);
        awaitRole(replica);
        replica.onChain(new Chain(1, 1, List.of(1, 0), Chain.NONE, 2));
        replica.doWork(0);
        replica.doWork(0);
        assertThat(state.tryAppend(2)).isTrue();
        storage.startPosition = state.cursor.position();
        for (int round = 1; round <= ReadAttempts.MAX; round++)
        {
            replica.downstream().onAttach(new ChainLink(0, 0, round), new EpochHistory(), 0, 0);
            for (int i = 0; i < 2 * ReadAttempts.MAX; i++)
            {
                replica.doWork(i);
            }
        }
        assertThat(ports.count("answer LEAVE")).isEqualTo(1);

        replica.onChain(new Chain(1, 2, List.of(1), Chain.NONE, 2, Chain.NONE, List.of(), List.of(0, 1)));
        assertThat(replica.mayConfirm()).as("the other one has what this log lacks").isFalse();
        assertThat(replica.isSnapshotWanted()).isTrue();
        storage.snapshotCount = 1;
        state.snapshotPosition = state.cursor.position();
        assertThat(replica.mayConfirm()).isTrue();
        assertThat(replica.isSnapshotWanted()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldAcceptALossOnlyUntilItHasHadARole(final boolean isHead)
    {
        final Replica replica = new Replica(1, 1, 0, storage, state, ports);
        assertThat(replica.isLossAccepted()).isFalse();
        storage.isLossAccepted = true;
        awaitRole(replica);
        assertThat(replica.isLossAccepted()).isTrue();

        replica.onChain(new Chain(1, 1, isHead ? List.of(1) : List.of(0, 1), Chain.NONE, 2));
        replica.doWork(0);
        replica.onChain(new Chain(1, 2, List.of(0), Chain.NONE, 2));
        awaitRole(replica);
        assertThat(replica.isLossAccepted()).as("what is lost from here on is another loss").isFalse();
    }

    @Test
    void shouldAcceptNoLossAnyMoreOnceItsDamagedCopyIsRepaired()
    {
        final Replica replica = new Replica(1, 1, 0, storage, state, ports);
        storage.isLossAccepted = true;
        storage.failingReplays = Integer.MAX_VALUE;
        awaitRole(replica);
        assertThat(replica.damage()).isNotNull();
        assertThat(replica.isLossAccepted()).isTrue();

        replica.onChain(new Chain(1, 1, List.of(0, 1), Chain.NONE, 2));
        replica.doWork(0);
        assertThat(replica.isLossAccepted()).as("its head may die before it is whole").isFalse();
    }

    @Test
    void shouldNotTakeAJoinerIntoTheSetThatHasNotHeardItsAnswer()
    {
        placeWithJoiner();
        final ChainLink deaf = new ChainLink(JOINER.nodeId(), 0, JOINER.attachment() + 1);
        downstream.onAttach(deaf, new EpochHistory(), 0, 2);

        downstream.doWork(3);
        assertThat(downstream.isInSyncSet()).isFalse();

        downstream.onProgress(deaf, 0, 0, 0, 3, 4);
        downstream.doWork(4);
        assertThat(downstream.isInSyncSet()).isTrue();
    }

    @Test
    void shouldAskForTheAdmissionUntilTheChainChanges()
    {
        final ChainPosition place = placeWithJoiner();
        assertThat(downstream.mayBeAdmitted()).isFalse();

        downstream.doWork(0);
        assertThat(downstream.mayBeAdmitted()).isTrue();
        downstream.onAdmissionAsked();
        assertThat(downstream.mayBeAdmitted()).isTrue();

        place.chain(new Chain(1, 3, List.of(1, 2), Chain.NONE, 2));
        assertThat(downstream.mayBeAdmitted()).isFalse();
    }

    @Test
    void shouldAdmitJoinerOnceItHasRecordedWhatItHasApplied()
    {
        placeWithJoiner();
        storage.records.add(state.append(1));
        downstream.doWork(0);
        downstream.onProgress(JOINER, FakeState.STEP, 0, 0, 0, 1);
        for (int i = 0; i < 5; i++)
        {
            downstream.doWork(i);
        }
        assertThat(downstream.isInSyncSet()).isTrue();
        assertThat(downstream.mayBeAdmitted()).as("applied only").isFalse();

        downstream.onProgress(JOINER, FakeState.STEP, FakeState.STEP, 0, 0, 6);
        assertThat(downstream.mayBeAdmitted()).isTrue();
    }

    @Test
    void shouldKeepTheJoinerInTheSetUntilTheChainChanges()
    {
        final ChainPosition place = placeWithJoiner();
        assertThat(downstream.isInSyncSet()).isFalse();

        downstream.doWork(0);
        assertThat(downstream.isInSyncSet()).isTrue();
        state.append(1);
        assertThat(downstream.atMostApplied(state.cursor.position())).isZero();

        place.chain(new Chain(1, 3, List.of(1), Chain.NONE, 2));
        assertThat(downstream.isInSyncSet()).isFalse();
    }

    @Test
    void shouldWaitAnewWhenAJoinerInTheSetAttachesWithLessThanItHad()
    {
        placeWithJoiner();
        downstream.doWork(0);
        storage.records.add(state.append(1));
        final ChainLink again = new ChainLink(JOINER.nodeId(), 0, JOINER.attachment() + 1);
        downstream.onAttach(again, new EpochHistory(), 0, 1);
        for (int i = 0; i < 10; i++)
        {
            downstream.doWork(2);
        }
        assertThat(downstream.mayBeAdmitted()).isFalse();

        downstream.onProgress(again, FakeState.STEP, FakeState.STEP, 0, 0, 4);
        assertThat(downstream.mayBeAdmitted()).isTrue();
    }

    private ChainPosition placeWithJoiner()
    {
        final ChainPosition place = new ChainPosition(1, downstream);
        place.chain(new Chain(1, 2, List.of(1), 2, 2));
        downstream.isOpen(true);
        downstream.onAttach(JOINER, new EpochHistory(), 0, 0);
        downstream.onProgress(JOINER, 0, 0, 0, 1, 1);

        return place;
    }

    private void awaitRole(final Replica replica)
    {
        for (int i = 0; i < 10 && Replica.State.AWAIT_ROLE != replica.state(); i++)
        {
            replica.doWork(0);
        }
    }
}
