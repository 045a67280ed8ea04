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
package io.gradstream.recovery.archive;

import io.aeron.archive.client.AeronArchive;
import io.gradstream.recovery.archive.client.ArchiveConnection;
import io.gradstream.recovery.archive.client.ArchiveOperation;
import io.gradstream.recovery.archive.client.Deadline;
import io.gradstream.recovery.archive.client.PartitionStreams;
import io.gradstream.recovery.archive.client.Recording;
import io.gradstream.recovery.archive.client.RecordingCut;
import io.gradstream.recovery.archive.client.RecordingsPurge;

import java.util.List;
import java.util.stream.Stream;

/**
 * Cuts a partition's closed log off, after the snapshots taken behind the cut: a crash in between leaves a log that is
 * cut again, but never a snapshot ahead of the log. Of a log that begins behind the cut nothing can stay.
 */
final class TruncateLog extends ArchiveOperation
{
    private final PartitionStreams streams;
    private final RetainedSnapshots retained;
    private final ArchivedSnapshotSink sink;
    private final long position;
    private final Deadline stopDeadline;
    private RecordingsPurge purge;
    private RecordingCut cut;

    /** The sink, or null, was given up before. */
    TruncateLog(
        final PartitionStreams streams, final RetainedSnapshots retained, final ArchivedSnapshotSink sink,
        final long position)
    {
        super("cut the log of partition=" + streams.partition() + " at position=" + position);
        this.streams = streams;
        this.retained = retained;
        this.sink = sink;
        this.position = position;
        stopDeadline = new Deadline("stop of recordings of partition=" + streams.partition());
    }

    long position()
    {
        return position;
    }

    @Override
    protected int step(final ArchiveConnection connection)
    {
        final AeronArchive archive = connection.archive();
        if (null == purge)
        {
            return prepare(archive);
        }
        if (!purge.isDone())
        {
            return purge.poll(archive);
        }
        if (null == cut || cut.poll(archive))
        {
            done();
            return 1;
        }

        return 0;
    }

    private int prepare(final AeronArchive archive)
    {
        final Recording log = streams.log(archive);
        if (null != log && log.isActive() || null != sink && !sink.isOver())
        {
            stopDeadline.check();
            return 0;
        }
        if (null != log && position < log.startPosition())
        {
            retained.keep(List.of());
            purge = new RecordingsPurge(Stream.concat(
                streams.snapshots(archive).stream(), streams.logs(archive).stream()).toList());
            return 1;
        }
        // where only snapshots are kept there is no log, and the cut is theirs alone
        if (null != log)
        {
            checkReaches(log);
            cut = position < log.stopPosition() ? new RecordingCut(log.recordingId(), position) : null;
        }
        retained.dropBehind(position);
        purge = new RecordingsPurge(
            streams.snapshots(archive).stream().filter((each) -> !retained.isKept(each)).toList());

        return 1;
    }

    private void checkReaches(final Recording log)
    {
        if (position > log.stopPosition())
        {
            throw new IllegalStateException("it holds " + log.startPosition() + ".." + log.stopPosition());
        }
    }
}
