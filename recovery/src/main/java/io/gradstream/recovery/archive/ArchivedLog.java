// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.gradstream.recovery.archive.client.ArchiveClient;
import io.gradstream.recovery.archive.client.RecordedStream;
import io.gradstream.recovery.log.Log;
import org.agrona.MutableDirectBuffer;

/** A replica's log as an Aeron Archive recording of an IPC publication; the Archive is its only subscriber. */
public final class ArchivedLog implements Log
{
    private final ArchiveClient client;
    private final RecordedStream stream;
    private boolean isClosed;
    private long closePosition;

    ArchivedLog(final ArchiveClient client, final RecordedStream stream)
    {
        this.client = client;
        this.stream = stream;
    }

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

    /** Does not wait: the Archive records the rest of the stream. */
    @Override
    public void close()
    {
        if (!isClosed)
        {
            closePosition = stream.position();
            isClosed = true;
            client.close(stream);
        }
    }
}
