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
import io.gradstream.recovery.archive.client.ArchiveConnection;
import io.gradstream.recovery.archive.client.Deadline;
import io.gradstream.recovery.archive.client.PartitionStreams;
import io.gradstream.recovery.archive.client.RangeReader;
import io.gradstream.recovery.archive.client.RecordedStream;
import io.gradstream.recovery.archive.client.Recording;
import io.gradstream.recovery.archive.client.RecordingCut;
import io.gradstream.recovery.archive.client.ReplayRange;
import io.gradstream.recovery.archive.client.StreamOpening;

/**
 * Opens a partition's log in steps: what an earlier opening left must have ended, and must end where the replica
 * stands. What may lie behind is padding whose record was never written: it is cut off, so that the next record decides
 * anew whether it fits the term.
 */
final class LogOpening
{
    /** Frames of padding that a claim may have left at the log's end: itself, and the rest of its term. */
    private static final int MAX_PADDING_FRAMES = 2;

    private final PartitionStreams streams;
    private final long position;
    private final Deadline stopDeadline;
    private boolean isFound;
    private Recording extended;
    private RangeReader rest;
    private RecordingCut cut;
    private StreamOpening opening;

    LogOpening(final PartitionStreams streams, final long position)
    {
        this.streams = streams;
        this.position = position;
        stopDeadline = new Deadline("stop of the log of partition=" + streams.partition());
    }

    /** The open log's stream, or null: ask again. */
    RecordedStream poll(final ArchiveConnection connection)
    {
        if (!isFound && !find(connection.archive()))
        {
            return null;
        }
        if (null != rest && !readRest(connection))
        {
            return null;
        }
        if (null != cut)
        {
            if (!cut.poll(connection.archive()))
            {
                return null;
            }
            cut = null;
        }
        if (null == opening)
        {
            opening = new StreamOpening(streams.logChannel(position), streams.logStreamId(), extended);
        }

        return opening.poll(connection);
    }

    void abandon(final ArchiveConnection connection)
    {
        if (null != rest)
        {
            rest.close(connection);
        }
        if (null != opening)
        {
            opening.abandon(connection);
        }
    }

    private boolean find(final AeronArchive archive)
    {
        extended = streams.log(archive);
        if (null != extended && extended.isActive())
        {
            stopDeadline.check();
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

    private boolean readRest(final ArchiveConnection connection)
    {
        rest.poll(connection);
        if (!rest.isDone())
        {
            return false;
        }
        if (0 != rest.records())
        {
            throw elsewhere();
        }
        rest = null;
        cut = new RecordingCut(extended.recordingId(), position);

        return true;
    }

    private IllegalStateException elsewhere()
    {
        return new IllegalStateException("cannot open the log at position=" + position + ": it ends at " +
            extended.stopPosition());
    }
}
