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
import io.gradstream.driver.files.WithdrawnRecordings;
import io.gradstream.recovery.archive.client.ArchiveConnection;
import io.gradstream.recovery.archive.client.ArchiveOperation;
import io.gradstream.recovery.archive.client.Deadline;
import io.gradstream.recovery.archive.client.PartitionStreams;
import io.gradstream.recovery.archive.client.Recording;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds what an earlier life has left: stops recordings that still run, as under a media driver that lived on, and
 * looks for snapshots that are whole.
 */
final class DiscoverRecordings extends ArchiveOperation
{
    private final PartitionStreams streams;
    private final RetainedSnapshots retained;
    private final Deadline stopDeadline;
    private final List<StoredSnapshot> found = new ArrayList<>();
    private final List<Recording> notWhole = new ArrayList<>();
    /** By recording id, newest first. */
    private final List<Long> broken = new ArrayList<>();
    private List<Recording> snapshots;
    private int next;
    private long logEnd = Long.MAX_VALUE;
    private SnapshotProbe probe;
    private SnapshotRemains remains;

    DiscoverRecordings(final PartitionStreams streams, final RetainedSnapshots retained)
    {
        super("find what the Archive holds of partition=" + streams.partition());
        this.streams = streams;
        this.retained = retained;
        stopDeadline = new Deadline("stop of recordings of partition=" + streams.partition());
    }

    @Override
    protected int step(final ArchiveConnection connection)
    {
        if (null == snapshots)
        {
            return findStopped(connection.archive());
        }
        if (null != probe)
        {
            return probe(connection);
        }
        if (next < 0 || RetainedSnapshots.MAX_KEPT == found.size())
        {
            return readRemains(connection);
        }
        probe = new SnapshotProbe(streams, snapshots.get(next--));

        return 1;
    }

    /** Where neither a whole snapshot nor a log is, what is there is read to its end: has it ever been whole? */
    private int readRemains(final ArchiveConnection connection)
    {
        if (null != remains)
        {
            final int workCount = remains.poll(connection);
            if (remains.isDone())
            {
                if (remains.isBroken())
                {
                    broken.add(remains.recording().recordingId());
                }
                remains = null;
            }
            return workCount;
        }
        if (!found.isEmpty() || retained.hasLog() || notWhole.isEmpty())
        {
            retained.keep(found);
            retained.broken(broken);
            done();
            return 1;
        }
        remains = new SnapshotRemains(streams, notWhole.remove(0));

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
        retained.hasLog(!logs.isEmpty());
        logEnd = logs.isEmpty() ? Long.MAX_VALUE : logs.get(logs.size() - 1).stopPosition();
        final long withdrawn = streams.withdrawnSnapshot(archive);
        if (WithdrawnRecordings.NO_RECORDING != withdrawn)
        {
            broken.add(withdrawn);
        }
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
            if (null == snapshot)
            {
                notWhole.add(snapshots.get(next + 1));
            }
            // A snapshot may have been recorded before the log that leads to it: from there nothing can be replayed.
            if (null != snapshot && snapshot.position() <= logEnd)
            {
                found.add(snapshot);
            }
        }

        return workCount;
    }
}
