// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.recording;

import io.gradstream.recovery.recording.RecordingEntry.Kind;
import io.gradstream.recovery.recording.StreamReport.State;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads and checks every recording of a directory, and the snapshots of a partition against its log. */
public final class DirectoryCheck
{
    private final RecordingDirectory directory;
    private final Map<Long, SnapshotScan> snapshots = new HashMap<>();
    private final Map<Long, StreamReport> reports = new HashMap<>();

    private DirectoryCheck(final RecordingDirectory directory)
    {
        this.directory = directory;
    }

    /** Check all recordings; a report for each, in the order of the directory. */
    public static List<StreamReport> run(final RecordingDirectory directory)
    {
        final DirectoryCheck check = new DirectoryCheck(directory);
        directory.entries().stream().filter((entry) -> Kind.SNAPSHOT == entry.kind()).forEach(check::snapshot);
        directory.entries().stream().filter((entry) -> Kind.LOG == entry.kind()).forEach(check::log);
        directory.entries().stream().filter((entry) -> Kind.OTHER == entry.kind()).forEach(check::other);

        return directory.entries().stream()
            .map((entry) -> withdrawn(check.reports.get(entry.recordingId()))).toList();
    }

    public static StreamReport readFrames(final RecordingDirectory directory, final RecordingEntry entry)
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

    private void snapshot(final RecordingEntry entry)
    {
        final SnapshotScan scan = SnapshotScan.run(directory, entry);
        snapshots.put(entry.recordingId(), scan);
        reports.put(entry.recordingId(), scan.report());
    }

    private void log(final RecordingEntry entry)
    {
        final List<SnapshotScan> own = ownSnapshots(entry);
        final LogScan scan = LogScan.run(directory, entry, own);
        reports.put(entry.recordingId(), scan.report());
        for (final SnapshotScan snapshot : own)
        {
            final String problem = scan.snapshotProblem(snapshot);
            if (null != problem)
            {
                reports.computeIfPresent(snapshot.report().entry().recordingId(),
                    (id, report) -> report.broken(snapshot.position(), problem));
            }
        }
    }

    private void other(final RecordingEntry entry)
    {
        reports.put(entry.recordingId(), readFrames(directory, entry));
    }

    /** Sound snapshots of the partition, if this is the log that a node would use. */
    private List<SnapshotScan> ownSnapshots(final RecordingEntry log)
    {
        if (log != directory.log(log.jobId(), log.partition()))
        {
            return List.of();
        }

        return directory.snapshots(log.jobId(), log.partition()).stream()
            .map((entry) -> snapshots.get(entry.recordingId()))
            .filter((scan) -> State.COMPLETE == scan.report().state()).toList();
    }

    private static StreamReport withdrawn(final StreamReport report)
    {
        return report.entry().isWithdrawn() && report.isSound() ?
            report.broken(report.position(), "its frames are sound, but the Archive has withdrawn it as damaged") :
            report;
    }
}
