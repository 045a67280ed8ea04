// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.gradstream.driver.files.WithdrawnRecordings;
import io.gradstream.recovery.archive.client.ArchiveClient;
import io.gradstream.recovery.archive.client.ArchiveRequest;
import io.gradstream.recovery.archive.client.PartitionStreams;
import io.gradstream.recovery.archive.client.RangeFinder.ReplayRange;
import io.gradstream.recovery.archive.client.RangeFinder;
import io.gradstream.recovery.archive.client.Recording;
import io.gradstream.recovery.archive.client.RecordingQuery;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.ReplicaStorage;

/** Finds a part of a partition's log, of which the end need not be recorded yet. */
final class LogRangeFinder implements RangeFinder
{
    private final PartitionStreams streams;
    private final long fromPosition;
    private final long toPosition;
    private final boolean isLogOpen;
    private RecordingQuery logs;
    private ArchiveRequest recorded;

    /** A log that is being closed is awaited: what it held belongs to its end. */
    LogRangeFinder(
        final PartitionStreams streams, final long fromPosition, final long toPosition, final boolean isLogOpen)
    {
        this.streams = streams;
        this.fromPosition = fromPosition;
        this.toPosition = toPosition;
        this.isLogOpen = isLogOpen;
        logs = streams.logs();
    }

    @Override
    public ReplayRange find(final ArchiveClient client)
    {
        if (!logs.poll(client))
        {
            return null;
        }
        final Recording log = logs.newest();
        final long withdrawnId = streams.withdrawnLog(client);
        if (withdrawnId > (null == log ? WithdrawnRecordings.NO_RECORDING : log.recordingId()))
        {
            throw new ReplayException("the Archive has withdrawn recordingId=" + withdrawnId + " because it is " +
                "damaged: where there is another copy it is fetched from there; else bring this node's directory " +
                "back from a copy, or delete it and start with --allow-data-loss to start over");
        }
        if (null == log)
        {
            check(0, 0);
            return new ReplayRange(Recording.NO_RECORDING, 0, 0);
        }
        if (log.isActive())
        {
            return findActive(client, log);
        }
        check(log.startPosition(), log.stopPosition());

        return new ReplayRange(log.recordingId(), fromPosition, endPosition(log.stopPosition()));
    }

    private ReplayRange findActive(final ArchiveClient client, final Recording log)
    {
        if (isLogOpen && null == recorded)
        {
            recorded = ArchiveRequest.ofMaxRecordedPosition(log.recordingId());
        }
        if (isLogOpen && !recorded.poll(client))
        {
            return null;
        }
        if (!isLogOpen || isAwaited(log, recorded.value()))
        {
            logs = streams.logs();
            recorded = null;
            return null;
        }

        return new ReplayRange(log.recordingId(), fromPosition, endPosition(recorded.value()));
    }

    private void check(final long startPosition, final long stopPosition)
    {
        if (fromPosition < startPosition || endPosition(stopPosition) > stopPosition ||
            fromPosition > endPosition(stopPosition))
        {
            throw outside(startPosition, stopPosition);
        }
    }

    /** A replay begins only at what is recorded, and then follows; a position that nobody appended fails at once. */
    private boolean isAwaited(final Recording log, final long recorded)
    {
        final long end = endPosition(recorded);
        if (fromPosition < log.startPosition() || fromPosition > end)
        {
            throw outside(log.startPosition(), recorded);
        }

        return recorded < fromPosition;
    }

    private long endPosition(final long recorded)
    {
        return ReplicaStorage.TO_RECORDED_END == toPosition ? recorded : toPosition;
    }

    private ReplayException outside(final long startPosition, final long endPosition)
    {
        return new ReplayException("position=" + fromPosition +
            (ReplicaStorage.TO_RECORDED_END == toPosition ? "" : " to " + toPosition) +
            " is not in the log, which holds " + startPosition + ".." + endPosition);
    }
}
