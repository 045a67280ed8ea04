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

import io.gradstream.recovery.archive.client.Recording;

import java.util.List;

/**
 * The snapshots a partition keeps: the two newest that are whole.
 */
final class RetainedSnapshots
{
    /** Snapshots kept, so that one found damaged costs nothing. */
    static final int MAX_KEPT = 2;

    private final boolean keepLogAll;
    private List<StoredSnapshot> kept = List.of();
    private List<Long> broken = List.of();
    private boolean hasLog;

    RetainedSnapshots(final boolean keepLogAll)
    {
        this.keepLogAll = keepLogAll;
    }

    /** Snapshots kept, newest first. */
    List<StoredSnapshot> kept()
    {
        return kept;
    }

    /** Recordings of snapshots that counted and are broken or withdrawn; they matter where there are none to keep. */
    List<Long> broken()
    {
        return broken;
    }

    void broken(final List<Long> recordings)
    {
        broken = List.copyOf(recordings);
    }

    /** Is there a log, whose replay shows what is lost when no snapshot is sound? */
    boolean hasLog()
    {
        return hasLog;
    }

    void hasLog(final boolean isThere)
    {
        hasLog = isThere;
    }

    /** Position of the older of two kept snapshots; 0 if there are not two. */
    long olderPosition()
    {
        return kept.size() < MAX_KEPT ? 0 : kept.get(MAX_KEPT - 1).position();
    }

    /** Keep these, newest first. */
    void keep(final List<StoredSnapshot> snapshots)
    {
        kept = List.copyOf(snapshots);
    }

    void dropBehind(final long position)
    {
        kept = kept.stream().filter((snapshot) -> snapshot.position() <= position).toList();
    }

    boolean isKept(final Recording recording)
    {
        return kept.stream().anyMatch((snapshot) -> snapshot.recordingId() == recording.recordingId());
    }

    /** Log segments end here that nothing needs any more, or where the log begins. */
    long logBase(final Recording log)
    {
        return keepLogAll || kept.size() < MAX_KEPT ? log.startPosition() : log.segmentBase(olderPosition());
    }

    /**
     * A snapshot that is on disk whole.
     *
     * @param recordingId of its recording.
     * @param endPosition of its recording; it begins at 0.
     * @param position    of the log that it stands for.
     * @param isVerified  has it been read back in this life of the process?
     */
    record StoredSnapshot(long recordingId, long endPosition, long position, boolean isVerified)
    {
        /** Names of the files of a snapshot's recording. */
        static String files(final long recordingId)
        {
            return recordingId + "-*.rec";
        }

        StoredSnapshot verified()
        {
            return new StoredSnapshot(recordingId, endPosition, position, true);
        }
    }
}
