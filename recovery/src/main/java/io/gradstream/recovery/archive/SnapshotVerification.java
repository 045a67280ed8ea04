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

import io.gradstream.recovery.archive.client.ArchiveConnection;
import io.gradstream.recovery.archive.client.PartitionStreams;
import io.gradstream.recovery.archive.client.RangeReader;
import io.gradstream.recovery.archive.client.ReplayRange;
import io.gradstream.recovery.replica.ReplayException;

/**
 * Reads a snapshot back from beginning to end, a few frames at each turn.
 */
final class SnapshotVerification
{
    private final SnapshotCheck check = new SnapshotCheck();
    private final RangeReader reading;
    private final long recordingId;

    SnapshotVerification(final PartitionStreams streams, final long recordingId, final long endPosition)
    {
        this.recordingId = recordingId;
        reading = new RangeReader(streams, new ReplayRange(recordingId, 0, endPosition), check, Long.MAX_VALUE);
    }

    /**
     * One turn.
     *
     * @return frames read.
     * @throws ReplayException if it is not sound and whole.
     */
    int poll(final ArchiveConnection connection)
    {
        final int workCount = reading.poll(connection);
        if (reading.isDone() && !check.isEnded())
        {
            throw new ReplayException("snapshot has no end, recordingId=" + recordingId);
        }

        return workCount;
    }

    boolean isDone()
    {
        return reading.isDone();
    }

    /** The log position it stands for. */
    long position()
    {
        return check.position();
    }

    void close(final ArchiveConnection connection)
    {
        reading.close(connection);
    }
}
