// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.gradstream.recovery.log.Log;
import io.gradstream.recovery.log.Replay;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.log.SnapshotSink;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class LogTruncationTest
{
    private static final int SEGMENT_LENGTH = ArchiveNode.SEGMENT_LENGTH;

    private final ArchiveNode node = new ArchiveNode();

    @AfterEach
    void tearDown()
    {
        CloseHelper.close(node);
    }

    @Test
    void shouldGoOnAtTheCutWhenTruncatedToARecordsEnd()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        Log log = Records.openLog(storage, 0);
        Records.append(log, Records.bytes(1, 5000));
        final long cut = log.position();
        Records.append(log, Records.bytes(2, 5000));
        Records.append(log, Records.bytes(3, 5000));
        storage.closeLog();

        ArchiveNode.await("truncation", () -> storage.truncate(cut));

        log = Records.openLog(storage, cut);
        assertThat(log.position()).isEqualTo(cut);
        Records.append(log, Records.bytes(4, 700));
        assertThat(log.position()).isEqualTo(Records.endOf(cut, 700));
        Records.awaitRecorded(log);
        assertThat(Records.readLog(storage, 0)).containsExactly(Records.bytes(1, 5000), Records.bytes(4, 700));
        storage.close();
        node.restart();
        assertThat(Records.readLog(node.storage(0), 0))
            .containsExactly(Records.bytes(1, 5000), Records.bytes(4, 700));
    }

    @Test
    void shouldWriteSegmentsAnewWhenTruncatedAcrossABoundary()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        Log log = Records.openLog(storage, 0);
        final List<byte[]> written = appendUntil(log, 300_000, 1);
        final long cut = log.position();
        appendUntil(log, 3L * SEGMENT_LENGTH + 100_000, 2);
        storage.closeLog();

        ArchiveNode.await("truncation", () -> storage.truncate(cut));

        log = Records.openLog(storage, cut);
        written.addAll(appendUntil(log, 2L * SEGMENT_LENGTH + 200_000, 3));
        Records.awaitRecorded(log);
        assertThat(Records.readLog(storage, 0)).containsExactlyElementsOf(written);
        assertThat(node.segment(node.logs(0).get(0).recordingId(), 3L * SEGMENT_LENGTH)).doesNotExist();
        assertThat(log.isAlive()).isTrue();
        assertThat(node.errors).isEmpty();
    }

    @Test
    void shouldGoOnWhenTheCutIsWhereASegmentBegins()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        Log log = Records.openLog(storage, 0);
        final List<byte[]> written = appendSegment(log);
        assertThat(log.position()).isEqualTo(SEGMENT_LENGTH);
        appendUntil(log, 2L * SEGMENT_LENGTH + 1, 2);
        storage.closeLog();

        ArchiveNode.await("truncation", () -> storage.truncate(SEGMENT_LENGTH));

        assertThat(Records.readLog(storage, SEGMENT_LENGTH)).isEmpty();
        log = Records.openLog(storage, SEGMENT_LENGTH);
        written.addAll(appendUntil(log, 2L * SEGMENT_LENGTH + 1, 3));
        Records.awaitRecorded(log);
        assertThat(Records.readLog(storage, 0)).containsExactlyElementsOf(written);
    }

    @Test
    void shouldBeginAnewWhenTruncatedToItsStart()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        appendUntil(Records.openLog(storage, 0), 2L * SEGMENT_LENGTH, 1);
        storage.closeLog();

        ArchiveNode.await("truncation", () -> storage.truncate(0));

        assertThat(Records.readLog(storage, 0)).isEmpty();
        final Log log = Records.openLog(storage, 0);
        Records.append(log, Records.bytes(2, 64));
        Records.awaitRecorded(log);
        assertThat(Records.readLog(storage, 0)).containsExactly(Records.bytes(2, 64));
    }

    @Test
    void shouldDeleteSnapshotsBehindTheCutAndKeepOlder()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        Records.append(log, new byte[100]);
        final long older = log.position();
        Records.takeSnapshot(storage, older, 1);
        Records.append(log, new byte[100]);
        final long cut = log.position();
        Records.append(log, new byte[100]);
        Records.takeSnapshot(storage, log.position(), 2);
        storage.closeLog();

        ArchiveNode.await("truncation", () -> storage.truncate(cut));

        assertThat(storage.snapshotCount()).isEqualTo(1);
        assertThat(Records.read(storage.openSnapshot(0))).hasSize(3);
        assertThat(node.snapshots(0)).hasSize(1);
        storage.close();
        node.restart();
        assertThat(node.storage(0).snapshotCount()).isEqualTo(1);
    }

    @Test
    void shouldCutSnapshotsAloneWhenNoLogIsKept()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        Records.takeSnapshot(storage, 6400, 1);
        Records.takeSnapshot(storage, 9600, 2);

        ArchiveNode.await("truncation", () -> storage.truncate(7040));

        assertThat(storage.snapshotCount()).isEqualTo(1);
        assertThat(Records.read(storage.openSnapshot(0))).hasSize(3);
        storage.close();
        node.restart();
        assertThat(node.storage(0).snapshotCount()).isEqualTo(1);
    }

    @Test
    void shouldGiveUpTheSnapshotUnderWay()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        Records.append(log, new byte[100]);
        final SnapshotSink sink = storage.openSnapshotSink(log.position());
        Records.writeStart(sink, log.position());
        storage.closeLog();

        ArchiveNode.await("truncation", () -> storage.truncate(0));

        assertThat(sink.hasFailed()).isTrue();
        assertThat(node.snapshots(0)).isEmpty();
        assertThat(storage.openSnapshotSink(0)).isNotNull();
        storage.close();
    }

    @Test
    void shouldEndReplaysWhenTruncatedUnderThem()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        appendUntil(Records.openLog(storage, 0), 2L * SEGMENT_LENGTH, 1);
        storage.closeLog();
        final Replay replay = storage.openReplay(0, ReplicaStorage.TO_RECORDED_END);
        ArchiveNode.await("a record", () -> 0 != replay.poll((buffer, offset, length, position) -> {}, 1));

        ArchiveNode.await("truncation", () -> storage.truncate(0));

        assertThatThrownBy(() -> Records.read(replay)).isInstanceOf(ReplayException.class);
        assertThat(Records.readLog(storage, 0)).isEmpty();
    }

    @Test
    void shouldRefuseTruncationWhenLogIsOpenOrDoesNotHoldThePosition()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        Records.append(log, new byte[100]);
        final long end = log.position();
        assertThatThrownBy(() -> storage.truncate(0))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        assertThatThrownBy(storage::wipe).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        storage.closeLog();

        assertThatThrownBy(() -> ArchiveNode.await("refusal", () -> storage.truncate(end + 32)))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("0.." + end);
        ArchiveNode.await("truncation", () -> storage.truncate(end));
        assertThat(Records.readLog(storage, 0)).hasSize(1);
    }

    @Test
    void shouldDeleteEverythingWhenTheCutLiesBelowTheLogsStart()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        appendUntil(log, 2L * SEGMENT_LENGTH, 1);
        Records.takeSnapshot(storage, log.position(), 1);
        appendUntil(log, 3L * SEGMENT_LENGTH, 2);
        Records.takeSnapshot(storage, log.position(), 2);
        ArchiveNode.await("purge", () -> 0 != node.logs(0).get(0).startPosition());
        storage.closeLog();

        ArchiveNode.await("truncation", () -> storage.truncate(SEGMENT_LENGTH));

        assertThat(storage.snapshotCount()).isZero();
        assertThat(node.snapshots(0)).isEmpty();
        assertThat(node.logs(0)).isEmpty();
        assertThat(Records.readLog(storage, 0)).isEmpty();
        final Log second = Records.openLog(storage, 4L * SEGMENT_LENGTH);
        Records.append(second, Records.bytes(2, 100));
        Records.awaitRecorded(second);
        assertThat(Records.readLog(storage, 4L * SEGMENT_LENGTH)).containsExactly(Records.bytes(2, 100));
        storage.close();
    }

    @Test
    void shouldBeginALogAtAnyPositionWhenWiped()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log first = Records.openLog(storage, 0);
        appendUntil(first, 2L * SEGMENT_LENGTH, 1);
        Records.takeSnapshot(storage, first.position(), 2);
        storage.closeLog();

        ArchiveNode.await("wiping", storage::wipe);
        assertThat(storage.snapshotCount()).isZero();
        assertThat(node.snapshots(0)).isEmpty();
        assertThat(node.logs(0)).isEmpty();
        final Log second = Records.openLog(storage, 0);
        Records.append(second, Records.bytes(2, 100));
        Records.awaitRecorded(second);
        assertThat(Records.readLog(storage, 0)).containsExactly(Records.bytes(2, 100));
        storage.closeLog();

        ArchiveNode.await("wiping", storage::wipe);
        final long position = 5L * SEGMENT_LENGTH + 96;
        final Log third = Records.openLog(storage, position);
        assertThat(third.position()).isEqualTo(position);
        final List<byte[]> written = appendUntil(third, 7L * SEGMENT_LENGTH, 3);
        Records.awaitRecorded(third);
        storage.close();
        node.restart();

        final ArchiveReplicaStorage restarted = node.storage(0);
        assertThat(Records.readLog(restarted, position)).containsExactlyElementsOf(written);
        assertThatThrownBy(() -> Records.readLog(restarted, 0))
            .isInstanceOf(ReplayException.class).hasMessageContaining(position + "..");
    }

    @Test
    void shouldWipeWhatIsEmptyAndWhatIsBeingRead()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        ArchiveNode.await("wiping", storage::wipe);
        final Log log = Records.openLog(storage, 0);
        appendUntil(log, 2L * SEGMENT_LENGTH, 1);
        Records.takeSnapshot(storage, log.position(), 40_000);
        storage.closeLog();
        final Replay replay = storage.openReplay(0, ReplicaStorage.TO_RECORDED_END);
        final Replay snapshot = storage.openSnapshot(0);
        ArchiveNode.await("a record", () -> 0 != replay.poll((buffer, offset, length, position) -> {}, 1));
        ArchiveNode.await("a frame", () -> 0 != snapshot.poll((buffer, offset, length, position) -> {}, 1));

        ArchiveNode.await("wiping", storage::wipe);

        assertThat(Records.readLog(storage, 0)).isEmpty();
        assertThat(storage.snapshotCount()).isZero();
    }

    @Test
    void shouldCutNothingAfterItIsClosed()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        final List<byte[]> written = appendUntil(log, 3L * SEGMENT_LENGTH, 1);
        final long end = log.position();
        Records.awaitRecorded(log);
        storage.closeLog();
        assertThat(storage.truncate(0)).isFalse();
        storage.close();

        final ArchiveReplicaStorage next = node.storage(0);
        final Log reopened = Records.openLog(next, end);
        assertThat(Records.readLog(next, 0)).containsExactlyElementsOf(written);
        assertThat(reopened.isAlive()).isTrue();
        assertThat(node.errors).isEmpty();
    }

    /** As after a crash, in whatever step of the deletion it came. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 13, 21})
    void shouldLetTheNextStorageDeleteTheRestWhenItIsClosed(final int cycles)
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        appendUntil(log, 2L * SEGMENT_LENGTH, 1);
        Records.takeSnapshot(storage, log.position(), 1);
        Records.append(log, new byte[100]);
        Records.takeSnapshot(storage, log.position(), 2);
        storage.closeLog();
        final int[] cycle = {0};
        ArchiveNode.await("some steps", () -> storage.wipe() || cycles == cycle[0]++);
        storage.close();

        final ArchiveReplicaStorage next = node.storage(0);
        ArchiveNode.await("wiping", next::wipe);
        assertThat(node.logs(0)).isEmpty();
        assertThat(node.snapshots(0)).isEmpty();
    }

    private static List<byte[]> appendUntil(final Log log, final long position, final int seed)
    {
        final List<byte[]> written = new ArrayList<>();
        while (log.position() < position)
        {
            written.add(Records.bytes(seed + written.size(), 60_000));
            Records.append(log, written.get(written.size() - 1));
        }

        return written;
    }

    /** Fills a segment to its last byte. */
    private static List<byte[]> appendSegment(final Log log)
    {
        final List<byte[]> written = new ArrayList<>();
        for (int i = 0; i < 16; i++)
        {
            written.add(Records.bytes(i, log.maxRecordLength()));
        }
        written.add(Records.bytes(16, 512 - 32));
        written.forEach((record) -> Records.append(log, record));

        return written;
    }
}
