// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.gradstream.recovery.archive.client.ArchiveClient;
import io.gradstream.recovery.archive.client.ArchiveOperation;
import io.gradstream.recovery.archive.client.Deadline;
import io.gradstream.recovery.archive.client.PartitionStreams;
import io.gradstream.recovery.archive.client.Recording;
import io.gradstream.recovery.archive.client.RecordingChange;
import io.gradstream.recovery.archive.client.RecordingQuery;
import io.gradstream.recovery.log.SnapshotRetention;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Cuts a partition's closed log off at a position.
 * <p>
 * It deletes the snapshots of later positions first: a crash in between leaves a log that is cut again, but never a
 * snapshot ahead of its log. A log that begins after the position is deleted.
 */
final class TruncateLog extends ArchiveOperation
{
    private final PartitionStreams streams;
    private final SnapshotRetention retained;
    private final ArchivedSnapshotSink sink;
    private final long position;
    private final Deadline stopDeadline;
    private RecordingQuery logs;
    private RecordingQuery snapshots;
    private Queue<RecordingChange> changes;

    /** The sink, or null, was given up before. */
    TruncateLog(
        final PartitionStreams streams, final SnapshotRetention retained, final ArchivedSnapshotSink sink,
        final long position)
    {
        super(SnapshotRetention.EVERYTHING == position ? "wipe partition=" + streams.partition() :
            "cut the log of partition=" + streams.partition() + " at position=" + position);
        this.streams = streams;
        this.retained = retained;
        this.sink = sink;
        this.position = position;
        stopDeadline = new Deadline("stop of recordings of partition=" + streams.partition());
        list();
    }

    long position()
    {
        return position;
    }

    @Override
    protected int step(final ArchiveClient client)
    {
        if (null == changes)
        {
            return prepare(client);
        }
        if (changes.isEmpty())
        {
            done();
            return 1;
        }
        if (!changes.peek().poll(client))
        {
            return 0;
        }
        changes.remove();

        return 1;
    }

    private int prepare(final ArchiveClient client)
    {
        if (!logs.poll(client) || !snapshots.poll(client))
        {
            return 0;
        }
        final List<Recording> all = Stream.concat(
            snapshots.recordings().stream(), logs.recordings().stream()).toList();
        if (all.stream().anyMatch(Recording::isActive) || null != sink && !sink.isOver())
        {
            stopDeadline.check();
            list();
            return 0;
        }
        changes = cut(logs.newest(), all);

        return 1;
    }

    /** Where only snapshots are kept there is no log, and the cut is theirs alone. */
    private Queue<RecordingChange> cut(final Recording log, final List<Recording> all)
    {
        if (null != log && position > log.stopPosition())
        {
            throw new IllegalStateException("it holds " + log.startPosition() + ".." + log.stopPosition());
        }
        final long logStart = null == log ? 0 : log.startPosition();
        retained.cut(position, logStart);
        if (position < logStart)
        {
            return deletions(all.stream());
        }
        final Queue<RecordingChange> cuts = deletions(
            snapshots.recordings().stream().filter((each) -> !retained.isKept(each.recordingId())));
        if (null != log && position < log.stopPosition())
        {
            cuts.add(RecordingChange.cut(log.recordingId(), position));
        }

        return cuts;
    }

    private static Queue<RecordingChange> deletions(final Stream<Recording> recordings)
    {
        return recordings.map((each) -> RecordingChange.deletion(each.recordingId()))
            .collect(Collectors.toCollection(ArrayDeque::new));
    }

    private void list()
    {
        logs = streams.logs();
        snapshots = streams.snapshots();
    }
}
