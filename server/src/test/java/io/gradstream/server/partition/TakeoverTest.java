// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.SlotRole;
import io.gradstream.server.snapshot.SnapshotThreshold;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TakeoverTest
{
    private PartitionRig rig = new PartitionRig();
    private HostedPartition copy;

    @BeforeEach
    void serve()
    {
        copy = new HostedPartition(rig.partition, rig.storage, rig.replica, SnapshotThreshold.fixed(Long.MAX_VALUE));
        copy.mayAnswer(true);
    }

    @Test
    void shouldWelcomeANewProcessOnlyOnceItsTakeoverIsRecorded()
    {
        assertThat(hello(2)).isEqualTo(Refusal.BUSY);
        assertThat(hello(2)).isEqualTo(Refusal.BUSY);

        record();

        assertThat(hello(2)).isEqualTo(Refusal.NONE);
        assertThat(hello(1)).isEqualTo(Refusal.FENCED);
    }

    @Test
    void shouldNotWaitAgainWhenAWelcomedProcessComesBackToTheNextPrimary()
    {
        hello(2);
        record();
        rig.crashAndRestart();
        serve();

        assertThat(copy.onHello(0, 2, SlotRole.SOLE, 1, 0)).isEqualTo(Refusal.NONE);
        assertThat(hello(1)).isEqualTo(Refusal.FENCED);
    }

    @Test
    void shouldNotFillTheLogWhenAProcessSaysHelloAgainAndAgain()
    {
        hello(2);
        final long position = rig.partition.cursor().position();
        for (int i = 0; i < 100; i++)
        {
            hello(2);
            hello(1);
        }

        assertThat(rig.partition.cursor().position()).isEqualTo(position);
    }

    @Test
    void shouldAskToComeAgainWhenTheLogHasNoRoomForTheTakeover()
    {
        rig.storage.backPressured(true);
        assertThat(hello(2)).isEqualTo(Refusal.BUSY);
        rig.storage.backPressured(false);
        record();

        // nothing was appended, so it begins now
        assertThat(hello(2)).isEqualTo(Refusal.BUSY);
        record();
        assertThat(hello(2)).isEqualTo(Refusal.NONE);
    }

    @Test
    void shouldTellNoProcessOfThePartsOfItsSuccessor()
    {
        hello(1);
        assertThat(copy.mayAcknowledge(0, 1)).isTrue();
        hello(2);

        assertThat(copy.mayAcknowledge(0, 1)).isFalse();
        assertThat(copy.mayAcknowledge(0, 2)).isTrue();
        assertThat(copy.mayAcknowledge(1, 1)).isTrue();
        assertThat(copy.mayAcknowledge(Partition.OBSERVER, 1)).isTrue();
        copy.mayAnswer(false);
        assertThat(copy.mayAcknowledge(0, 2)).isFalse();
    }

    @Test
    void shouldSayWhosePartTheLastOneIs()
    {
        rig.createTables();
        assertThat(copy.lastIncarnation(0)).isZero();
        assertThat(rig.pushCount(0, 1, 7, 1f)).isEqualTo(Outcome.APPENDED);
        hello(2);
        assertThat(copy.lastIncarnation(0)).isEqualTo(1);
        rig.takeSnapshot();
        record();
        rig.crashAndRestart();
        serve();

        assertThat(copy.lastIncarnation(0)).isEqualTo(1);
        assertThat(copy.lastIncarnation(Partition.OBSERVER)).isZero();
    }

    @Test
    void shouldTakeTheSlotOverAgainWhereOnlySnapshotsAreKeptAndNoneHeldTheTakeover()
    {
        rig = new PartitionRig(new InMemoryStorage(), RecoveryMode.STATELESS, false);
        serve();
        rig.createTables();
        assertThat(rig.pushCount(0, 1, 7, 1f)).isEqualTo(Outcome.APPENDED);
        rig.takeSnapshot();
        hello(2);
        record();
        assertThat(hello(2)).isEqualTo(Refusal.NONE);
        rig.crashAndRestart();
        serve();

        assertThat(rig.partition.contents().incarnation(0)).isEqualTo(1);
        copy.onHello(0, 2, SlotRole.SOLE, 2, 0);
        record();

        assertThat(copy.onHello(0, 2, SlotRole.SOLE, 2, 0)).isEqualTo(Refusal.NONE);
        assertThat(hello(1)).isEqualTo(Refusal.FENCED);
    }

    private Refusal hello(final long incarnation)
    {
        return copy.onHello(0, incarnation, SlotRole.SOLE, 0, 0);
    }

    private void record()
    {
        rig.storage.recordAll();
        rig.chain.drive(rig.replica);
    }
}
