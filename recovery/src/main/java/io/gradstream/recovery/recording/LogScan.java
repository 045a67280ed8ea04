// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.recording;

import io.gradstream.codecs.LogRecords;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.log.EpochStartedDecoder;
import io.gradstream.recovery.log.LogCursor;
import io.gradstream.recovery.log.RecordReplay;
import io.gradstream.recovery.recording.StreamReport.State;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A log read and checked from its start to its end, with what there is to say about it. */
public final class LogScan
{
    /**
     * Where an epoch began.
     *
     * @param epoch         its number.
     * @param startPosition where its first record begins.
     */
    public record Epoch(long epoch, long startPosition)
    {
    }

    private final List<Epoch> epochs = new ArrayList<>();
    private final Map<String, Long> counts = new TreeMap<>();
    private final List<TableSpec> tables = new ArrayList<>();
    private final TreeMap<Integer, Long> slots = new TreeMap<>();
    private final RecordContent content = new RecordContent();
    private final Set<Long> snapshotPositions = new HashSet<>();
    private final Map<Long, Mark> marks = new HashMap<>();
    private StreamReport report;

    private LogScan()
    {
    }

    public static LogScan run(final RecordingDirectory directory, final RecordingEntry entry)
    {
        return run(directory, entry, List.of());
    }

    /**
     * Read a log and compare it with the snapshots that were taken of it.
     *
     * @return what was found; {@link #snapshotProblem} says what became of the snapshots.
     */
    static LogScan run(
        final RecordingDirectory directory, final RecordingEntry entry, final Collection<SnapshotScan> snapshots)
    {
        final LogScan scan = new LogScan();
        snapshots.forEach((snapshot) -> scan.snapshotPositions.add(snapshot.position()));
        try (RecordingReader reader = directory.read(entry))
        {
            scan.read(entry, reader);
        }

        return scan;
    }

    /** The report that says whether the log is sound and where it ends. */
    public StreamReport report()
    {
        return report;
    }

    /** Epochs that began in it, oldest first. */
    public List<Epoch> epochs()
    {
        return epochs;
    }

    public Map<String, Long> counts()
    {
        return counts;
    }

    public List<TableSpec> tables()
    {
        return tables;
    }

    /** Last sequence of each slot that has a part in it. */
    public TreeMap<Integer, Long> slots()
    {
        return slots;
    }

    /** The contradiction between the log and a snapshot: one line, or null if the snapshot belongs to the log. */
    String snapshotProblem(final SnapshotScan snapshot)
    {
        final long at = snapshot.position();
        final Mark mark = marks.get(at);
        if (null != mark)
        {
            return mark.index == snapshot.index() && mark.chainHash == snapshot.chainHash() ? null :
                "it stands for index=" + snapshot.index() + " of another history than the log's index=" + mark.index +
                " at position=" + at;
        }
        if (at <= report.entry().startPosition() || at > report.position() && !report.isSound())
        {
            return null;
        }

        return at > report.position() ?
            "it stands for position=" + at + ", but the log ends at " + report.position() :
            "it stands for position=" + at + ", where no record of the log ends";
    }

    private void read(final RecordingEntry entry, final RecordingReader reader)
    {
        final RecordReplay replay = new RecordReplay(entry.startPosition());
        if (0 == entry.startPosition())
        {
            mark(replay.cursor());
        }
        long records = 0;
        String problem = null;
        while (null == problem && reader.next())
        {
            problem = replay.replay(reader.buffer(), reader.offset(), reader.length(), reader.position());
            if (null == problem)
            {
                records++;
                onRecord(reader);
                mark(replay.cursor());
            }
        }

        report = null != problem ?
            new StreamReport(
                entry, State.BROKEN, reader.beginPosition(), replay.cursor().epoch(), records,
                StreamReport.NO_POSITION, problem) :
            new StreamReport(
                entry, State.valueOf(reader.end().name()), reader.position(), replay.cursor().epoch(), records,
                StreamReport.NO_POSITION, reader.problem());
    }

    private void onRecord(final RecordingReader reader)
    {
        content.wrap(reader.buffer(), reader.offset(), reader.length());
        counts.merge(content.type(), 1L, Long::sum);
        content.parts().forEach((part) -> slots.merge(part.slot(), part.sequence(), Math::max));
        if (null != content.table())
        {
            tables.add(content.table());
        }
        if (EpochStartedDecoder.TEMPLATE_ID == LogRecords.templateId(reader.buffer(), reader.offset()))
        {
            epochs.add(new Epoch(LogRecords.epoch(reader.buffer(), reader.offset()), reader.beginPosition()));
        }
    }

    private void mark(final LogCursor cursor)
    {
        if (snapshotPositions.contains(cursor.position()))
        {
            marks.put(cursor.position(), new Mark(cursor.index(), cursor.chainHash()));
        }
    }

    /** The log's index and chain hash at a position that a snapshot stands for. */
    private record Mark(long index, long chainHash)
    {
    }
}
