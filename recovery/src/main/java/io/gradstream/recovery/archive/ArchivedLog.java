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

import io.gradstream.recovery.archive.client.ArchiveAgent;
import io.gradstream.recovery.archive.client.ArchiveConnection;
import io.gradstream.recovery.archive.client.Deadline;
import io.gradstream.recovery.archive.client.RecordedStream;
import io.gradstream.recovery.replica.Log;
import org.agrona.MutableDirectBuffer;

/**
 * A replica's log as an Aeron Archive recording of an IPC publication; the Archive is its only subscriber. The
 * archive agent opens and closes it, the partition's thread appends in between.
 */
public final class ArchivedLog implements Log, ArchiveAgent.Task
{
    private final LogOpening opening;
    /** Of the archive agent until it is published by {@link #isOpen}. */
    private RecordedStream stream;
    private boolean isStreamClosed;
    private boolean isEnded;
    private Deadline endDeadline;
    private volatile boolean isOpen;
    private volatile RuntimeException failure;
    private volatile boolean isClosed;
    private long closePosition;

    ArchivedLog(final LogOpening opening)
    {
        this.opening = opening;
    }

    /**
     * Id of the recording in this node's Archive.
     *
     * @return recording id.
     */
    public long recordingId()
    {
        return stream.recordingId();
    }

    @Override
    public int maxRecordLength()
    {
        return stream.maxPayloadLength();
    }

    @Override
    public long position()
    {
        return isClosed ? closePosition : stream.position();
    }

    @Override
    public boolean tryClaim(final int length)
    {
        return !isClosed && stream.tryClaim(length);
    }

    /**
     * Fill the log with padding up to the beginning of a term, because another copy of it did.
     *
     * @param position where a term begins, at most one record's length ahead.
     * @return false if there is no room now; then nothing has happened.
     */
    public boolean tryPadTo(final long position)
    {
        return !isClosed && stream.tryPadTo(position);
    }

    @Override
    public long claimEndPosition()
    {
        // A claim moves the publication on at once, whether or not it is committed.
        return position();
    }

    @Override
    public MutableDirectBuffer buffer()
    {
        return stream.buffer();
    }

    @Override
    public int offset()
    {
        return stream.offset();
    }

    @Override
    public void commit()
    {
        stream.commit();
    }

    @Override
    public long recordedPosition()
    {
        return stream.recordedPosition();
    }

    @Override
    public boolean isAlive()
    {
        return !isClosed && stream.isAlive();
    }

    /** Does not wait: the archive agent closes the stream, and the Archive records the rest of it. */
    @Override
    public void close()
    {
        if (!isClosed)
        {
            closePosition = isOpen ? stream.position() : 0;
            isClosed = true;
        }
    }

    @Override
    public int poll(final ArchiveConnection connection)
    {
        if (isClosed)
        {
            return end(connection);
        }
        if (isOpen || null != failure)
        {
            return 0;
        }

        try
        {
            stream = opening.poll(connection);
            isOpen = null != stream;
        }
        catch (final RuntimeException ex)
        {
            opening.abandon(connection);
            failure = ex;
        }

        return isOpen ? 1 : 0;
    }

    @Override
    public boolean isOver()
    {
        return isEnded || null != failure;
    }

    @Override
    public boolean isClosing()
    {
        return isClosed;
    }

    @Override
    public void onFailure(final RuntimeException failure)
    {
        this.failure = failure;
    }

    /** May it be used? Fails if it could not be opened. */
    boolean isOpen()
    {
        final RuntimeException cause = failure;
        if (null != cause)
        {
            throw new IllegalStateException("cannot open the log: " + cause.getMessage(), cause);
        }

        return isOpen;
    }

    private int end(final ArchiveConnection connection)
    {
        if (!isStreamClosed)
        {
            isStreamClosed = true;
            endDeadline = new Deadline("end of a log");
            closeStream(connection);
            return 1;
        }
        isEnded = null == stream || stream.isRecordingOver() || endDeadline.isOver();

        return isEnded ? 1 : 0;
    }

    private void closeStream(final ArchiveConnection connection)
    {
        if (null == stream)
        {
            opening.abandon(connection);
        }
        else
        {
            stream.close();
        }
    }
}
