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
import io.aeron.archive.client.ArchiveException;
import io.gradstream.codecs.LogRecords;
import io.gradstream.codecs.snapshot.MessageHeaderEncoder;
import io.gradstream.codecs.snapshot.SnapshotEndedEncoder;
import io.gradstream.recovery.replica.RecordHandler;
import io.gradstream.recovery.replica.Replay;
import io.gradstream.recovery.replica.ReplayException;
import org.agrona.concurrent.NanoClock;

/**
 * Reads back recorded snapshots, blocking: at start-up their two ends, and all of them before they count.
 */
final class SnapshotReader
{
    private static final int END_LENGTH =
        LogRecords.alignedLength(MessageHeaderEncoder.ENCODED_LENGTH + SnapshotEndedEncoder.BLOCK_LENGTH);
    private static final int POLL_LIMIT = 64;

    private final int streamId;
    private final NanoClock nanoClock;

    SnapshotReader(final int streamId, final NanoClock nanoClock)
    {
        this.streamId = streamId;
        this.nanoClock = nanoClock;
    }

    /**
     * Is this recording a snapshot that was written to its end? Its middle is checked when it is loaded.
     *
     * @return the snapshot, or null if it is not whole.
     */
    StoredSnapshot find(final AeronArchive archive, final Recording recording)
    {
        final long endPosition = recording.stopPosition();
        if (0 != recording.startPosition() || endPosition <= END_LENGTH)
        {
            return null;
        }

        try
        {
            final boolean[] isEnded = new boolean[1];
            readFirst(archive, recording.recordingId(), endPosition - END_LENGTH, endPosition,
                (buffer, offset, length, position) ->
                    isEnded[0] = SnapshotCheck.isSoundEnd(buffer, offset, length));
            final SnapshotCheck check = new SnapshotCheck();
            readFirst(archive, recording.recordingId(), 0, endPosition, check);

            return isEnded[0] ?
                new StoredSnapshot(recording.recordingId(), endPosition, check.position(), false) : null;
        }
        catch (final ReplayException ex)
        {
            return null;
        }
        catch (final ArchiveException ex)
        {
            if (ArchiveException.INVALID_POSITION == ex.errorCode())
            {
                return null;
            }
            throw ex;
        }
    }

    /**
     * Read a snapshot from beginning to end.
     *
     * @return the log position it stands for.
     * @throws ReplayException if it is not sound and whole.
     */
    long verify(final AeronArchive archive, final long recordingId, final long endPosition)
    {
        final SnapshotCheck check = new SnapshotCheck();
        try (Replay replay = new ArchivedReplay(archive, recordingId, 0, endPosition, streamId, nanoClock))
        {
            while (!replay.isDone())
            {
                if (0 == replay.poll(check, POLL_LIMIT))
                {
                    Thread.yield();
                }
            }
        }
        if (!check.isEnded())
        {
            throw new ReplayException("snapshot has no end, recordingId=" + recordingId);
        }

        return check.position();
    }

    private void readFirst(
        final AeronArchive archive, final long recordingId, final long from, final long end,
        final RecordHandler handler)
    {
        try (Replay replay = new ArchivedReplay(archive, recordingId, from, end, streamId, nanoClock))
        {
            while (!replay.isDone() && 0 == replay.poll(handler, 1))
            {
                Thread.yield();
            }
        }
    }
}
