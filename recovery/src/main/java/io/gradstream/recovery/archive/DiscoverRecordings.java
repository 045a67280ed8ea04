// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.gradstream.driver.files.WithdrawnRecordings;
import io.gradstream.recovery.archive.client.ArchiveClient;
import io.gradstream.recovery.archive.client.ArchiveOperation;
import io.gradstream.recovery.archive.client.ArchiveRequest;
import io.gradstream.recovery.archive.client.Deadline;
import io.gradstream.recovery.archive.client.PartitionStreams;
import io.gradstream.recovery.archive.client.RangeFinder.ReplayRange;
import io.gradstream.recovery.archive.client.Recording;
import io.gradstream.recovery.archive.client.RecordingChange;
import io.gradstream.recovery.archive.client.RecordingQuery;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.SnapshotRetention;
import io.gradstream.recovery.log.SnapshotRetention.StoredSnapshot;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.Stream;

/**
 * Finds what an earlier life has left. It stops recordings that still run, as under a media driver that lived on. It
 * looks for snapshots that are whole, and deletes those that are ahead of the log, because the log may grow past them
 * with other records.
 */
final class DiscoverRecordings extends ArchiveOperation
{
    private final PartitionStreams streams;
    private final SnapshotRetention retained;
    private final Deadline stopDeadline;
    private final List<StoredSnapshot> found = new ArrayList<>();
    private final List<Recording> notWhole = new ArrayList<>();
    private final Queue<RecordingChange> deletions = new ArrayDeque<>();
    /** By recording id, newest first. */
    private final List<Long> broken = new ArrayList<>();
    private final List<ArchiveRequest> stops = new ArrayList<>();
    private RecordingQuery logs;
    private RecordingQuery all;
    private List<Recording> snapshots;
    private int next;
    private long logEnd = SnapshotRetention.NO_LOG;
    private SnapshotProbe probe;
    private SnapshotVerification reading;

    DiscoverRecordings(final PartitionStreams streams, final SnapshotRetention retained)
    {
        super("find what the Archive holds of partition=" + streams.partition());
        this.streams = streams;
        this.retained = retained;
        stopDeadline = new Deadline("stop of recordings of partition=" + streams.partition());
        logs = streams.logs();
        all = streams.snapshots();
    }

    @Override
    protected int step(final ArchiveClient client)
    {
        if (null == snapshots)
        {
            return findStopped(client);
        }
        if (null != probe)
        {
            return probe(client);
        }
        if (next < 0 || SnapshotRetention.isEnough(found))
        {
            return readRemains(client);
        }
        probe = new SnapshotProbe(streams, snapshots.get(next--));

        return 1;
    }

    @Override
    protected void onFailure(final ArchiveClient client, final RuntimeException cause)
    {
        if (null != probe)
        {
            probe.close();
        }
        if (null != reading)
        {
            reading.close();
        }
    }

    /**
     * Where neither a whole snapshot nor a log exists, read what is there to its end, to learn whether it has ever been
     * whole. A snapshot that was given up is sound as far as it goes; one that has no sound end and is not sound either
     * has lost something.
     */
    private int readRemains(final ArchiveClient client)
    {
        if (!deletions.isEmpty())
        {
            final boolean isDeleted = deletions.peek().poll(client);
            if (isDeleted)
            {
                deletions.remove();
            }
            return isDeleted ? 1 : 0;
        }
        if (!found.isEmpty() || SnapshotRetention.NO_LOG != logEnd || notWhole.isEmpty())
        {
            retained.onFound(found, broken, SnapshotRetention.NO_LOG != logEnd);
            done();
            return 1;
        }
        final Recording remains = notWhole.get(0);
        if (null == reading)
        {
            reading = new SnapshotVerification(streams, new ReplayRange(
                remains.recordingId(), remains.startPosition(), remains.stopPosition()));
        }

        int workCount = 1;
        boolean isBroken = false;
        try
        {
            workCount = reading.poll(client);
            if (!reading.isDone())
            {
                return workCount;
            }
            isBroken = reading.isWhole();
        }
        catch (final ReplayException ex)
        {
            isBroken = true;
        }
        if (isBroken)
        {
            broken.add(remains.recordingId());
        }
        notWhole.remove(0);
        reading = null;

        return workCount;
    }

    private int findStopped(final ArchiveClient client)
    {
        if (!stops.isEmpty())
        {
            stops.removeIf((stop) -> stop.poll(client));
            return 0;
        }
        if (!logs.poll(client) || !all.poll(client))
        {
            return 0;
        }
        Stream.concat(logs.recordings().stream(), all.recordings().stream()).filter(Recording::isActive)
            .forEach((recording) -> stops.add(ArchiveRequest.ofStop(recording.recordingId())));
        if (!stops.isEmpty())
        {
            stopDeadline.check();
            logs = streams.logs();
            all = streams.snapshots();
            return 1;
        }
        logEnd = null == logs.newest() ? SnapshotRetention.NO_LOG : logs.newest().stopPosition();
        final long withdrawn = streams.withdrawnSnapshot(client);
        if (WithdrawnRecordings.NO_RECORDING != withdrawn)
        {
            broken.add(withdrawn);
        }
        snapshots = all.recordings();
        next = snapshots.size() - 1;

        return 1;
    }

    private int probe(final ArchiveClient client)
    {
        final int workCount = probe.isDone() ? 1 : probe.poll(client);
        if (probe.isDone())
        {
            final StoredSnapshot snapshot = probe.snapshot();
            probe = null;
            if (null == snapshot)
            {
                notWhole.add(snapshots.get(next + 1));
            }
            else if (SnapshotRetention.mayCount(snapshot.position(), logEnd))
            {
                found.add(snapshot);
            }
            else
            {
                deletions.add(RecordingChange.deletion(snapshot.recordingId()));
            }
        }

        return workCount;
    }
}
