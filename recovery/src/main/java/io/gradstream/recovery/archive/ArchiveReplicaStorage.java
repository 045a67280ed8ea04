// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.gradstream.codecs.Check;
import io.gradstream.recovery.archive.client.ArchiveClient;
import io.gradstream.recovery.archive.client.ArchiveOperation;
import io.gradstream.recovery.archive.client.Deadline;
import io.gradstream.recovery.archive.client.LogGeometry;
import io.gradstream.recovery.archive.client.PartitionStreams;
import io.gradstream.recovery.archive.client.RangeFinder.ReplayRange;
import io.gradstream.recovery.log.Log;
import io.gradstream.recovery.log.Replay;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.log.SnapshotRetention;
import io.gradstream.recovery.log.SnapshotRetention.StoredSnapshot;
import io.gradstream.recovery.log.SnapshotSink;
import org.agrona.concurrent.NanoClock;

import java.util.List;

/**
 * Keeps log and snapshots of one replica in this node's Archive.
 * <p>
 * No call waits: long operations go on in steps of the node's {@link ArchiveClient}, each within
 * {@link Deadline#ARCHIVE_TIMEOUT_NS}. If one fails, the next call that asks for it throws
 * {@link IllegalStateException}, and the call after that begins the operation again.
 */
public final class ArchiveReplicaStorage implements ReplicaStorage
{
    private final ArchiveClient client;
    private final PartitionStreams streams;
    private final SnapshotRetention retained;
    private final boolean acceptsLoss;
    private boolean isFound;
    /** Under way: discovery or truncation; or null. */
    private ArchiveOperation operation;
    private LogOpening opening;
    private ArchivedLog log;
    private ArchivedSnapshotSink sink;

    /**
     * Nothing is asked of the Archive yet.
     *
     * @param keepLogAll true to keep the log before snapshots too.
     */
    public ArchiveReplicaStorage(
        final ArchiveClient client,
        final LogGeometry geometry,
        final int jobId,
        final int partition,
        final boolean keepLogAll,
        final boolean acceptsLoss,
        final NanoClock nanoClock)
    {
        Check.range("partition", partition, 0, LogGeometry.MAX_PARTITIONS - 1);
        this.client = client;
        this.acceptsLoss = acceptsLoss;
        streams = new PartitionStreams(jobId, partition, geometry, nanoClock);
        retained = new SnapshotRetention(keepLogAll);
    }

    @Override
    public boolean isReady()
    {
        if (!isFound)
        {
            if (null == operation)
            {
                operation = new DiscoverRecordings(streams, retained);
            }
            isFound = isOperationDone();
        }

        return isFound;
    }

    @Override
    public int snapshotCount()
    {
        checkReady();

        return retained.kept().size();
    }

    @Override
    public List<String> lostSnapshots()
    {
        checkReady();

        return retained.lost(acceptsLoss).stream().map((recordingId) -> recordingId + "-*.rec").toList();
    }

    @Override
    public boolean isLossAccepted()
    {
        return acceptsLoss;
    }

    @Override
    public Replay openSnapshot(final int age)
    {
        checkReady();
        final StoredSnapshot snapshot = retained.kept().get(age);

        return streams.newReplay(client, new ReplayRange(snapshot.recordingId(), 0, snapshot.endPosition()));
    }

    @Override
    public Replay openReplay(final long fromPosition, final long toPosition)
    {
        checkReady();

        return streams.newReplay(
            client, new LogRangeFinder(streams, fromPosition, toPosition, null != log && log.isAlive()));
    }

    @Override
    public void keepLogFrom(final long position)
    {
        retained.keepLogFrom(position);
    }

    @Override
    public Log openLog(final long position)
    {
        checkReady();
        if (null != log || null != opening && opening.position() != position)
        {
            throw new IllegalStateException("the log is open already at position=" +
                (null != log ? log.position() : opening.position()) + ", asked for position=" + position);
        }
        if (null == opening)
        {
            opening = new LogOpening(streams, position);
            retained.onLogOpened();
        }

        return isLogOpen() ? log : null;
    }

    @Override
    public void closeLog()
    {
        abandonSnapshot();
        if (null != opening)
        {
            opening.abandon();
            opening = null;
        }
        if (null != log)
        {
            log.close();
            log = null;
        }
    }

    @Override
    public boolean truncate(final long position)
    {
        if (null == operation)
        {
            checkClosed();
            operation = new TruncateLog(streams, retained, sink, position);
        }
        if (!(operation instanceof final TruncateLog truncation) || truncation.position() != position)
        {
            throw busy();
        }

        return isOperationDone();
    }

    @Override
    public boolean wipe()
    {
        return truncate(SnapshotRetention.EVERYTHING);
    }

    @Override
    public SnapshotSink openSnapshotSink(final long position)
    {
        checkReady();
        if (null != sink && !sink.isFinished())
        {
            return null;
        }
        final ArchivedSnapshotSink opened = new ArchivedSnapshotSink(retained, streams, position);
        sink = client.start(opened) ? opened : null;

        return sink;
    }

    /** Ends what is under way, so that nothing changes under the next storage of this partition. */
    @Override
    public void close()
    {
        closeLog();
        if (null != operation)
        {
            operation.abandon();
        }
        if (null != sink)
        {
            sink.abandon();
        }
    }

    private boolean isLogOpen()
    {
        boolean isOver = true;
        try
        {
            isOver = opening.isDone(client);
            log = isOver ? new ArchivedLog(client, opening.stream()) : null;
            return isOver;
        }
        finally
        {
            opening = isOver ? null : opening;
        }
    }

    private boolean isOperationDone()
    {
        boolean isOver = true;
        try
        {
            isOver = operation.isDone(client);
            return isOver;
        }
        finally
        {
            operation = isOver ? null : operation;
        }
    }

    private void checkReady()
    {
        if (null != operation)
        {
            throw busy();
        }
        if (!isFound)
        {
            throw new IllegalStateException("isReady() has not been asked until it was true");
        }
    }

    /** Before log and snapshots are cut: what is being written of a snapshot is given up. */
    private void checkClosed()
    {
        checkReady();
        if (null != log || null != opening)
        {
            throw new IllegalStateException("the log must be closed first");
        }
        abandonSnapshot();
    }

    private void abandonSnapshot()
    {
        if (null != sink && !sink.isFinished())
        {
            sink.abandon();
        }
    }

    private IllegalStateException busy()
    {
        return new IllegalStateException("not done yet: " + operation.name());
    }
}
