// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.aeron.Aeron;
import io.aeron.Counter;
import io.aeron.archive.status.RecordingPos;
import io.gradstream.recovery.archive.client.LogGeometry;
import io.gradstream.recovery.archive.client.Recording;
import io.gradstream.recovery.log.Log;
import io.gradstream.recovery.log.Replay;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.ReplicaStorage;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class ArchivedLogTest
{
    private final ArchiveNode node = new ArchiveNode();

    @AfterEach
    void tearDown()
    {
        CloseHelper.close(node);
    }

    @Test
    void shouldReplayEveryByteAndExtendAtTheSamePositionWhenRestarted()
    {
        final List<byte[]> written = new ArrayList<>();
        ArchiveReplicaStorage storage = node.storage(3);
        Log log = Records.openLog(storage, 0);
        for (int i = 0; i < 40; i++)
        {
            written.add(Records.bytes(i, 0 == i ? log.maxRecordLength() : 100 + i * 1500));
            Records.append(log, written.get(i));
        }
        final long position = log.position();
        Records.awaitRecorded(log);
        storage.close();
        node.restart();

        storage = node.storage(3);
        assertThat(Records.readLog(storage, 0)).containsExactlyElementsOf(written);
        log = Records.openLog(storage, position);
        assertThat(log.position()).isEqualTo(position);
        written.add(Records.bytes(99, 5000));
        Records.append(log, written.get(40));
        Records.awaitRecorded(log);

        assertThat(log.isAlive()).isTrue();
        assertThat(node.logs(3)).hasSize(1);
        assertThat(Records.readLog(storage, 0)).containsExactlyElementsOf(written);
        storage.close();
    }

    @Test
    void shouldReplayNothingWhenLogIsEmpty()
    {
        try (ArchiveReplicaStorage storage = node.storage(0))
        {
            assertThat(Records.readLog(storage, 0)).isEmpty();
            assertThatThrownBy(() -> Records.readLog(storage, 64))
                .isInstanceOf(ReplayException.class).hasMessageContaining("64").hasMessageContaining("0..0");
        }
    }

    @Test
    void shouldRefuseReplayWhenPositionIsOutsideOrInsideARecord()
    {
        try (ArchiveReplicaStorage storage = node.storage(0))
        {
            final Log log = Records.openLog(storage, 0);
            Records.append(log, new byte[4000]);
            Records.awaitRecorded(log);
            final long end = log.position();

            assertThat(Records.readLog(storage, end)).isEmpty();
            assertThatThrownBy(() -> Records.readLog(storage, end + 32))
                .isInstanceOf(ReplayException.class).hasMessageContaining("0.." + end);
            assertThatThrownBy(() -> Records.readLog(storage, 64))
                .isInstanceOf(ReplayException.class).hasMessageContaining("valid frame");
        }
    }

    @Test
    void shouldCutOffPaddingWhenItsRecordWasNeverWritten()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        final int termLength = LogGeometry.DEFAULT.termLength();
        while (log.position() + 60_000 < termLength)
        {
            Records.append(log, Records.bytes(1, 60_000 - 32));
        }
        final long end = log.position();
        ArchiveNode.await("padding", () -> log.tryClaim(60_000) || log.position() >= termLength);
        assertThat(log.position()).as("a claim is open, its term is not").isGreaterThanOrEqualTo(termLength);
        ArchiveNode.await("the padding to be recorded", () -> log.recordedPosition() >= termLength);
        node.restart();

        try (ArchiveReplicaStorage restarted = node.storage(0))
        {
            assertThat(Records.readLog(restarted, end)).isEmpty();
            assertThat(node.logs(0).get(0).stopPosition()).isEqualTo(termLength);
            final Log extended = Records.openLog(restarted, end);
            assertThat(extended.position()).isEqualTo(end);
            Records.append(extended, Records.bytes(7, 100));
            Records.awaitRecorded(extended);
            assertThat(Records.readLog(restarted, end)).containsExactly(Records.bytes(7, 100));
        }
    }

    @Test
    void shouldRefuseToOpenWhenReplicaStandsBeforeRecords()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        Records.append(log, new byte[100]);
        Records.awaitRecorded(log);
        storage.close();

        assertThatThrownBy(() -> Records.openLog(node.storage(0), 0))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("position=0").hasMessageContaining("160");
        assertThatThrownBy(() -> Records.openLog(node.storage(0, new LogGeometry(8192, 1024 * 1024, 7), false), 160))
            .isInstanceOf(IllegalStateException.class).hasMessageContaining("geometry");
    }

    @Test
    void shouldNotBeAliveWhenRecordingIsStoppedUnderIt()
    {
        try (ArchiveReplicaStorage storage = node.storage(0))
        {
            final Log log = Records.openLog(storage, 0);
            Records.append(log, new byte[100]);
            Records.awaitRecorded(log);
            final long recorded = log.recordedPosition();

            node.archive().tryStopRecordingByIdentity(((ArchivedLog)log).recordingId());

            ArchiveNode.await("death of the log", () -> !log.isAlive());
            assertThat(log.recordedPosition()).isEqualTo(recorded);
            assertThat(log.tryClaim(100)).isFalse();
        }
    }

    @Test
    void shouldNotCallRecordedWhatAnotherCounterSaysWhenItsOwnIsGone()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        Records.append(log, new byte[100]);
        Records.awaitRecorded(log);
        final long recorded = log.recordedPosition();
        final Aeron aeron = node.archive().context().aeron();
        final int counterId = RecordingPos.findCounterIdByRecording(
            aeron.countersReader(), ((ArchivedLog)log).recordingId(), node.archive().archiveId());
        node.archive().tryStopRecordingByIdentity(((ArchivedLog)log).recordingId());
        ArchiveNode.await("death of the log", () -> !log.isAlive());

        ArchiveNode.await("the counter to be used for something else", () ->
        {
            final Counter counter = aeron.addCounter(1001, "another");
            counter.setRelease(Long.MAX_VALUE);
            return counterId == counter.id();
        });

        assertThat(log.recordedPosition()).isEqualTo(recorded);
        assertThat(log.isAlive()).isFalse();
        storage.close();
    }

    @Test
    void shouldBreakOffWhenAByteOnDiskIsFlipped() throws IOException
    {
        ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        for (int i = 0; i < 3; i++)
        {
            Records.append(log, Records.bytes(i, 1000));
        }
        Records.awaitRecorded(log);
        storage.close();
        final Recording recording = node.logs(0).get(0);
        flip(node, recording.recordingId(), 0, 1500);

        storage = node.storage(0);
        final Replay replay = storage.openReplay(0, ReplicaStorage.TO_RECORDED_END);
        assertThatThrownBy(() -> Records.read(replay)).isInstanceOf(ReplayException.class)
            .hasMessageContaining("CRC checksum mismatch at position=1056");
        storage.close();
    }

    static void flip(final ArchiveNode node, final long recordingId, final long base, final int offset)
        throws IOException
    {
        try (RandomAccessFile file = new RandomAccessFile(node.segment(recordingId, base), "rw"))
        {
            file.seek(offset);
            final int value = file.read();
            file.seek(offset);
            file.write(value ^ 1);
        }
    }
}
