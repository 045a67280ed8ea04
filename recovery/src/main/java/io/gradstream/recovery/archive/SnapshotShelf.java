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
import io.gradstream.recovery.replica.ReplayException;

import java.util.ArrayList;
import java.util.List;

/**
 * The snapshots a partition keeps: the two newest that are whole. Filled at start-up, then changed by the archivist
 * only and read by the partition's thread.
 */
final class SnapshotShelf
{
    /** Snapshots kept, so that one found damaged costs nothing. */
    static final int MAX_KEPT = 2;

    private final String alias;
    private final int streamId;
    private final String logAlias;
    private final int logStreamId;
    private final boolean keepLogAll;
    private final SnapshotReader reader;
    private volatile List<StoredSnapshot> kept = List.of();

    SnapshotShelf(final int jobId, final int partition, final boolean keepLogAll, final SnapshotReader reader)
    {
        alias = LogGeometry.snapshotAlias(jobId, partition);
        streamId = LogGeometry.snapshotStreamId(partition);
        logAlias = LogGeometry.logAlias(jobId, partition);
        logStreamId = LogGeometry.logStreamId(partition);
        this.keepLogAll = keepLogAll;
        this.reader = reader;
    }

    /** Snapshots kept, newest first. */
    List<StoredSnapshot> kept()
    {
        return kept;
    }

    /** Find what an earlier life has left, and stop what it has left running. */
    void find(final AeronArchive archive)
    {
        final List<Recording> recordings = Catalogue.list(archive, alias, streamId);
        final List<StoredSnapshot> found = new ArrayList<>();
        for (int i = recordings.size() - 1; i >= 0; i--)
        {
            final Recording recording = Catalogue.stopped(archive, recordings.get(i));
            final StoredSnapshot snapshot = found.size() < MAX_KEPT ? reader.find(archive, recording) : null;
            if (null != snapshot)
            {
                found.add(snapshot);
            }
        }
        kept = List.copyOf(found);
    }

    /** Await that a recording has stopped at its end, read it back, and keep it as the newest. */
    void add(final AeronArchive archive, final long recordingId, final long endPosition, final long position)
    {
        final Deadline stopDeadline = new Deadline("end of snapshot recordingId=" + recordingId);
        while (archive.getStopPosition(recordingId) != endPosition)
        {
            stopDeadline.idle();
        }
        if (reader.verify(archive, recordingId, endPosition) != position)
        {
            throw new ReplayException("snapshot stands for another position than " + position);
        }
        awaitLog(archive, position);

        final List<StoredSnapshot> snapshots = new ArrayList<>();
        snapshots.add(new StoredSnapshot(recordingId, endPosition, position, true));
        for (final StoredSnapshot older : kept)
        {
            if (snapshots.size() < MAX_KEPT && isSound(archive, older))
            {
                snapshots.add(older.verified());
            }
        }
        kept = List.copyOf(snapshots);
    }

    /** Delete snapshots that are not kept: older ones and failed attempts. */
    void purgeOthers(final AeronArchive archive)
    {
        for (final Recording recording : Catalogue.list(archive, alias, streamId))
        {
            final long recordingId = recording.recordingId();
            if (!recording.isActive() && kept.stream().noneMatch(s -> s.recordingId() == recordingId))
            {
                archive.purgeRecording(recordingId);
            }
        }
    }

    /** Delete log segments behind the older of two verified snapshots. */
    void purgeLog(final AeronArchive archive)
    {
        final List<StoredSnapshot> snapshots = kept;
        final Recording log = Catalogue.newest(archive, logAlias, logStreamId);
        if (keepLogAll || null == log || snapshots.size() < MAX_KEPT)
        {
            return;
        }

        final long base = log.segmentBase(snapshots.get(MAX_KEPT - 1).position());
        if (base > log.startPosition())
        {
            archive.purgeSegments(log.recordingId(), base);
        }
    }

    /** A snapshot ahead of what is recorded of the log would leave a log that cannot be replayed from it. */
    private void awaitLog(final AeronArchive archive, final long position)
    {
        final Recording log = Catalogue.newest(archive, logAlias, logStreamId);
        final Deadline deadline = new Deadline("the log's recording to reach snapshot position=" + position);
        while (null != log && archive.getMaxRecordedPosition(log.recordingId()) < position)
        {
            deadline.idle();
        }
    }

    private boolean isSound(final AeronArchive archive, final StoredSnapshot snapshot)
    {
        try
        {
            return snapshot.isVerified() ||
                reader.verify(archive, snapshot.recordingId(), snapshot.endPosition()) == snapshot.position();
        }
        catch (final ReplayException ex)
        {
            return false;
        }
    }
}
