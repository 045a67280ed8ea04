// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.gradstream.codecs.LogRecords;
import io.gradstream.codecs.snapshot.MessageHeaderEncoder;
import io.gradstream.codecs.snapshot.SnapshotEndedEncoder;
import io.gradstream.recovery.archive.client.ArchiveClient;
import io.gradstream.recovery.archive.client.PartitionStreams;
import io.gradstream.recovery.archive.client.RangeFinder.ReplayRange;
import io.gradstream.recovery.archive.client.RangeReader;
import io.gradstream.recovery.archive.client.Recording;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.SnapshotRetention.StoredSnapshot;

/**
 * Looks at the first and the last frame of a recording to tell whether it is a snapshot that was written to its end.
 * The frames between them are checked when the snapshot is loaded.
 */
final class SnapshotProbe
{
    private static final int END_LENGTH =
        LogRecords.alignedLength(MessageHeaderEncoder.ENCODED_LENGTH + SnapshotEndedEncoder.BLOCK_LENGTH);

    private final PartitionStreams streams;
    private final Recording recording;
    private final SnapshotCheck check = new SnapshotCheck();
    private RangeReader reading;
    private boolean isEndRead;
    private boolean isEndSound;
    private boolean isDone;

    SnapshotProbe(final PartitionStreams streams, final Recording recording)
    {
        this.streams = streams;
        this.recording = recording;
        isDone = 0 != recording.startPosition() || recording.stopPosition() <= END_LENGTH;
    }

    boolean isDone()
    {
        return isDone;
    }

    /** The snapshot, or null if it is not whole. */
    StoredSnapshot snapshot()
    {
        return isEndSound && check.isStarted() ?
            new StoredSnapshot(recording.recordingId(), recording.stopPosition(), check.position(), false) : null;
    }

    int poll(final ArchiveClient client)
    {
        if (null == reading)
        {
            reading = isEndRead ? readFirst() : readLast();
        }

        try
        {
            final int workCount = reading.poll(client);
            if (reading.isDone())
            {
                reading = null;
                isDone = isEndRead || !isEndSound;
                isEndRead = true;
            }

            return workCount;
        }
        catch (final ReplayException ex)
        {
            isEndSound = false;
            isDone = true;
            return 1;
        }
    }

    void close()
    {
        if (null != reading)
        {
            reading.close();
        }
    }

    private RangeReader readLast()
    {
        final long endPosition = recording.stopPosition();
        return new RangeReader(
            streams, new ReplayRange(recording.recordingId(), endPosition - END_LENGTH, endPosition),
            (buffer, offset, length, position) -> isEndSound = SnapshotCheck.isSoundEnd(buffer, offset, length), 1);
    }

    private RangeReader readFirst()
    {
        return new RangeReader(
            streams, new ReplayRange(recording.recordingId(), 0, recording.stopPosition()), check, 1);
    }
}
