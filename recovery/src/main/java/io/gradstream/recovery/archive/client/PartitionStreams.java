// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive.client;

import io.gradstream.driver.files.WithdrawnRecordings;
import io.gradstream.recovery.archive.client.RangeFinder.ReplayRange;
import org.agrona.concurrent.NanoClock;

/**
 * Names of one partition's log, snapshots and replays in the Archive, and what the Archive has under these names.
 *
 * @param jobId     of the job.
 * @param partition its number.
 * @param geometry  of its streams.
 * @param nanoClock for time-outs of replays.
 */
public record PartitionStreams(int jobId, int partition, LogGeometry geometry, NanoClock nanoClock)
{
    public int logStreamId()
    {
        return LogGeometry.logStreamId(partition);
    }

    public String logChannel(final long position)
    {
        return geometry.channel(LogGeometry.logAlias(jobId, partition), position);
    }

    public int snapshotStreamId()
    {
        return LogGeometry.snapshotStreamId(partition);
    }

    public String snapshotChannel()
    {
        return geometry.channel(LogGeometry.snapshotAlias(jobId, partition), 0);
    }

    public ArchivedReplay newReplay(final ArchiveClient client, final RangeFinder finder)
    {
        return new ArchivedReplay(client, finder, LogGeometry.replayStreamId(partition), nanoClock);
    }

    public ArchivedReplay newReplay(final ArchiveClient client, final ReplayRange range)
    {
        return newReplay(client, (asked) -> range);
    }

    /** Newest log that the Archive has withdrawn, or {@link WithdrawnRecordings#NO_RECORDING}. */
    public long withdrawnLog(final ArchiveClient client)
    {
        return withdrawn(client, LogGeometry.logAlias(jobId, partition));
    }

    /** Newest snapshot that the Archive has withdrawn, or {@link WithdrawnRecordings#NO_RECORDING}. */
    public long withdrawnSnapshot(final ArchiveClient client)
    {
        return withdrawn(client, LogGeometry.snapshotAlias(jobId, partition));
    }

    /** To be polled: snapshots, oldest first. */
    public RecordingQuery snapshots()
    {
        return new RecordingQuery(LogGeometry.snapshotAlias(jobId, partition), snapshotStreamId());
    }

    /** To be polled: the log's recordings, of which there is one at most unless something went wrong. */
    public RecordingQuery logs()
    {
        return new RecordingQuery(LogGeometry.logAlias(jobId, partition), logStreamId());
    }

    private static long withdrawn(final ArchiveClient client, final String alias)
    {
        return WithdrawnRecordings.find(client.aeron().countersReader(), client.archiveId(), alias);
    }
}
