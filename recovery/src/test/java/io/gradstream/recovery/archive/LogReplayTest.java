// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.gradstream.recovery.archive.client.ArchiveClient;
import io.gradstream.recovery.archive.client.LogGeometry;
import io.gradstream.recovery.archive.client.PartitionStreams;
import io.gradstream.recovery.archive.client.Recording;
import io.gradstream.recovery.log.Log;
import io.gradstream.recovery.log.Replay;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.ReplicaStorage;
import org.agrona.CloseHelper;
import org.agrona.collections.MutableInteger;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class LogReplayTest
{
    private static final int LOOKS = 20;

    private final ArchiveNode node = new ArchiveNode();

    @AfterEach
    void tearDown()
    {
        CloseHelper.close(node);
    }

    @Test
    void shouldFollowTheRecordingWhenItsEndIsAhead()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        Records.append(log, Records.bytes(1, 1000));
        final long end = Records.endOf(log.position(), 2000);
        final List<byte[]> records = new ArrayList<>();
        final Replay replay = storage.openReplay(0, end);
        pollUntil(replay, records, 1);
        assertThat(replay.isDone()).isFalse();

        Records.append(log, Records.bytes(2, 2000));
        Records.append(log, Records.bytes(3, 100));
        records.addAll(Records.read(replay));

        assertThat(records).containsExactly(Records.bytes(1, 1000), Records.bytes(2, 2000));
        assertThat(replay.endPosition()).isEqualTo(end);
        storage.close();
    }

    @Test
    void shouldAwaitItsBeginningWhenThatIsNotRecordedYet()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        Records.append(log, Records.bytes(1, 1000));
        final long begin = Records.endOf(log.position(), 2000);
        final Replay replay = storage.openReplay(begin, Records.endOf(begin, 300));
        assertThat(replay.isDone()).isFalse();

        Records.append(log, Records.bytes(2, 2000));
        Records.append(log, Records.bytes(3, 300));

        assertThat(Records.read(replay)).containsExactly(Records.bytes(3, 300));
        storage.close();
    }

    @Test
    void shouldFailWhenItsEndIsNeverRecorded()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        Records.append(log, Records.bytes(1, 1000));
        final long end = Records.endOf(log.position(), 2000);
        final Replay replay = storage.openReplay(0, end);
        pollUntil(replay, new ArrayList<>(), 1);
        storage.closeLog();

        assertThatThrownBy(() -> Records.read(replay)).isInstanceOf(ReplayException.class)
            .hasMessageContaining("position=1056").hasMessageContaining("endPosition=" + end);
        assertThatThrownBy(() -> Records.read(storage.openReplay(0, end))).isInstanceOf(ReplayException.class)
            .hasMessageContaining("0..1056");
    }

    @Test
    void shouldReadTwoReplaysOfOneLogAtOnce()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        final List<byte[]> written = new ArrayList<>();
        long middle = 0;
        for (int i = 0; i < 200; i++)
        {
            written.add(Records.bytes(i, 20_000));
            Records.append(log, written.get(i));
            middle = 99 == i ? log.position() : middle;
        }
        Records.awaitRecorded(log);

        final List<byte[]> fromStart = new ArrayList<>();
        final List<byte[]> fromMiddle = new ArrayList<>();
        try (Replay first = storage.openReplay(0, ReplicaStorage.TO_RECORDED_END);
            Replay second = storage.openReplay(middle, ReplicaStorage.TO_RECORDED_END))
        {
            ArchiveNode.await("both", () ->
            {
                poll(first, fromStart);
                poll(second, fromMiddle);
                return first.isDone() && second.isDone();
            });
        }

        assertThat(fromStart).containsExactlyElementsOf(written);
        assertThat(fromMiddle).containsExactlyElementsOf(written.subList(100, 200));
        storage.close();
    }

    @Test
    void shouldReplayEverythingAppendedWhenLogWasJustClosed()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        for (int i = 0; i < 100; i++)
        {
            Records.append(log, Records.bytes(i, 5000));
        }
        final long end = log.position();
        storage.closeLog();

        assertThat(log.isAlive()).isFalse();
        assertThat(log.tryClaim(64)).isFalse();
        assertThat(log.position()).isEqualTo(end);
        assertThat(Records.readLog(storage, 0)).hasSize(100);
        assertThat(Records.openLog(storage, end).position()).isEqualTo(end);
        assertThatThrownBy(() -> storage.openLog(end)).hasMessageContaining("open already");
        storage.close();
    }

    @Test
    void shouldAwaitTheEndOfALogThatIsBeingClosed()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        Records.append(log, Records.bytes(1, 1000));
        Records.awaitRecorded(log);
        final LogRangeFinder rest = new LogRangeFinder(
            new PartitionStreams(1, 0, LogGeometry.DEFAULT, SystemNanoClock.INSTANCE), 0,
            ReplicaStorage.TO_RECORDED_END, false);
        final MutableInteger looks = new MutableInteger();
        ArchiveNode.await("looks at a log that goes on", () ->
        {
            assertThat(rest.find(node.client())).as("more may come").isNull();
            return looks.incrementAndGet() > LOOKS;
        });

        Records.append(log, Records.bytes(2, 1000));
        storage.closeLog();

        ArchiveNode.await("the end", () -> null != rest.find(node.client()));
        assertThat(rest.find(node.client()).toPosition()).isEqualTo(log.position());
    }

    @Test
    void shouldStopTheOldRecordingWhenTheDriverLivedOn()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        Records.append(log, Records.bytes(1, 1000));
        Records.awaitRecorded(log);
        final long end = log.position();
        Records.writeStart(storage.openSnapshotSink(end), end);
        node.restartClients();
        assertThat(node.logs(0).get(0).isActive()).isTrue();

        final ArchiveReplicaStorage restarted = node.storage(0);
        assertThat(node.logs(0).get(0).isActive()).isFalse();
        assertThat(node.snapshots(0)).noneMatch(Recording::isActive);
        assertThat(log.isAlive()).isFalse();
        assertThat(Records.readLog(restarted, 0)).containsExactly(Records.bytes(1, 1000));
        final Log extended = Records.openLog(restarted, end);
        Records.append(extended, Records.bytes(2, 1000));
        Records.awaitRecorded(extended);
        assertThat(Records.readLog(restarted, 0))
            .containsExactly(Records.bytes(1, 1000), Records.bytes(2, 1000));
        assertThat(log.recordedPosition()).isEqualTo(end);
    }

    @Test
    void shouldPadToATermsBeginning()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        final int termLength = LogGeometry.DEFAULT.termLength();
        while (log.position() + log.maxRecordLength() < termLength)
        {
            Records.append(log, Records.bytes(1, 60_000));
        }
        final ArchivedLog archived = (ArchivedLog)log;
        assertThatThrownBy(() -> archived.tryPadTo(termLength - 32)).hasMessageContaining("cannot pad");
        assertThatThrownBy(() -> archived.tryPadTo(2L * termLength)).hasMessageContaining("cannot pad");

        ArchiveNode.await("padding", () -> archived.tryPadTo(termLength));

        assertThat(log.position()).isEqualTo(termLength);
        Records.append(log, Records.bytes(2, 100));
        Records.awaitRecorded(log);
        assertThat(Records.readLog(storage, termLength)).containsExactly(Records.bytes(2, 100));
        storage.close();
    }

    @Test
    void shouldAwaitItsTurnWhenTheArchiveHasTooManyReplays()
    {
        final ArchiveReplicaStorage storage = node.storage(0);
        final Log log = Records.openLog(storage, 0);
        for (int i = 0; i < 40; i++)
        {
            Records.append(log, Records.bytes(i, 60_000));
        }
        Records.awaitRecorded(log);
        final List<Replay> replays = new ArrayList<>();
        for (int i = 0; i < ArchiveNode.MAX_REPLAYS; i++)
        {
            final Replay replay = storage.openReplay(0, ReplicaStorage.TO_RECORDED_END);
            ArchiveNode.await("a record", () -> 0 != replay.poll((buffer, offset, length, position) -> {}, 1));
            replays.add(replay);
        }
        final Replay late = storage.openReplay(0, ReplicaStorage.TO_RECORDED_END);
        final MutableInteger looks = new MutableInteger();
        ArchiveNode.await("looks at a replay that is refused", () ->
        {
            assertThat(late.poll((buffer, offset, length, position) -> {}, 1)).isZero();
            return looks.incrementAndGet() > LOOKS;
        });

        CloseHelper.closeAll(replays);

        ArchiveNode.await("a record", () -> 0 != late.poll((buffer, offset, length, position) -> {}, 1));
        late.close();
        storage.close();
    }

    @Test
    void shouldSayBusyWhenAskedBeforeItIsReady()
    {
        final ArchiveReplicaStorage storage = node.newStorage(0, LogGeometry.DEFAULT, false);

        assertThatThrownBy(() -> storage.openLog(0)).hasMessageContaining("isReady()");
        assertThatThrownBy(storage::snapshotCount).hasMessageContaining("isReady()");
    }

    @Test
    void shouldNotBeReadyWhenTheClientHasTooManyOperations()
    {
        final ArchiveClient idle = new ArchiveClient(node.client().aeron(), node::archiveContext, node.errors::add);
        final ArchiveReplicaStorage storage = new ArchiveReplicaStorage(
            idle, LogGeometry.DEFAULT, 1, 0, false, false, SystemNanoClock.INSTANCE);
        final PartitionStreams streams = new PartitionStreams(1, 0, LogGeometry.DEFAULT, SystemNanoClock.INSTANCE);
        for (int i = 0; i < ArchiveClient.MAX_OPERATIONS; i++)
        {
            assertThat(idle.start(new LogOpening(streams, 0))).isTrue();
        }

        assertThat(idle.start(new LogOpening(streams, 0))).isFalse();
        assertThat(storage.isReady()).isFalse();
        storage.close();
    }

    private static void pollUntil(final Replay replay, final List<byte[]> records, final int count)
    {
        ArchiveNode.await("records", () ->
        {
            poll(replay, records);
            return records.size() >= count;
        });
    }

    private static void poll(final Replay replay, final List<byte[]> records)
    {
        replay.poll((buffer, offset, length, position) ->
        {
            final byte[] record = new byte[length];
            buffer.getBytes(offset, record);
            records.add(record);
        }, 20);
    }
}
