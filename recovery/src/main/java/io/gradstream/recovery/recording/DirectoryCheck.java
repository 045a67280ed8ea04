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
package io.gradstream.recovery.recording;

import io.gradstream.recovery.recording.RecordingEntry.Kind;
import io.gradstream.recovery.recording.StreamReport.State;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and checks every recording of a directory, and the snapshots of a partition against its log.
 */
public final class DirectoryCheck
{
    private DirectoryCheck()
    {
    }

    /**
     * Check all recordings.
     *
     * @param directory to read.
     * @return a report for each, in the order of the directory.
     */
    public static List<StreamReport> run(final RecordingDirectory directory)
    {
        final Map<Long, SnapshotScan> snapshots = new HashMap<>();
        for (final RecordingEntry entry : directory.entries())
        {
            if (Kind.SNAPSHOT == entry.kind())
            {
                snapshots.put(entry.recordingId(), SnapshotScan.run(directory, entry));
            }
        }
        final Map<Long, StreamReport> reports = new HashMap<>();
        for (final RecordingEntry entry : directory.entries())
        {
            if (Kind.SNAPSHOT != entry.kind())
            {
                final LogScan scan = Kind.LOG == entry.kind() ?
                    LogScan.run(directory, entry, ofLog(directory, entry, snapshots)) : null;
                reports.put(entry.recordingId(), null == scan ? other(directory, entry) : scan.report());
                if (null != scan)
                {
                    compare(scan, ofLog(directory, entry, snapshots), reports);
                }
            }
        }

        final List<StreamReport> ordered = new ArrayList<>();
        for (final RecordingEntry entry : directory.entries())
        {
            final long id = entry.recordingId();
            ordered.add(withdrawn(reports.containsKey(id) ? reports.get(id) : snapshots.get(id).report()));
        }

        return ordered;
    }

    /** Sound snapshots of the partition whose newest log this is. */
    private static List<SnapshotScan> ofLog(
        final RecordingDirectory directory, final RecordingEntry log, final Map<Long, SnapshotScan> snapshots)
    {
        if (log != directory.log(log.jobId(), log.partition()))
        {
            return List.of();
        }

        return directory.snapshots(log.jobId(), log.partition()).stream()
            .map((entry) -> snapshots.get(entry.recordingId()))
            .filter((scan) -> State.COMPLETE == scan.report().state()).toList();
    }

    private static void compare(
        final LogScan log, final List<SnapshotScan> snapshots, final Map<Long, StreamReport> reports)
    {
        for (final SnapshotScan snapshot : snapshots)
        {
            final String problem = log.snapshotProblem(snapshot);
            if (null != problem)
            {
                reports.put(snapshot.report().entry().recordingId(),
                    snapshot.report().broken(snapshot.position(), problem));
            }
        }
    }

    private static StreamReport other(final RecordingDirectory directory, final RecordingEntry entry)
    {
        long frames = 0;
        try (RecordingReader reader = directory.read(entry))
        {
            while (reader.next())
            {
                frames++;
            }

            return new StreamReport(
                entry, State.valueOf(reader.end().name()), reader.position(), 0, frames,
                StreamReport.NO_POSITION, reader.problem());
        }
    }

    private static StreamReport withdrawn(final StreamReport report)
    {
        return report.entry().isWithdrawn() && report.isSound() ?
            report.broken(report.position(), "its frames are sound, but the Archive has withdrawn it as damaged") :
            report;
    }
}
