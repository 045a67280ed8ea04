// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.gradstream.recovery.archive.client.ArchiveClient;
import io.gradstream.recovery.archive.client.ArchiveRequest;
import io.gradstream.recovery.archive.client.Deadline;
import io.gradstream.recovery.archive.client.PartitionStreams;
import io.gradstream.recovery.archive.client.RangeFinder.ReplayRange;
import io.gradstream.recovery.archive.client.RecordedStream;
import io.gradstream.recovery.archive.client.Recording;
import io.gradstream.recovery.archive.client.RecordingQuery;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.SnapshotRetention;
import io.gradstream.recovery.log.SnapshotRetention.StoredSnapshot;

import java.util.ArrayList;
import java.util.List;

/** Makes a snapshot count, in steps: it is recorded to its end, read back, and the log recorded up to it. */
final class SnapshotCompletion
{
    /** The progress of the snapshot. */
    private enum Step
    {
        /** The Archive records the rest. */
        RECORD,
        /** Its recording ends. */
        STOP,
        /** It is read back. */
        VERIFY,
        /** The snapshots before it are read back, if this life has not done so yet. */
        VERIFY_OLDER,
        /** A snapshot ahead of what is recorded of the log would leave a log that cannot be replayed from it. */
        AWAIT_LOG,
        /** It counts. */
        DONE
    }

    private final PartitionStreams streams;
    private final SnapshotRetention retained;
    private final RecordedStream stream;
    private final long position;
    private final long endPosition;
    private final List<StoredSnapshot> sound = new ArrayList<>();
    private Step step = Step.RECORD;
    private Deadline deadline;
    private RecordingQuery logs;
    private ArchiveRequest answer;
    private SnapshotVerification reading;
    private int judged;
    private long readBytes;

    SnapshotCompletion(
        final PartitionStreams streams, final SnapshotRetention retained, final RecordedStream stream,
        final long position)
    {
        this.streams = streams;
        this.retained = retained;
        this.stream = stream;
        this.position = position;
        endPosition = stream.position();
        step(Step.RECORD);
    }

    boolean isDone()
    {
        return Step.DONE == step;
    }

    /** True if a snapshot is being read back. */
    boolean isReading()
    {
        return null != reading;
    }

    /** Bytes read back so far. */
    long readBytes()
    {
        return readBytes + (null == reading ? 0 : reading.bytes());
    }

    int poll(final ArchiveClient client)
    {
        return switch (step)
        {
            case RECORD -> record();
            case STOP -> stop(client);
            case VERIFY -> verify(client);
            case VERIFY_OLDER -> verifyOlder(client);
            case AWAIT_LOG -> awaitLog(client);
            case DONE -> 0;
        };
    }

    void abandon()
    {
        if (null != reading)
        {
            reading.close();
        }
    }

    private int record()
    {
        if (stream.recordedPosition() < endPosition)
        {
            deadline.check();
            return 0;
        }
        stream.close();
        answer = ArchiveRequest.ofStopPosition(stream.recordingId());
        step(Step.STOP);

        return 1;
    }

    private int stop(final ArchiveClient client)
    {
        if (!answer.poll(client))
        {
            return 0;
        }
        if (answer.value() != endPosition)
        {
            deadline.check();
            answer = ArchiveRequest.ofStopPosition(stream.recordingId());
            return 0;
        }
        reading = new SnapshotVerification(streams, new ReplayRange(stream.recordingId(), 0, endPosition));
        step(Step.VERIFY);

        return 1;
    }

    private int verify(final ArchiveClient client)
    {
        final int workCount = reading.poll(client);
        if (reading.isDone())
        {
            if (!reading.isWhole())
            {
                throw new ReplayException("snapshot has no end, recordingId=" + stream.recordingId());
            }
            if (reading.position() != position)
            {
                throw new ReplayException("snapshot stands for position=" + reading.position() + " instead of " +
                    position);
            }
            endReading();
            sound.add(new StoredSnapshot(stream.recordingId(), endPosition, position, true));
            step(Step.VERIFY_OLDER);
        }

        return workCount;
    }

    private int verifyOlder(final ArchiveClient client)
    {
        final StoredSnapshot older = retained.nextToJudge(sound, judged);
        if (null == older)
        {
            answer = null;
            logs = streams.logs();
            step(Step.AWAIT_LOG);
            return 1;
        }
        if (older.isVerified())
        {
            sound.add(older);
            judged++;
            return 1;
        }

        return read(client, older);
    }

    private int read(final ArchiveClient client, final StoredSnapshot older)
    {
        if (null == reading)
        {
            reading = new SnapshotVerification(
                streams, new ReplayRange(older.recordingId(), 0, older.endPosition()));
        }

        int workCount = 1;
        boolean isSound = false;
        try
        {
            workCount = reading.poll(client);
            if (!reading.isDone())
            {
                return workCount;
            }
            isSound = reading.isWhole() && reading.position() == older.position();
        }
        catch (final ReplayException ex)
        {
            isSound = false;
        }
        if (isSound)
        {
            sound.add(older.verified());
        }
        endReading();
        judged++;

        return workCount;
    }

    private void endReading()
    {
        readBytes += reading.bytes();
        reading = null;
    }

    private int awaitLog(final ArchiveClient client)
    {
        if (!logs.poll(client) || null != logs.newest() && !isRecorded(client, logs.newest()))
        {
            return 0;
        }
        retained.keep(sound);
        step(Step.DONE);

        return 1;
    }

    private boolean isRecorded(final ArchiveClient client, final Recording log)
    {
        if (null == answer)
        {
            answer = ArchiveRequest.ofMaxRecordedPosition(log.recordingId());
        }
        if (!answer.poll(client))
        {
            return false;
        }
        if (!SnapshotRetention.mayCount(position, answer.value()))
        {
            deadline.check();
            answer = null;
            return false;
        }

        return true;
    }

    private void step(final Step newStep)
    {
        step = newStep;
        deadline = new Deadline("snapshot of partition=" + streams.partition() + " at position=" + position +
            " to pass step=" + newStep);
    }
}
