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
import io.gradstream.recovery.archive.client.Recording;
import io.gradstream.recovery.archive.client.ReplayRange;
import io.gradstream.recovery.replica.ReplayException;

/**
 * Tells a snapshot that was given up before its end, and never counted, from one that was whole and is broken now. What
 * was given up is sound as far as it goes; what has no sound end and is not sound either has lost something.
 */
final class SnapshotRemains
{
    private final Recording recording;
    private final SnapshotCheck check = new SnapshotCheck();
    private final RangeReader reading;
    private boolean isBroken;

    /** Of a recording in which a {@link SnapshotProbe} found no whole snapshot. */
    SnapshotRemains(final PartitionStreams streams, final Recording recording)
    {
        this.recording = recording;
        reading = new RangeReader(
            streams, new ReplayRange(recording.recordingId(), recording.startPosition(), recording.stopPosition()),
            check, Long.MAX_VALUE);
    }

    /** One turn; returns frames read. */
    int poll(final ArchiveConnection connection)
    {
        try
        {
            return reading.poll(connection);
        }
        catch (final ReplayException ex)
        {
            isBroken = true;
            return 1;
        }
    }

    boolean isDone()
    {
        return isBroken || reading.isDone();
    }

    /** Has it been whole once? */
    boolean isBroken()
    {
        return isBroken || check.isEnded();
    }

    Recording recording()
    {
        return recording;
    }
}
