// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.gradstream.codecs.LogRecords;
import io.gradstream.recovery.archive.client.LogGeometry;
import io.gradstream.recovery.log.Log;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.log.SnapshotSink;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class ArchivedSnapshotTest
{
    private final ArchiveNode node = new ArchiveNode();

    @AfterEach
    void tearDown()
    {
        CloseHelper.close(node);
    }

    @Test
    void shouldFindSnapshotAfterRestartWhenVerified()
    {
        ArchiveReplicaStorage storage = node.storage(1);
        Records.takeSnapshot(storage, 0, 20);
        assertThat(storage.snapshotCount()).isEqualTo(1);
        storage.close();
        node.restart();

        storage = node.storage(1);
        assertThat(storage.snapshotCount()).isEqualTo(1);
        assertThat(Records.read(storage.openSnapshot(0))).hasSize(22);
        assertThat(node.storage(11).snapshotCount()).isZero();
    }

    @Test
    void shouldOpenOneAtATime()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final SnapshotSink sink = storage.openSnapshotSink(0);
        assertThat(storage.openSnapshotSink(0)).isNull();
        Records.writeSnapshot(sink, 0, 3);
        ArchiveNode.await("verification", sink::isVerified);

        assertThat(storage.openSnapshotSink(0)).isNotNull();
        storage.close();
    }

    @Test
    void shouldReadNothingBackWhileThatIsHeld()
    {
        final ArchiveReplicaStorage other = node.storage(11);
        final SnapshotSink held = node.storage(0).openSnapshotSink(0);
        held.holdReading(true);
        Records.writeSnapshot(held, 0, 20);
        for (int i = 0; i < 3; i++)
        {
            Records.takeSnapshot(other, 0, 20);
        }
        assertThat(held.isVerified()).isFalse();
        assertThat(held.readBytes()).isZero();

        held.holdReading(false);
        ArchiveNode.await("verification", held::isVerified);
        assertThat(held.readBytes()).isPositive();
    }

    @Test
    void shouldNotOfferSnapshotWhenItHasNoEnd()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        Records.takeSnapshot(storage, 0, 5);
        final SnapshotSink sink = storage.openSnapshotSink(0);
        Records.writeStart(sink, 0);
        for (int i = 0; i < 50; i++)
        {
            Records.writeEntry(sink, i + 1, i);
        }
        node.restart();
        assertThat(node.snapshots(0)).hasSize(2);

        final ArchiveReplicaStorage restarted = node.storage(0);
        assertThat(restarted.snapshotCount()).isEqualTo(1);
        assertThat(Records.read(restarted.openSnapshot(0))).hasSize(7);
        Records.takeSnapshot(restarted, 0, 6);
        ArchiveNode.await("the broken one to be purged", () -> node.snapshots(0).size() == 2);
        assertThat(restarted.snapshotCount()).isEqualTo(2);
    }

    @Test
    void shouldFailWhenFramesAreMissingOrPositionDiffers()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final SnapshotSink short1 = storage.openSnapshotSink(0);
        Records.writeStart(short1, 0);
        Records.writeEnd(short1, 3);
        short1.complete();
        ArchiveNode.await("failure", short1::hasFailed);

        final SnapshotSink other = storage.openSnapshotSink(0);
        Records.writeSnapshot(other, 64, 1);
        ArchiveNode.await("failure", other::hasFailed);

        assertThat(storage.snapshotCount()).isZero();
        assertThat(node.errors).hasSize(2).allMatch(ReplayException.class::isInstance);
    }

    @Test
    void shouldFailWhenRecordingIsStoppedUnderIt()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final SnapshotSink sink = storage.openSnapshotSink(0);
        Records.writeStart(sink, 0);
        assertThat(sink.hasFailed()).isFalse();
        node.archive().tryStopRecordingByIdentity(node.snapshots(0).get(0).recordingId());

        ArchiveNode.await("failure", sink::hasFailed);
        assertThat(sink.tryClaim(64)).isFalse();
        assertThat(storage.openSnapshotSink(0)).isNotNull();
        storage.close();
    }

    @Test
    void shouldFallBackOnTheOlderSnapshotWhenAByteOfTheNewestIsFlipped() throws IOException
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        Records.takeSnapshot(storage, 0, 30);
        Records.takeSnapshot(storage, 0, 40_000);
        storage.close();
        final int segment = ArchiveNode.SEGMENT_LENGTH;
        ArchivedLogTest.flip(node, node.snapshots(0).get(1).recordingId(), segment, segment / 2 + 40);
        node.restart();

        final ArchiveReplicaStorage restarted = node.storage(0);
        assertThat(restarted.snapshotCount()).isEqualTo(2);
        assertThatThrownBy(() -> Records.read(restarted.openSnapshot(0))).isInstanceOf(ReplayException.class);
        assertThat(Records.read(restarted.openSnapshot(1))).hasSize(32);
        restarted.close();

        final ArchiveReplicaStorage third = node.storage(0);
        Records.takeSnapshot(third, 0, 50);
        assertThat(Records.read(third.openSnapshot(0))).hasSize(52);
        assertThat(Records.read(third.openSnapshot(1))).as("the damaged one is dropped").hasSize(32);
    }

    @Test
    void shouldNotOfferSnapshotWhenItsBeginningIsDamaged() throws IOException
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        Records.takeSnapshot(storage, 0, 30);
        Records.takeSnapshot(storage, 0, 40);
        storage.close();
        ArchivedLogTest.flip(node, node.snapshots(0).get(1).recordingId(), 0, 40);
        node.restart();

        final ArchiveReplicaStorage restarted = node.storage(0);
        assertThat(restarted.snapshotCount()).isEqualTo(1);
        assertThat(Records.read(restarted.openSnapshot(0))).hasSize(32);
    }

    @Test
    void shouldNameTheFilesWhenSnapshotsHaveCountedAndNoneIsSound() throws IOException
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        Records.takeSnapshot(storage, 0, 30);
        Records.takeSnapshot(storage, 0, 40);
        storage.close();
        final long older = node.snapshots(0).get(0).recordingId();
        final long newer = node.snapshots(0).get(1).recordingId();
        ArchivedLogTest.flip(node, older, 0, 40);
        final int end = (int)node.snapshots(0).get(1).stopPosition();
        ArchivedLogTest.flip(node, newer, 0, end - LogRecords.FRAME_ALIGNMENT + 3);
        node.restart();

        final ArchiveReplicaStorage restarted = node.storage(0);
        assertThat(restarted.snapshotCount()).isZero();
        assertThat(restarted.lostSnapshots()).containsExactly(newer + "-*.rec", older + "-*.rec");
    }

    @Test
    void shouldMissTheOnlySnapshotWhenTheArchiveHasWithdrawnIt()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        Records.takeSnapshot(storage, 0, 30);
        storage.close();
        final long recordingId = node.snapshots(0).get(0).recordingId();
        node.restartWithdrawn(LogGeometry.snapshotAlias(1, 0), recordingId);

        final ArchiveReplicaStorage restarted = node.storage(0);
        assertThat(restarted.snapshotCount()).isZero();
        assertThat(restarted.lostSnapshots()).containsExactly(recordingId + "-*.rec");
    }

    @Test
    void shouldNeverCountASnapshotThatWasAheadOfItsLogWhenItsProcessEnded()
    {
        ArchiveReplicaStorage storage = node.storage(0);
        Log log = Records.openLog(storage, 0);
        Records.append(log, new byte[1000]);
        Records.awaitRecorded(log);
        final long end = log.position();
        final SnapshotSink sink = storage.openSnapshotSink(end + 2048);
        Records.writeSnapshot(sink, end + 2048, 3);
        ArchiveNode.await("the snapshot's end", () -> !node.snapshots(0).get(0).isActive());
        node.restart();

        storage = node.storage(0);
        assertThat(storage.snapshotCount()).isZero();
        log = Records.openLog(storage, end);
        for (int i = 0; i < 4; i++)
        {
            Records.append(log, new byte[1000]);
        }
        Records.awaitRecorded(log);
        assertThat(log.position()).isGreaterThan(end + 2048);
        node.restart();

        assertThat(node.storage(0).snapshotCount()).isZero();
    }

    @Test
    void shouldMissNothingWhenTheOnlySnapshotNeverHadAnEnd()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        assertThat(storage.lostSnapshots()).isEmpty();
        final SnapshotSink sink = storage.openSnapshotSink(0);
        Records.writeStart(sink, 0);
        for (int i = 0; i < 50; i++)
        {
            Records.writeEntry(sink, i + 1, i);
        }
        node.restart();
        assertThat(node.snapshots(0)).hasSize(1);

        final ArchiveReplicaStorage restarted = node.storage(0);
        assertThat(restarted.snapshotCount()).isZero();
        assertThat(restarted.lostSnapshots()).isEmpty();
    }

    @Test
    void shouldLeaveItToTheLogWhatIsLostWhenThereIsOne() throws IOException
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        Records.append(log, new byte[1000]);
        Records.takeSnapshot(storage, log.position(), 30);
        Records.awaitRecorded(log);
        storage.close();
        ArchivedLogTest.flip(node, node.snapshots(0).get(0).recordingId(), 0, 40);
        node.restart();

        final ArchiveReplicaStorage restarted = node.storage(0);
        assertThat(restarted.snapshotCount()).isZero();
        assertThat(restarted.lostSnapshots()).isEmpty();
    }

    @Test
    void shouldPurgeLogBehindTheOlderSnapshot()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        appendSegments(log, 2.5);
        final long olderPosition = log.position();
        assertThat(Records.takeSnapshot(storage, olderPosition, 1).olderPosition()).as("only one snapshot").isZero();
        assertThat(node.logs(0).get(0).startPosition()).as("only one snapshot").isZero();
        appendSegments(log, 2);
        assertThat(Records.takeSnapshot(storage, log.position(), 2).olderPosition()).isEqualTo(olderPosition);

        ArchiveNode.await("purge", () -> node.logs(0).get(0).startPosition() == 2L * ArchiveNode.SEGMENT_LENGTH);
        Records.awaitRecorded(log);
        assertThat(Records.readLog(storage, olderPosition)).isNotEmpty();
        assertThatThrownBy(() -> Records.readLog(storage, 0))
            .isInstanceOf(ReplayException.class).hasMessageContaining("position=0");
        Records.takeSnapshot(storage, log.position(), 3);
        ArchiveNode.await("the oldest to be purged", () -> node.snapshots(0).size() == 2);
        assertThat(Records.read(storage.openSnapshot(1))).hasSize(4);
        storage.close();
        assertThat(node.errors).isEmpty();
    }

    @Test
    void shouldKeepLogThatAFollowerLacksUntilItLacksNoMore()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        appendSegments(log, 2.5);
        Records.takeSnapshot(storage, log.position(), 1);
        appendSegments(log, 2);
        storage.keepLogFrom(ArchiveNode.SEGMENT_LENGTH);
        Records.takeSnapshot(storage, log.position(), 2);
        ArchiveNode.await("purge", () -> node.logs(0).get(0).startPosition() == ArchiveNode.SEGMENT_LENGTH);

        storage.keepLogFrom(ReplicaStorage.NOTHING_LACKED);
        Records.takeSnapshot(storage, log.position(), 3);
        ArchiveNode.await("purge", () -> node.logs(0).get(0).startPosition() > ArchiveNode.SEGMENT_LENGTH);
        storage.close();
        assertThat(node.errors).isEmpty();
    }

    @Test
    void shouldKeepLogWhenToldSo()
    {
        final ArchiveReplicaStorage storage = node.storage(0, LogGeometry.DEFAULT, true);
        final Log log = Records.openLog(storage, 0);
        appendSegments(log, 2.5);
        Records.takeSnapshot(storage, log.position(), 1);
        Records.takeSnapshot(storage, log.position(), 2);
        Records.takeSnapshot(storage, log.position(), 3);

        assertThat(node.logs(0).get(0).startPosition()).isZero();
        storage.close();
    }

    private static void appendSegments(final Log log, final double segments)
    {
        final long end = log.position() + (long)(segments * ArchiveNode.SEGMENT_LENGTH);
        while (log.position() < end)
        {
            Records.append(log, new byte[60_000]);
        }
    }
}
