// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.codecs.Chain;
import io.gradstream.recovery.log.LogCursor;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class LocalRecoveryTest
{
    private static final long EPOCH = 3;

    private final FakeState state = new FakeState();
    private final FakePorts ports = new FakePorts();
    private final FakeStorage storage = new FakeStorage();
    private final Replica replica = new Replica(1, 1, 0, storage, state, ports);

    @Test
    void shouldReportSoundLogWhenReadingItFailedForAWhile()
    {
        record(5);
        storage.failingReplays = ReadAttempts.MAX - 1;

        climb();

        assertThat(state.cursor.epoch()).isEqualTo(EPOCH);
        assertThat(state.cursor.position()).isEqualTo(5 * FakeState.STEP);
        assertThat(replica.damage()).isNull();
        assertThat(storage.openReplays).isZero();
    }

    @Test
    void shouldReportDamageWhenReadingFailsAtTheSamePlaceAgainAndAgain()
    {
        record(5);
        storage.records.get(2).putByte(FakeState.LENGTH - 1, (byte)1);

        climb();

        assertThat(replica.damage()).isNotNull();
        assertThat(state.cursor.position()).isEqualTo(2 * FakeState.STEP);
        assertThat(storage.openReplays).isZero();
    }

    @Test
    void shouldReadSnapshotAgainWhenReadingItFailedOnce()
    {
        storage.snapshotCount = 2;
        storage.startPosition = 10L * FakeState.STEP;
        state.brokenFrames = 1;

        climb();

        assertThat(storage.openedSnapshotAge).isZero();
    }

    @Test
    void shouldReportDamageWhenNoSnapshotIsSoundAndNoLogTellsWhatTheyHeld()
    {
        storage.snapshotCount = 1;
        storage.lostSnapshots = List.of("7-*.rec");
        state.brokenFrames = ReadAttempts.MAX;

        climb();

        assertThat(state.cursor.position()).isZero();
        assertThat(replica.damage()).contains("7-*.rec");
    }

    @Test
    void shouldBeginAnewWhenNothingOfTheLogCanBeUsed()
    {
        storage.startPosition = 10L * FakeState.STEP;
        storage.records.add(FakeState.record(new LogCursor(), EPOCH));
        climb();

        replica.onChain(new Chain(EPOCH, 2, List.of(0), 1, 2));
        for (int i = 0; i < 10 && 0 == ports.count("attach"); i++)
        {
            replica.doWork(i);
        }

        assertThat(storage.wipes).isEqualTo(1);
        assertThat(ports.last()).isEqualTo("attach " + Upstream.WANTS_SNAPSHOT);
    }

    private void record(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            storage.records.add(state.append(EPOCH));
        }
        state.reset();
    }

    private void climb()
    {
        for (int i = 0; i < 20 && Replica.State.AWAIT_ROLE != replica.state(); i++)
        {
            replica.doWork(0);
        }
        assertThat(replica.state()).isEqualTo(Replica.State.AWAIT_ROLE);
    }
}
