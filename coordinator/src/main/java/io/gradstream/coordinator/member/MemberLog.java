// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.aeron.Aeron;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.RecordingLog;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * The recordings of log and snapshots in a member's Archive, by the consensus module's list of them.
 * <p>
 * A start needs the newest snapshot and the log after it. One more snapshot is kept: a member that is restarted while
 * the newest was being taken follows from there, and it can be gone back to by hand.
 */
final class MemberLog
{
    static final int KEPT_SNAPSHOTS = 2;

    private final Path clusterDirectory;
    private final AeronArchive archive;

    MemberLog(final Path clusterDirectory, final AeronArchive archive)
    {
        this.clusterDirectory = clusterDirectory;
        this.archive = archive;
    }

    /** The position where the log ends while no consensus module runs; 0 if there is no log. */
    long endPosition()
    {
        final long recordingId = logRecordingId();
        return Aeron.NULL_VALUE == recordingId ? 0 : archive.getStopPosition(recordingId);
    }

    /**
     * The recording that holds the log, or {@link Aeron#NULL_VALUE} if there is none.
     */
    long logRecordingId()
    {
        try (RecordingLog log = open())
        {
            return log.findLastTermRecordingId();
        }
    }

    List<Long> recordingIds()
    {
        try (RecordingLog log = open())
        {
            return log.entries().stream().map((entry) -> entry.recordingId).distinct().toList();
        }
    }

    /** Delete what lies before the last but one snapshot: older snapshots, and whole segments of the log. */
    void purge()
    {
        try (RecordingLog log = open())
        {
            final long keptPosition = keptPosition(log.entries());
            log.entries().stream()
                .filter((entry) -> isSnapshot(entry) && entry.logPosition < keptPosition)
                .forEach((entry) -> delete(entry.recordingId));
            if (keptPosition > 0)
            {
                purgeSegments(log.findLastTermRecordingId(), keptPosition);
            }
        }
    }

    void delete(final long recordingId)
    {
        if (archive.listRecording(recordingId, (session, correlation, id, startMs, stopMs, start, stop, initialTerm,
            segmentLength, termLength, mtu, sessionId, streamId, stripped, original, source) -> {}) > 0)
        {
            archive.purgeRecording(recordingId);
        }
    }

    private void purgeSegments(final long recordingId, final long keptPosition)
    {
        final long[] begin = new long[2];
        archive.listRecording(recordingId, (session, correlation, id, startMs, stopMs, start, stop, initialTerm,
            segmentLength, termLength, mtu, sessionId, streamId, stripped, original, source) ->
        {
            begin[0] = start;
            begin[1] = AeronArchive.segmentFileBasePosition(start, keptPosition, termLength, segmentLength);
        });
        if (begin[1] > begin[0])
        {
            archive.purgeSegments(recordingId, begin[1]);
        }
    }

    // entries stay in the list when their recordings go: the consensus module looks at the newest alone
    private static long keptPosition(final List<RecordingLog.Entry> entries)
    {
        return entries.stream()
            .filter((entry) -> isSnapshot(entry) && ConsensusModule.Configuration.SERVICE_ID == entry.serviceId)
            .map((entry) -> entry.logPosition)
            .distinct()
            .sorted(Comparator.reverseOrder())
            .skip(KEPT_SNAPSHOTS - 1)
            .findFirst()
            .orElse(0L);
    }

    private static boolean isSnapshot(final RecordingLog.Entry entry)
    {
        return entry.isValid && RecordingLog.ENTRY_TYPE_SNAPSHOT == entry.type;
    }

    private RecordingLog open()
    {
        return new RecordingLog(clusterDirectory.toFile(), true);
    }
}
