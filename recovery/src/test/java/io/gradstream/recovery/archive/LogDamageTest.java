// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.gradstream.recovery.archive.client.LogGeometry;
import io.gradstream.recovery.log.Log;
import io.gradstream.recovery.log.Replay;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.ReplicaStorage;
import org.agrona.CloseHelper;
import org.agrona.collections.MutableLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class LogDamageTest
{
    private static final int SEGMENT_LENGTH = ArchiveNode.SEGMENT_LENGTH;
    private static final int RECORD_LENGTH = 20_000;
    private static final int RECORDS = 200;

    private final ArchiveNode node = new ArchiveNode();
    private final List<byte[]> written = new ArrayList<>();

    @AfterEach
    void tearDown()
    {
        CloseHelper.close(node);
    }

    @Test
    void shouldHandOnNothingWrongAndBeRepairableWhenAPayloadIsDamaged() throws IOException
    {
        ArchiveReplicaStorage storage = writeLog();
        ArchivedLogTest.flip(node, recordingId(), SEGMENT_LENGTH, SEGMENT_LENGTH / 2);

        final long reached = readDamaged(storage, "CRC checksum mismatch at position=");
        assertThat(reached).isLessThanOrEqualTo(SEGMENT_LENGTH + SEGMENT_LENGTH / 2);
        repair(storage, reached);
        storage.close();
        node.restart();

        storage = node.storage(0);
        assertThat(Records.readLog(storage, 0)).containsExactlyElementsOf(written);
        storage.close();
    }

    @Test
    void shouldHandOnWhatIsBeforeAndBeRepairableWhenASegmentIsMissing() throws IOException
    {
        final ArchiveReplicaStorage storage = writeLog();
        Files.delete(node.segment(recordingId(), 2L * SEGMENT_LENGTH).toPath());

        final long reached = readDamaged(storage, "recording segment not found");
        assertThat(reached).isLessThanOrEqualTo(2L * SEGMENT_LENGTH);
        repair(storage, reached);
        storage.close();
    }

    @Test
    void shouldNotHoldUpOtherPartitionsWhenItsFirstSegmentIsMissing() throws IOException
    {
        final ArchiveReplicaStorage storage = writeLog();
        Files.delete(node.segment(recordingId(), 0).toPath());
        final Replay replay = storage.openReplay(0, ReplicaStorage.TO_RECORDED_END);
        assertThat(replay.poll((buffer, offset, length, position) -> {}, 1)).isZero();

        final long startNs = System.nanoTime();
        final ArchiveReplicaStorage other = node.storage(1);
        final Log log = Records.openLog(other, 0);
        Records.append(log, Records.bytes(1, 100));
        Records.awaitRecorded(log);
        assertThat(Records.readLog(other, 0)).hasSize(1);
        assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.SECONDS.toNanos(1));

        assertThatThrownBy(() -> Records.read(replay))
            .isInstanceOf(ReplayException.class).hasMessageContaining("recording segment file not created");
        other.close();
    }

    @Test
    void shouldNotTakeAWithdrawnLogForOneThatNeverWasAndBeginAnewAfterAWipe()
    {
        final long recordingId;
        try (ArchiveReplicaStorage storage = writeLog())
        {
            recordingId = recordingId();
            storage.closeLog();
        }
        node.restartWithdrawn(LogGeometry.logAlias(1, 0), recordingId);

        final ArchiveReplicaStorage storage = node.storage(0);
        assertThatThrownBy(() -> Records.readLog(storage, 0))
            .isInstanceOf(ReplayException.class).hasMessageContaining("withdrawn recordingId=" + recordingId);
        assertThat(Records.readLog(node.storage(1), 0)).as("another partition's").isEmpty();

        ArchiveNode.await("wiping", storage::wipe);
        final Log log = Records.openLog(storage, 0);
        Records.append(log, written.get(0));
        Records.awaitRecorded(log);
        assertThat(Records.readLog(storage, 0)).containsExactly(written.get(0));
        storage.close();
    }

    @Test
    void shouldNotOfferSnapshotWhenItStandsAheadOfTheLog()
    {
        ArchiveReplicaStorage storage = writeLog();
        final long end = node.logs(0).get(0).stopPosition();
        final Log log = Records.openLog(storage, end);
        Records.takeSnapshot(storage, end, 5);
        storage.close();
        ArchiveNode.await("the log's end", () -> !node.logs(0).get(0).isActive());
        assertThat(log.isAlive()).isFalse();
        node.archive().truncateRecording(recordingId(), Records.endOf(0, RECORD_LENGTH));

        storage = node.storage(0);
        assertThat(storage.snapshotCount()).isZero();
        assertThat(Records.readLog(storage, 0)).containsExactly(written.get(0));
        storage.close();
    }

    @Test
    void shouldFallBackWhenASegmentOfTheNewestSnapshotIsMissing() throws IOException
    {
        ArchiveReplicaStorage storage = node.storage(0);
        Records.takeSnapshot(storage, 0, 10);
        Records.takeSnapshot(storage, 0, 60_000);
        storage.close();
        Files.delete(node.segment(node.snapshots(0).get(1).recordingId(), SEGMENT_LENGTH).toPath());
        node.restart();

        storage = node.storage(0);
        final ArchiveReplicaStorage restarted = storage;
        assertThatThrownBy(() -> Records.read(restarted.openSnapshot(0))).isInstanceOf(ReplayException.class);
        assertThat(Records.read(storage.openSnapshot(1))).hasSize(12);
        storage.close();
    }

    @Test
    void shouldRefuseToOpenWhenThereIsNoRoom()
    {
        try (ArchiveNode full = new ArchiveNode(node.directory("full"), Long.MAX_VALUE))
        {
            final ArchiveReplicaStorage storage = full.storage(0);

            assertThatThrownBy(() -> Records.openLog(storage, 0))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("low storage threshold");
            assertThatThrownBy(() -> Records.openLog(storage, 0)).hasMessageContaining("low storage threshold");
            storage.close();
        }
    }

    /** A closed log of four segments. */
    private ArchiveReplicaStorage writeLog()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        for (int i = 0; i < RECORDS; i++)
        {
            written.add(Records.bytes(i, RECORD_LENGTH));
            Records.append(log, written.get(i));
        }
        Records.awaitRecorded(log);
        assertThat(log.position()).isGreaterThan(3L * SEGMENT_LENGTH);
        storage.closeLog();
        ArchiveNode.await("the log's end", () -> !node.logs(0).get(0).isActive());

        return storage;
    }

    /** Where the last sound record ends. */
    private long readDamaged(final ArchiveReplicaStorage storage, final String reason)
    {
        final List<byte[]> read = new ArrayList<>();
        final MutableLong reached = new MutableLong();
        try (Replay replay = storage.openReplay(0, ReplicaStorage.TO_RECORDED_END))
        {
            assertThatThrownBy(() -> ArchiveNode.await("the damage", () ->
            {
                replay.poll((buffer, offset, length, position) ->
                {
                    final byte[] record = new byte[length];
                    buffer.getBytes(offset, record);
                    read.add(record);
                    reached.set(position);
                }, 10);
                return false;
            })).isInstanceOf(ReplayException.class).hasMessageContaining(reason);
        }
        assertThat(read).hasSizeLessThan(RECORDS).containsExactlyElementsOf(written.subList(0, read.size()));

        return reached.get();
    }

    /** As from another copy: cut off at the last sound record, then append what comes behind it. */
    private void repair(final ArchiveReplicaStorage storage, final long reached)
    {
        ArchiveNode.await("truncation", () -> storage.truncate(reached));
        final int sound = Records.readLog(storage, 0).size();
        final Log log = Records.openLog(storage, reached);
        for (int i = sound; i < RECORDS; i++)
        {
            Records.append(log, written.get(i));
        }
        Records.awaitRecorded(log);

        assertThat(Records.readLog(storage, 0)).containsExactlyElementsOf(written);
        assertThat(log.isAlive()).isTrue();
    }

    private long recordingId()
    {
        return node.logs(0).get(0).recordingId();
    }
}
