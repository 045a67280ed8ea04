// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.gradstream.recovery.archive.client.ArchiveClient;
import io.gradstream.recovery.archive.client.ArchiveOperation;
import io.gradstream.recovery.archive.client.Deadline;
import io.gradstream.recovery.archive.client.PartitionStreams;
import io.gradstream.recovery.archive.client.RangeFinder.ReplayRange;
import io.gradstream.recovery.archive.client.RangeReader;
import io.gradstream.recovery.archive.client.RecordedStream;
import io.gradstream.recovery.archive.client.Recording;
import io.gradstream.recovery.archive.client.RecordingChange;
import io.gradstream.recovery.archive.client.RecordingQuery;
import io.gradstream.recovery.archive.client.StreamOpening;

/**
 * Opens a partition's log in steps.
 * <p>
 * The recording of an earlier opening must have ended, and must end where the replica stands. Padding may lie after
 * that place, left by a claim whose record was never written: it is cut off, so that the next record decides again
 * whether it fits the term.
 */
final class LogOpening extends ArchiveOperation
{
    /** Frames of padding that a claim may have left at the log's end: itself, and the rest of its term. */
    private static final int MAX_PADDING_FRAMES = 2;

    private final PartitionStreams streams;
    private final long position;
    private final Deadline stopDeadline;
    private RecordingQuery logs;
    private boolean isFound;
    private Recording extended;
    private RangeReader rest;
    private RecordingChange cut;
    private StreamOpening opening;
    private RecordedStream stream;

    LogOpening(final PartitionStreams streams, final long position)
    {
        super("open the log");
        this.streams = streams;
        this.position = position;
        stopDeadline = new Deadline("stop of the log of partition=" + streams.partition());
        logs = streams.logs();
    }

    long position()
    {
        return position;
    }

    /** Once it is done. */
    RecordedStream stream()
    {
        return stream;
    }

    @Override
    protected int step(final ArchiveClient client)
    {
        if (!isFound && !find(client) || null != rest && !readRest(client) || null != cut && !cut.poll(client))
        {
            return 0;
        }
        cut = null;
        if (null == opening)
        {
            opening = new StreamOpening(streams.logChannel(position), streams.logStreamId(), extended);
        }
        stream = opening.poll(client);
        if (null != stream)
        {
            done();
        }

        return null == stream ? 0 : 1;
    }

    @Override
    protected void onFailure(final ArchiveClient client, final RuntimeException cause)
    {
        if (null != rest)
        {
            rest.close();
        }
        if (null != opening)
        {
            opening.abandon(client);
        }
    }

    private boolean find(final ArchiveClient client)
    {
        if (!logs.poll(client))
        {
            return false;
        }
        extended = logs.newest();
        if (null != extended && extended.isActive())
        {
            stopDeadline.check();
            logs = streams.logs();
            return false;
        }
        isFound = true;
        if (null != extended)
        {
            check();
        }

        return true;
    }

    private void check()
    {
        if (!streams.geometry().equals(extended.geometry()))
        {
            throw new IllegalStateException("the log was recorded as " + extended.geometry() + " but the job has " +
                streams.geometry() + ": a log's geometry can never change");
        }
        final long behind = extended.stopPosition() - position;
        if (behind < 0 || behind > (long)MAX_PADDING_FRAMES * streams.geometry().mtuLength() ||
            position < extended.startPosition())
        {
            throw elsewhere();
        }
        if (behind > 0)
        {
            rest = new RangeReader(
                streams, new ReplayRange(extended.recordingId(), position, extended.stopPosition()),
                (buffer, offset, length, end) -> {}, 1);
        }
    }

    private boolean readRest(final ArchiveClient client)
    {
        rest.poll(client);
        if (!rest.isDone())
        {
            return false;
        }
        if (0 != rest.records())
        {
            throw elsewhere();
        }
        rest = null;
        cut = RecordingChange.cut(extended.recordingId(), position);

        return true;
    }

    private IllegalStateException elsewhere()
    {
        return new IllegalStateException("cannot open the log at position=" + position + ": it ends at " +
            extended.stopPosition());
    }
}
