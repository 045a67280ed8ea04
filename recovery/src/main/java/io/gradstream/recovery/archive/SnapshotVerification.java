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

import io.gradstream.recovery.archive.client.ArchiveClient;
import io.gradstream.recovery.archive.client.PartitionStreams;
import io.gradstream.recovery.archive.client.RangeFinder.ReplayRange;
import io.gradstream.recovery.archive.client.RangeReader;
import io.gradstream.recovery.log.ReplayException;

/**
 * Reads a snapshot's recording back from beginning to end, a few frames with each step.
 */
final class SnapshotVerification
{
    private final SnapshotCheck check = new SnapshotCheck();
    private final RangeReader reading;

    SnapshotVerification(final PartitionStreams streams, final ReplayRange range)
    {
        reading = new RangeReader(streams, range, check, Long.MAX_VALUE);
    }

    /**
     * One step.
     *
     * @throws ReplayException if a frame is not sound.
     */
    int poll(final ArchiveClient client)
    {
        return reading.poll(client);
    }

    boolean isDone()
    {
        return reading.isDone();
    }

    /** Once it is done: was the last frame the end of a whole snapshot? */
    boolean isWhole()
    {
        return check.isEnded();
    }

    /** The log position it stands for. */
    long position()
    {
        return check.position();
    }

    void close()
    {
        reading.close();
    }
}
