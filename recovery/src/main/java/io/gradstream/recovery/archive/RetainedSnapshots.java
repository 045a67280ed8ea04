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
import io.gradstream.recovery.archive.client.PartitionStreams;
import io.gradstream.recovery.archive.client.Recording;

import java.util.List;

/**
 * The snapshots a partition keeps: the two newest that are whole. Changed by the archive agent only, and read by the
 * partition's thread.
 */
final class RetainedSnapshots
{
    /** Snapshots kept, so that one found damaged costs nothing. */
    static final int MAX_KEPT = 2;

    private final PartitionStreams streams;
    private final boolean keepLogAll;
    private volatile List<StoredSnapshot> kept = List.of();
    private volatile List<Long> broken = List.of();
    private volatile boolean hasLog;

    RetainedSnapshots(final PartitionStreams streams, final boolean keepLogAll)
    {
        this.streams = streams;
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
        final List<StoredSnapshot> snapshots = kept;
        return snapshots.size() < MAX_KEPT ? 0 : snapshots.get(MAX_KEPT - 1).position();
    }

    /** Keep these, newest first. */
    void keep(final List<StoredSnapshot> snapshots)
    {
        kept = List.copyOf(snapshots);
    }

    /** Keep no snapshot that stands for a later position. */
    void dropBehind(final long position)
    {
        kept = kept.stream().filter((snapshot) -> snapshot.position() <= position).toList();
    }

    boolean isKept(final Recording recording)
    {
        return kept.stream().anyMatch((snapshot) -> snapshot.recordingId() == recording.recordingId());
    }

    /** Delete snapshots that are not kept: older ones and failed attempts. One that is being read goes another time. */
    void purgeOthers(final AeronArchive archive)
    {
        for (final Recording recording : streams.snapshots(archive))
        {
            if (!recording.isActive() && !isKept(recording))
            {
                tryPurge(() -> archive.purgeRecording(recording.recordingId()));
            }
        }
    }

    /** Delete log segments behind the older of two verified snapshots, unless they are being read. */
    void purgeLog(final AeronArchive archive)
    {
        final List<StoredSnapshot> snapshots = kept;
        final Recording log = streams.log(archive);
        if (keepLogAll || null == log || snapshots.size() < MAX_KEPT)
        {
            return;
        }

        final long base = log.segmentBase(snapshots.get(MAX_KEPT - 1).position());
        if (base > log.startPosition())
        {
            tryPurge(() -> archive.purgeSegments(log.recordingId(), base));
        }
    }

    /** What the Archive refuses because of a replay or another deletion is tried again after the next snapshot. */
    private static void tryPurge(final Runnable purge)
    {
        try
        {
            purge.run();
        }
        catch (final ArchiveException ex)
        {
            if (ArchiveException.GENERIC != ex.errorCode() && ArchiveException.ACTIVE_RECORDING != ex.errorCode())
            {
                throw ex;
            }
        }
    }
}
