// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive.client;

import io.gradstream.recovery.archive.client.RangeFinder.ReplayRange;
import io.gradstream.recovery.log.RecordHandler;
import org.agrona.CloseHelper;

/** A part of a recording that is read to be judged, a few records with each step, since the node's other work waits. */
public class RangeReader
{
    /** Most bytes read with one step, by a few records more. */
    private static final int STEP_LENGTH = 128 * 1024;
    private static final int POLL_LIMIT = 4;

    private final PartitionStreams streams;
    private final ReplayRange range;
    private final RecordHandler handler;
    private final long maxRecords;
    private ArchivedReplay replay;
    private long records;
    private long bytes;
    private boolean isDone;

    /** Reads to the range's end, or until so many records have been handed on. */
    public RangeReader(
        final PartitionStreams streams, final ReplayRange range, final RecordHandler handler, final long maxRecords)
    {
        this.streams = streams;
        this.range = range;
        this.handler = handler;
        this.maxRecords = maxRecords;
    }

    /**
     * One step.
     *
     * @throws io.gradstream.recovery.log.ReplayException if the recording is broken; the reading is then closed.
     */
    public int poll(final ArchiveClient client)
    {
        if (null == replay)
        {
            replay = streams.newReplay(client, range);
        }
        final long recordsBefore = records;
        final long limit = replay.position() + STEP_LENGTH;
        try
        {
            int read;
            do
            {
                read = replay.poll(handler, (int)Math.min(POLL_LIMIT, maxRecords - records));
                records += read;
            }
            while (read > 0 && records < maxRecords && replay.position() < limit);
        }
        catch (final RuntimeException ex)
        {
            close();
            throw ex;
        }
        bytes = Math.max(0, replay.position() - range.fromPosition());
        if (records == maxRecords || replay.isDone())
        {
            isDone = true;
            close();
        }

        return (int)(records - recordsBefore);
    }

    public boolean isDone()
    {
        return isDone;
    }

    public long records()
    {
        return records;
    }

    /** Bytes read so far. */
    public long bytes()
    {
        return bytes;
    }

    public void close()
    {
        CloseHelper.close(replay);
    }
}
