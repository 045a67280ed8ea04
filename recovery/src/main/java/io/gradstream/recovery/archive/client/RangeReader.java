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
package io.gradstream.recovery.archive.client;

import io.gradstream.recovery.replica.RecordHandler;

/**
 * A part of a recording read by the archive agent itself, a few records at each turn.
 */
public final class RangeReader
{
    private static final int POLL_LIMIT = 64;

    private final ArchivedReplay replay;
    private final RecordHandler handler;
    private final long maxRecords;
    private long records;
    private boolean isDone;

    /** Reads to the range's end, or until so many records have been handed on. */
    public RangeReader(
        final PartitionStreams streams, final ReplayRange range, final RecordHandler handler, final long maxRecords)
    {
        replay = streams.newReplay(range);
        this.handler = handler;
        this.maxRecords = maxRecords;
    }

    /**
     * One turn.
     *
     * @return records read.
     * @throws io.gradstream.recovery.replica.ReplayException if the recording is broken; the reading is then closed.
     */
    public int poll(final ArchiveConnection connection)
    {
        int workCount = 0;
        try
        {
            replay.poll(connection);
            workCount = replay.poll(handler, (int)Math.min(POLL_LIMIT, maxRecords - records));
        }
        catch (final RuntimeException ex)
        {
            close(connection);
            throw ex;
        }
        records += workCount;
        if (records == maxRecords || replay.isDone())
        {
            isDone = true;
            close(connection);
        }

        return workCount;
    }

    public boolean isDone()
    {
        return isDone;
    }

    public long records()
    {
        return records;
    }

    public void close(final ArchiveConnection connection)
    {
        replay.close();
        replay.poll(connection);
    }
}
