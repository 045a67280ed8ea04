// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive.client;

/** Finds the part of a recording that a replay reads, as soon as that part can be read. */
public interface RangeFinder
{
    /**
     * Asks the Archive once more.
     *
     * @return what to read, or null: ask again.
     * @throws io.gradstream.recovery.log.ReplayException if the recording does not hold it.
     */
    ReplayRange find(ArchiveClient client);

    /**
     * A part of a recording.
     *
     * @param recordingId  of the recording.
     * @param fromPosition where a frame begins, or the end.
     * @param toPosition   where a frame ends.
     */
    record ReplayRange(long recordingId, long fromPosition, long toPosition)
    {
        public long length()
        {
            return toPosition - fromPosition;
        }
    }
}
