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

import java.util.ArrayList;
import java.util.List;

/**
 * Finds what an earlier life has left: stops recordings that still run, as under a media driver that lived on, and
 * looks for snapshots that are whole.
 */
final class Finding extends Errand
{
    private final PartitionStreams streams;
    private final SnapshotShelf shelf;
    private final Deadline stopDeadline;
    private final List<StoredSnapshot> found = new ArrayList<>();
    private List<Recording> snapshots;
    private int next;
    private long logEnd = Long.MAX_VALUE;
    private SnapshotProbe probe;

    Finding(final PartitionStreams streams, final SnapshotShelf shelf)
    {
        super("find what the Archive holds of partition=" + streams.partition());
        this.streams = streams;
        this.shelf = shelf;
        stopDeadline = new Deadline("stop of recordings of partition=" + streams.partition());
    }

    @Override
    int step(final ArchiveConnection connection)
    {
        if (null == snapshots)
        {
            return findStopped(connection.archive());
        }
        if (null != probe)
        {
            return probe(connection);
        }
        if (next < 0 || SnapshotShelf.MAX_KEPT == found.size())
        {
            shelf.keep(found);
            done();
            return 1;
        }
        probe = new SnapshotProbe(streams, snapshots.get(next--));

        return 1;
    }

    private int findStopped(final AeronArchive archive)
    {
        final List<Recording> logs = streams.logs(archive);
        final List<Recording> recordings = streams.snapshots(archive);
        if (stop(archive, logs) | stop(archive, recordings))
        {
            stopDeadline.check();
            return 0;
        }
        logEnd = logs.isEmpty() ? Long.MAX_VALUE : logs.get(logs.size() - 1).stopPosition();
        snapshots = recordings;
        next = snapshots.size() - 1;

        return 1;
    }

    private static boolean stop(final AeronArchive archive, final List<Recording> recordings)
    {
        boolean isAnyActive = false;
        for (final Recording recording : recordings)
        {
            if (recording.isActive())
            {
                isAnyActive = true;
                archive.tryStopRecordingByIdentity(recording.recordingId());
            }
        }

        return isAnyActive;
    }

    private int probe(final ArchiveConnection connection)
    {
        final int workCount = probe.isDone() ? 1 : probe.poll(connection);
        if (probe.isDone())
        {
            final StoredSnapshot snapshot = probe.snapshot();
            probe = null;
            // A snapshot may have been recorded before the log that leads to it: from there nothing can be replayed.
            if (null != snapshot && snapshot.position() <= logEnd)
            {
                found.add(snapshot);
            }
        }

        return workCount;
    }
}
