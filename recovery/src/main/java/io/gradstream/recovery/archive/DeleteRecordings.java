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
import io.gradstream.recovery.archive.client.RecordingsPurge;

import java.util.ArrayList;
import java.util.List;

/**
 * Deletes a partition's closed log and its snapshots; the snapshots first, as in {@link TruncateLog}.
 */
final class DeleteRecordings extends ArchiveOperation
{
    private final PartitionStreams streams;
    private final RetainedSnapshots retained;
    private final ArchivedSnapshotSink sink;
    private final Deadline stopDeadline;
    private RecordingsPurge purge;

    /** The sink, or null, was given up before. */
    DeleteRecordings(final PartitionStreams streams, final RetainedSnapshots retained, final ArchivedSnapshotSink sink)
    {
        super("wipe partition=" + streams.partition());
        this.streams = streams;
        this.retained = retained;
        this.sink = sink;
        stopDeadline = new Deadline("stop of recordings of partition=" + streams.partition());
    }

    @Override
    protected int step(final ArchiveConnection connection)
    {
        final AeronArchive archive = connection.archive();
        if (null == purge)
        {
            return prepare(archive);
        }
        if (purge.isDone())
        {
            done();
            return 1;
        }

        return purge.poll(archive);
    }

    private int prepare(final AeronArchive archive)
    {
        final Recording log = streams.log(archive);
        final List<Recording> recordings = new ArrayList<>(streams.snapshots(archive));
        final boolean isAnyActive = null != log && log.isActive() || recordings.stream().anyMatch(Recording::isActive);
        if (isAnyActive || null != sink && !sink.isOver())
        {
            stopDeadline.check();
            return 0;
        }
        recordings.addAll(streams.logs(archive));
        retained.keep(List.of());
        retained.broken(List.of());
        purge = new RecordingsPurge(recordings);

        return 1;
    }
}
