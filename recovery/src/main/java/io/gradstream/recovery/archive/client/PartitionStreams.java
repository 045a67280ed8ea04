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
package io.gradstream.recovery.archive.client;

import io.aeron.archive.client.AeronArchive;
import io.gradstream.driver.files.WithdrawnRecordings;
import org.agrona.concurrent.NanoClock;

import java.util.List;

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

    public ArchivedReplay newReplay(final RangeFinder source)
    {
        return new ArchivedReplay(source, LogGeometry.replayStreamId(partition), nanoClock);
    }

    public ArchivedReplay newReplay(final ReplayRange range)
    {
        return newReplay((archive) -> range);
    }

    /** Blocks for one answer. The log, or null if there is none. */
    public Recording log(final AeronArchive archive)
    {
        final List<Recording> logs = logs(archive);

        return logs.isEmpty() ? null : logs.get(logs.size() - 1);
    }

    /** Newest log that the Archive has withdrawn, or {@link WithdrawnRecordings#NO_RECORDING}. */
    public long withdrawnLog(final AeronArchive archive)
    {
        return withdrawn(archive, LogGeometry.logAlias(jobId, partition));
    }

    /** Newest snapshot that the Archive has withdrawn, or {@link WithdrawnRecordings#NO_RECORDING}. */
    public long withdrawnSnapshot(final AeronArchive archive)
    {
        return withdrawn(archive, LogGeometry.snapshotAlias(jobId, partition));
    }

    /** Blocks for one answer. Snapshots, oldest first. */
    public List<Recording> snapshots(final AeronArchive archive)
    {
        return RecordingQuery.list(archive, LogGeometry.snapshotAlias(jobId, partition), snapshotStreamId());
    }

    /** Blocks for one answer. The log's recordings, of which there is one at most unless something went wrong. */
    public List<Recording> logs(final AeronArchive archive)
    {
        return RecordingQuery.list(archive, LogGeometry.logAlias(jobId, partition), logStreamId());
    }

    private static long withdrawn(final AeronArchive archive, final String alias)
    {
        return WithdrawnRecordings.find(archive.context().aeron().countersReader(), alias);
    }
}
