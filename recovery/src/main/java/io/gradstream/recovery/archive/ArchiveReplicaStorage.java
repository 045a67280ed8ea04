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
import io.aeron.archive.client.ArchiveException;
import io.gradstream.recovery.replica.Log;
import io.gradstream.recovery.replica.Replay;
import io.gradstream.recovery.replica.ReplayException;
import io.gradstream.recovery.replica.ReplicaStorage;
import io.gradstream.recovery.replica.SnapshotSink;
import org.agrona.concurrent.NanoClock;

/**
 * Log and snapshots of one replica in this node's Archive. Reading and opening block at start-up, within
 * {@link Deadline#ARCHIVE_TIMEOUT_NS}; taking a snapshot never does.
 */
public final class ArchiveReplicaStorage implements ReplicaStorage
{
    private final ArchiveConnection connection;
    private final Archivist archivist;
    private final LogGeometry geometry;
    private final int jobId;
    private final int partition;
    private final NanoClock nanoClock;
    private final SnapshotShelf shelf;
    private ArchivedLog log;
    private ArchivedSnapshotSink sink;

    /**
     * Finds what an earlier life has left, which blocks.
     *
     * @param connection of the partition's thread; closed by the caller.
     * @param archivist  of the node.
     * @param geometry   of the job's logs.
     * @param jobId      of the job.
     * @param partition  its number.
     * @param keepLogAll keep the log behind snapshots too.
     * @param nanoClock  for time-outs of replays.
     */
    public ArchiveReplicaStorage(
        final ArchiveConnection connection,
        final Archivist archivist,
        final LogGeometry geometry,
        final int jobId,
        final int partition,
        final boolean keepLogAll,
        final NanoClock nanoClock)
    {
        if (partition < 0 || partition >= LogGeometry.MAX_PARTITIONS)
        {
            throw new IllegalArgumentException(
                "invalid partition=" + partition + ": must be 0.." + (LogGeometry.MAX_PARTITIONS - 1));
        }
        this.connection = connection;
        this.archivist = archivist;
        this.geometry = geometry;
        this.jobId = jobId;
        this.partition = partition;
        this.nanoClock = nanoClock;
        shelf = new SnapshotShelf(
            jobId, partition, keepLogAll,
            new SnapshotReader(LogGeometry.replayStreamId(partition), nanoClock));
        shelf.find(connection.archive());
    }

    @Override
    public boolean isReady()
    {
        return true;
    }

    @Override
    public int snapshotCount()
    {
        return shelf.kept().size();
    }

    @Override
    public Replay openSnapshot(final int age)
    {
        final StoredSnapshot snapshot = shelf.kept().get(age);

        return replay(snapshot.recordingId(), 0, snapshot.endPosition());
    }

    @Override
    public Replay openReplay(final long fromPosition, final long toPosition)
    {
        final Recording recording = findLog();
        final long startPosition = null == recording ? 0 : recording.startPosition();
        final long endPosition = null == recording ? 0 : endPosition(recording);
        if (fromPosition < startPosition || fromPosition > endPosition)
        {
            throw new ReplayException("position=" + fromPosition + " is not in the log, which holds " +
                startPosition + ".." + endPosition);
        }

        return replay(null == recording ? AeronArchive.NULL_POSITION : recording.recordingId(),
            fromPosition, endPosition);
    }

    @Override
    public Log openLog(final long position)
    {
        if (null != log)
        {
            throw new IllegalStateException("the log is open already, position=" + log.position());
        }
        final AeronArchive archive = connection.archive();
        final Recording recording = findLog();
        final Recording extended = null == recording ? null : Catalogue.stopped(archive, recording);
        if (null != extended)
        {
            prepare(archive, extended, position);
        }
        log = new ArchivedLog(RecordedStream.open(
            archive, geometry.channel(LogGeometry.logAlias(jobId, partition), position),
            LogGeometry.logStreamId(partition), extended));

        return log;
    }

    @Override
    public void closeLog()
    {
        log.close();
        log = null;
    }

    @Override
    public boolean truncate(final long position)
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean wipe()
    {
        throw new UnsupportedOperationException();
    }

    @Override
    public SnapshotSink openSnapshotSink(final long position)
    {
        if (null != sink && !sink.isOver())
        {
            return null;
        }
        final ArchivedSnapshotSink opened = new ArchivedSnapshotSink(
            shelf, archivist, geometry, LogGeometry.snapshotAlias(jobId, partition),
            LogGeometry.snapshotStreamId(partition), position);
        sink = archivist.offer(opened) ? opened : null;

        return sink;
    }

    @Override
    public void close()
    {
        if (null != sink)
        {
            sink.abandon();
        }
        if (null != log)
        {
            log.close();
        }
    }

    private Recording findLog()
    {
        return Catalogue.newest(
            connection.archive(), LogGeometry.logAlias(jobId, partition), LogGeometry.logStreamId(partition));
    }

    private long endPosition(final Recording recording)
    {
        return null != log && log.isAlive() ?
            log.recordedPosition() : Catalogue.stopped(connection.archive(), recording).stopPosition();
    }

    private Replay replay(final long recordingId, final long fromPosition, final long endPosition)
    {
        try
        {
            return new ArchivedReplay(
                connection.archive(), recordingId, fromPosition, endPosition,
                LogGeometry.replayStreamId(partition), nanoClock);
        }
        catch (final ArchiveException ex)
        {
            throw new ReplayException("recordingId=" + recordingId + " cannot be replayed from position=" +
                fromPosition + ": " + ex.getMessage(), ex);
        }
    }

    /**
     * The log must end where the replica stands. What may lie behind is padding whose record was never written: it is
     * cut off, so that the next record decides anew whether it fits the term.
     */
    private void prepare(final AeronArchive archive, final Recording recording, final long position)
    {
        if (!geometry.equals(recording.geometry()))
        {
            throw new IllegalStateException("the log was recorded as " + recording.geometry() + " but the job has " +
                geometry + ": a log's geometry can never change");
        }
        if (position < recording.stopPosition() && isPadding(recording, position))
        {
            archive.stopAllReplays(recording.recordingId());
            archive.truncateRecording(recording.recordingId(), position);
        }
        else if (position != recording.stopPosition())
        {
            throw new IllegalStateException("cannot open the log at position=" + position + ": it ends at " +
                recording.stopPosition());
        }
    }

    private boolean isPadding(final Recording recording, final long position)
    {
        final long stopPosition = recording.stopPosition();
        if (stopPosition - position > geometry.mtuLength() || 0 != (stopPosition & (geometry.termLength() - 1)))
        {
            return false;
        }
        try (Replay rest = replay(recording.recordingId(), position, stopPosition))
        {
            int records = 0;
            while (!rest.isDone() && 0 == records)
            {
                records += rest.poll((buffer, offset, length, end) -> {}, 1);
                Thread.yield();
            }

            return 0 == records;
        }
    }
}
