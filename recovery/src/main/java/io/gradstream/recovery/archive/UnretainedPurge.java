// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.aeron.archive.client.ArchiveException;
import io.gradstream.recovery.archive.client.ArchiveClient;
import io.gradstream.recovery.archive.client.ArchiveRequest;
import io.gradstream.recovery.archive.client.PartitionStreams;
import io.gradstream.recovery.archive.client.Recording;
import io.gradstream.recovery.archive.client.RecordingQuery;
import io.gradstream.recovery.log.SnapshotRetention;

import java.util.ArrayList;
import java.util.List;

/**
 * Deletes the snapshots that are not retained, older ones and failed attempts, and perhaps the segments of the log that
 * no retained snapshot needs. What the Archive refuses because of a replay or another deletion is tried again after the
 * next snapshot.
 */
final class UnretainedPurge
{
    private final SnapshotRetention retained;
    private final RecordingQuery snapshots;
    private final RecordingQuery logs;
    private final List<ArchiveRequest> purges = new ArrayList<>();
    private boolean isListed;
    private int next;

    private UnretainedPurge(final SnapshotRetention retained, final RecordingQuery snapshots, final RecordingQuery logs)
    {
        this.retained = retained;
        this.snapshots = snapshots;
        this.logs = logs;
    }

    static UnretainedPurge ofSnapshots(final PartitionStreams streams, final SnapshotRetention retained)
    {
        return new UnretainedPurge(retained, streams.snapshots(), null);
    }

    static UnretainedPurge ofSnapshotsAndLog(final PartitionStreams streams, final SnapshotRetention retained)
    {
        return new UnretainedPurge(retained, streams.snapshots(), streams.logs());
    }

    /** False if it is not done yet: ask again. */
    boolean poll(final ArchiveClient client)
    {
        if (!isListed && !list(client))
        {
            return false;
        }
        while (next < purges.size())
        {
            if (!isPurged(client, purges.get(next)))
            {
                return false;
            }
            next++;
        }

        return true;
    }

    private boolean list(final ArchiveClient client)
    {
        if (!snapshots.poll(client) || null != logs && !logs.poll(client))
        {
            return false;
        }
        isListed = true;
        for (final Recording recording : snapshots.recordings())
        {
            if (!recording.isActive() && !retained.isKept(recording.recordingId()))
            {
                purges.add(new ArchiveRequest(
                    "deletion of a snapshot", (proxy, correlationId, sessionId) ->
                    proxy.purgeRecording(recording.recordingId(), correlationId, sessionId)));
            }
        }
        final Recording log = null == logs ? null : logs.newest();
        final long base = null == log ? 0 : log.segmentBase(Math.max(log.startPosition(), retained.logBase()));
        if (null != log && base > log.startPosition())
        {
            purges.add(new ArchiveRequest(
                "deletion of log segments", (proxy, correlationId, sessionId) ->
                proxy.purgeSegments(log.recordingId(), base, correlationId, sessionId)));
        }

        return true;
    }

    private static boolean isPurged(final ArchiveClient client, final ArchiveRequest purge)
    {
        try
        {
            return purge.poll(client);
        }
        catch (final ArchiveException ex)
        {
            if (ArchiveException.GENERIC != ex.errorCode() && ArchiveException.ACTIVE_RECORDING != ex.errorCode())
            {
                throw ex;
            }

            return true;
        }
    }
}
