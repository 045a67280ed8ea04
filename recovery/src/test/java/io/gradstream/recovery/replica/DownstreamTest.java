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
package io.gradstream.recovery.replica;

import io.gradstream.recovery.log.EpochHistory;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DownstreamTest
{
    private static final ChainLink FIRST = new ChainLink(1, 0, 100);
    private static final long LEASE_NS = 100;
    private static final ChainLink OTHER = new ChainLink(2, 0, 900);

    private final FakeState state = new FakeState();
    private final FakePorts ports = new FakePorts();
    private final FakeStorage storage = new FakeStorage();
    private final Downstream successor = new Downstream(ports, storage, state, FakeState.LENGTH);

    @BeforeEach
    void fill()
    {
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
        assertThat(successor.applied()).isZero();

        successor.onProgress(FIRST, 8L * FakeState.STEP, 0, 0, 0, 1);
        assertThat(successor.applied()).isEqualTo(8L * FakeState.STEP);
    }

    @Test
    void shouldSendEachRecordOnceAndInOrderWhenFollowerCatchesUp()
    {
        attach(FIRST, 4);
        work(5);

        assertThat(ports.forwarded).hasSize(6).isSorted().doesNotHaveDuplicates();
        assertThat(successor.state()).isEqualTo(Downstream.State.LIVE);
        assertThat(storage.openReplays).isZero();
    }

    @Test
    void shouldAskForASnapshotOnceWhenEverythingBeforeIsSent()
    {
        successor.askForSnapshot();
        attach(FIRST, 4);
        work(5);
        assertThat(ports.count("answer SNAPSHOT_WANTED")).isZero();

        ports.isBlocked = true;
        successor.askForSnapshot();
        work(1);
        ports.isBlocked = false;
        work(3);
        assertThat(ports.count("answer SNAPSHOT_WANTED " + 10 * FakeState.STEP)).isEqualTo(1);
    }

    @Test
    void shouldGoOnReadingWhenAReplayBrokeOffOnce()
    {
        storage.failingReplays = Downstream.MAX_ATTEMPTS - 1;
        attach(FIRST, 4);
        work(10);

        assertThat(ports.count("answer WIPE")).isZero();
        assertThat(ports.forwarded).hasSize(6);
        assertThat(storage.openReplays).isZero();
    }

    @Test
    void shouldLeaveAFollowerWhatItHasWhenItMayBeInSyncAtAnyMoment()
    {
        storage.startPosition = 8L * FakeState.STEP;
        successor.isAdmissionAsked(true);
        attach(FIRST, 4);
        work(10);
        assertThat(ports.count("answer WIPE")).isZero();

        successor.isAdmissionAsked(false);
        attach(FIRST, 4);
        work(10);
        assertThat(ports.count("answer WIPE")).isEqualTo(1);
    }

    @Test
    void shouldTellFollowerToBeginAnewWhenTheLogNoLongerHoldsWhatItLacks()
    {
        storage.startPosition = 8L * FakeState.STEP;
        attach(FIRST, 4);
        work(10);

        assertThat(ports.count("answer WIPE")).isEqualTo(1);
        assertThat(successor.state()).isEqualTo(Downstream.State.DETACHED);
    }

    @Test
    void shouldNotHandOnWhatItsOwnLogGivesBackBroken()
    {
        final UnsafeBuffer record = storage.records.get(7);
        record.putByte(FakeState.LENGTH - 1, (byte)(record.getByte(FakeState.LENGTH - 1) ^ 1));
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
        storage.records.add(state.append(1));
        successor.onAppended(10L * FakeState.STEP, 11L * FakeState.STEP, storage.records.get(10), 0,
            FakeState.LENGTH);
        successor.doWork(Downstream.STALL_NS + 1);
        successor.doWork(Downstream.STALL_NS + 2);

        assertThat(ports.forwarded).containsExactly(11L * FakeState.STEP, 11L * FakeState.STEP);
    }

    @Test
    void shouldHoldTheLeaseFromWhenTheHeartbeatWasSentNotFromWhenItsEchoCame()
    {
        attach(FIRST, 10);
        assertThat(successor.hasEchoed(LEASE_NS, 1)).isFalse();

        successor.onProgress(FIRST, 0, 0, 0, 10, 90);
        successor.onProgress(FIRST, 0, 0, 0, 7, 95);
        assertThat(successor.hasEchoed(LEASE_NS, 10 + LEASE_NS - 1)).isTrue();
        assertThat(successor.hasEchoed(LEASE_NS, 10 + LEASE_NS)).isFalse();
    }

    @Test
    void shouldNotHoldALeaseWhenTheEchoIsOfAnEarlierLife()
    {
        successor.onAttach(FIRST, new EpochHistory(), 0, 50);

        successor.onProgress(FIRST, 0, 0, 0, 3_600_000_000_000L, 60);
        assertThat(successor.hasEchoed(LEASE_NS, 60)).isFalse();

        successor.onProgress(FIRST, 0, 0, 0, 49, 60);
        assertThat(successor.hasEchoed(LEASE_NS, 60)).isFalse();
    }

    @Test
    void shouldForgetTheLeaseWhenTheFollowerAttachesAgain()
    {
        attach(FIRST, 10);
        successor.onProgress(FIRST, 0, 0, 0, 10, 20);
        attach(new ChainLink(1, 0, 101), 10);
        assertThat(successor.hasEchoed(LEASE_NS, 20)).isFalse();

        work(1);
        successor.onProgress(FIRST, 0, 0, 0, 25, 30);
        assertThat(successor.hasEchoed(LEASE_NS, 30)).isFalse();
    }

    @Test
    void shouldAskToAttachAgainWhenAnotherNodesAttemptWasLater()
    {
        attach(OTHER, 10);
        work(2);

        successor.onProgress(FIRST, 1, 1, 0, 0, 5);
        work(2);

        assertThat(ports.count("answer ATTACH_AGAIN")).isEqualTo(1);
    }

    @Test
    void shouldSendTheSnapshotBeforeWhenTheFollowerAsksForIt()
    {
        storage.snapshotCount = 2;
        successor.onAttach(FIRST, new EpochHistory(), Upstream.WANTS_SNAPSHOT - 1, 0);
        work(3);

        assertThat(storage.openedSnapshotAge).isEqualTo(1);
        assertThat(ports.count("frame")).isEqualTo(1);
        assertThat(storage.openReplays).isZero();
    }

    @Test
    void shouldTruncateWhenTheFollowerHoldsMoreThanItsEpochDoes()
    {
        final EpochHistory history = new EpochHistory();
        history.add(1, 0);
        successor.onAttach(FIRST, history, 12L * FakeState.STEP, 0);
        work(1);

        assertThat(ports.last()).isEqualTo("answer TRUNCATE " + 10 * FakeState.STEP);
    }

    private void attach(final ChainLink link, final int records)
    {
        final EpochHistory history = new EpochHistory();
        history.add(1, 0);
        successor.onAttach(link, history, (long)records * FakeState.STEP, 0);
    }

    private void work(final int cycles)
    {
        for (int i = 0; i < cycles; i++)
        {
            successor.doWork(i);
        }
    }
}
