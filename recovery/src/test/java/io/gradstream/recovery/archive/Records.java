// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.gradstream.codecs.LogRecords;
import io.gradstream.codecs.SnapshotFrames;
import io.gradstream.codecs.snapshot.EpochEntryEncoder;
import io.gradstream.codecs.snapshot.MessageHeaderEncoder;
import io.gradstream.codecs.snapshot.SnapshotEndedEncoder;
import io.gradstream.codecs.snapshot.SnapshotStartedEncoder;
import io.gradstream.recovery.log.Log;
import io.gradstream.recovery.log.Replay;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.log.SnapshotSink;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Writes records and snapshots for tests, and reads them back.
 */
final class Records
{
    private Records()
    {
    }

    static byte[] bytes(final int seed, final int length)
    {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = (byte)(seed * 31 + i * 7);
        }

        return bytes;
    }

    static Log openLog(final ArchiveReplicaStorage storage, final long position)
    {
        final Log[] log = new Log[1];
        ArchiveNode.await("the log to open", () ->
        {
            log[0] = storage.openLog(position);
            return null != log[0];
        });

        return log[0];
    }

    static List<byte[]> readLog(final ArchiveReplicaStorage storage, final long fromPosition)
    {
        return read(storage.openReplay(fromPosition, ReplicaStorage.TO_RECORDED_END));
    }

    /** Where a record of so many bytes ends that begins at a position, if it fits the term. */
    static long endOf(final long position, final int length)
    {
        return position + LogRecords.alignedLength(length);
    }

    static void append(final Log log, final byte[] record)
    {
        ArchiveNode.await("room in the log", () -> log.tryClaim(record.length));
        log.buffer().putBytes(log.offset(), record);
        log.commit();
    }

    static void awaitRecorded(final Log log)
    {
        ArchiveNode.await("the log to be recorded", () -> log.recordedPosition() == log.position());
    }

    static List<byte[]> read(final Replay replay)
    {
        final List<byte[]> records = new ArrayList<>();
        try (replay)
        {
            ArchiveNode.await("the end of the replay", () ->
            {
                replay.poll((buffer, offset, length, position) ->
                {
                    final byte[] record = new byte[length];
                    buffer.getBytes(offset, record);
                    records.add(record);
                }, 256);
                return replay.isDone();
            });
        }

        return records;
    }

    static SnapshotSink takeSnapshot(final ArchiveReplicaStorage storage, final long position, final int entries)
    {
        final SnapshotSink sink = storage.openSnapshotSink(position);
        writeSnapshot(sink, position, entries);
        ArchiveNode.await("verification", () -> sink.isVerified() || sink.hasFailed());
        assertThat(sink.isVerified()).isTrue();

        return sink;
    }

    static void writeSnapshot(final SnapshotSink sink, final long position, final int entries)
    {
        writeStart(sink, position);
        for (int i = 0; i < entries; i++)
        {
            writeEntry(sink, i + 1, i);
        }
        writeEnd(sink, entries + 2);
        sink.complete();
    }

    static void writeStart(final SnapshotSink sink, final long position)
    {
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + SnapshotStartedEncoder.BLOCK_LENGTH;
        claim(sink, length);
        new SnapshotStartedEncoder()
            .wrapAndApplyHeader(sink.buffer(), sink.offset(), new MessageHeaderEncoder())
            .position(position).epoch(1).index(2).chainHash(3).jobId(1).partition(0);
        seal(sink, length, 0);
    }

    static void writeEntry(final SnapshotSink sink, final int number, final long epoch)
    {
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + EpochEntryEncoder.BLOCK_LENGTH;
        claim(sink, length);
        new EpochEntryEncoder()
            .wrapAndApplyHeader(sink.buffer(), sink.offset(), new MessageHeaderEncoder())
            .epoch(epoch).startPosition(epoch * 64);
        seal(sink, length, number);
    }

    static void writeEnd(final SnapshotSink sink, final int frames)
    {
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + SnapshotEndedEncoder.BLOCK_LENGTH;
        claim(sink, length);
        new SnapshotEndedEncoder()
            .wrapAndApplyHeader(sink.buffer(), sink.offset(), new MessageHeaderEncoder())
            .rowCount(0).frames(frames);
        seal(sink, length, frames - 1);
    }

    private static void claim(final SnapshotSink sink, final int length)
    {
        ArchiveNode.await("room in the snapshot", () -> sink.tryClaim(length));
    }

    private static void seal(final SnapshotSink sink, final int length, final int number)
    {
        SnapshotFrames.seal(sink.buffer(), sink.offset(), length, number);
        sink.commit();
    }
}
