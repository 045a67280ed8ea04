// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.codecs.Chain;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.log.ReplicaStorage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A replica that joins under load catches up: nothing it needs is deleted, read again without need, or thrown away.
 */
class CatchUpTest
{
    private static final ChainLink FIRST = new ChainLink(1, 0, 100);
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
    void shouldNotBeginToReadAgainWhenAFollowerRepeatsItsQuestionBeforeAnythingIsSent()
    {
        ports.isBlocked = true;
        attach(4);
        work(3);
        final int opened = storage.openedReplays;
        attach(4);
        attach(4);
        work(3);
        assertThat(storage.openedReplays).isEqualTo(opened);

        ports.isBlocked = false;
        work(5);
        assertThat(ports.forwarded).hasSize(6).isSorted().doesNotHaveDuplicates();

        attach(4);
        work(1);
        assertThat(storage.openedReplays).as("what was sent may be lost").isGreaterThan(opened);
    }

    @Test
    void shouldAnswerAgainWhenAFollowerRepeatsItsQuestion()
    {
        attach(10);
        work(1);
        attach(10);
        work(1);

        assertThat(ports.count("answer GO_ON")).isEqualTo(2);
    }

    @Test
    void shouldKeepTheLogThatAFollowerLacksUntilItReportsNothingNewForTooLong()
    {
        attach(4);
        assertThat(storage.lackedFrom()).isEqualTo(4L * FakeState.STEP);
        work(5);
        downstream.onProgress(FIRST, 6L * FakeState.STEP, 0, 0, 0, 7);
        assertThat(storage.lackedFrom()).isEqualTo(6L * FakeState.STEP);

        downstream.onProgress(FIRST, 6L * FakeState.STEP, 0, 0, 0, LackedLog.KEEP_NS);
        downstream.doWork(LackedLog.KEEP_NS + 6);
        assertThat(storage.lackedFrom()).isEqualTo(6L * FakeState.STEP);
        downstream.doWork(LackedLog.KEEP_NS + 7);
        assertThat(storage.lackedFrom()).isEqualTo(ReplicaStorage.NOTHING_LACKED);
    }

    @Test
    void shouldKeepTheLogAfterTheOlderSnapshotWhileAJoinerIsSentOne()
    {
        downstream.onChain(NO_CHAIN, chain(2, List.of(0), FIRST.nodeId()));
        storage.snapshotCount = 2;
        state.snapshottedPosition = 3L * FakeState.STEP;
        downstream.onAttach(FIRST, state.epochs, Upstream.WANTS_SNAPSHOT, 0);
        work(5);
        assertThat(storage.lackedFrom()).isEqualTo(3L * FakeState.STEP);

        downstream.onChain(chain(2, List.of(0), FIRST.nodeId()), chain(3, List.of(0), Chain.NONE));
        assertThat(storage.lackedFrom()).isEqualTo(ReplicaStorage.NOTHING_LACKED);
    }

    @Test
    void shouldReadASnapshotAgainWhenItBrokeOffOnce()
    {
        downstream.onChain(NO_CHAIN, chain(2, List.of(0), FIRST.nodeId()));
        storage.snapshotCount = 1;
        storage.failingReplays = ReadAttempts.MAX - 1;
        downstream.onAttach(FIRST, state.epochs, Upstream.WANTS_SNAPSHOT, 0);
        work(6);
        assertThat(ports.count("frame 0")).isEqualTo(1);

        storage.failingReplays = ReadAttempts.MAX;
        downstream.onAttach(FIRST, state.epochs, Upstream.WANTS_SNAPSHOT, 0);
        work(6);
        assertThat(downstream.state()).isEqualTo(LinkState.AWAIT_SNAPSHOT);
    }

    @Test
    void shouldLetTheQueueOfAJoinerDrainInsteadOfReadingAgain()
    {
        ports.queueLength = 1024;
        downstream.onChain(NO_CHAIN, chain(2, List.of(0), FIRST.nodeId()));
        attach(10);
        work(1);
        ports.isBlocked = true;
        for (int i = 0; i < 7; i++)
        {
            append();
        }
        final int opened = storage.openedReplays;
        downstream.doWork(0);
        assertThat(downstream.state()).isEqualTo(LinkState.BLOCKED);
        assertThat(downstream.hasRoom()).as("a joiner holds nothing back").isTrue();

        downstream.doWork(Downstream.BLOCK_LIMIT_NS + 1);
        assertThat(downstream.state()).isEqualTo(LinkState.BLOCKED);
        ports.isBlocked = false;
        work(5);
        assertThat(ports.forwarded).hasSize(7).isSorted().doesNotHaveDuplicates();
        assertThat(storage.openedReplays).isEqualTo(opened);
    }

    private static Chain chain(final long version, final List<Integer> members, final int joiner)
    {
        return new Chain(1, version, members, joiner, 3);
    }

    private void attach(final int records)
    {
        final EpochHistory history = new EpochHistory();
        history.add(1, 0);
        downstream.onAttach(FIRST, history, (long)records * FakeState.STEP, 0);
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
