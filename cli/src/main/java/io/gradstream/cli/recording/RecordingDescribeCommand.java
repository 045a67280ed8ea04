// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.recording;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import io.gradstream.cli.options.Failures;
import io.gradstream.codecs.TableSpec;
import io.gradstream.recovery.recording.DirectoryCheck;
import io.gradstream.recovery.recording.LogScan;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.recovery.recording.RecordingEntry;
import io.gradstream.recovery.recording.SnapshotScan;
import io.gradstream.recovery.recording.StreamReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Says what is in one recording. */
@Command(name = "describe",
    description = "Say what is in one recording: positions, segments, epochs, records, tables, slots.")
final class RecordingDescribeCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Mixin
    private RecordingOptions options;

    @Mixin
    private RecordingChoice choice;

    private PrintWriter out;

    @Override
    public Integer call() throws IOException
    {
        out = spec.commandLine().getOut();
        return options.read((directory) ->
        {
            final RecordingEntry entry = choice.of(directory);
            line("recording", RecordingText.title(entry).substring("recording ".length()));
            line("geometry", "stream " + entry.streamId() + ", MTU " + entry.geometry().mtuLength() + ", term " +
                entry.geometry().termLength() + ", initial term id " + entry.geometry().initialTermId());
            line("segments", directory.segmentBases(entry).size() + " of " + entry.segmentLength() + " bytes in " +
                directory.path());
            final StreamReport report = switch (entry.kind())
            {
                case LOG -> log(directory, entry);
                case SNAPSHOT -> snapshot(directory, entry);
                case OTHER -> other(directory, entry);
            };
            out.flush();

            return RecordingText.isBroken(report) ? Failures.EXIT_FAILED : 0;
        });
    }

    private StreamReport log(final RecordingDirectory directory, final RecordingEntry entry)
    {
        final LogScan scan = LogScan.run(directory, entry);
        report(scan.report());
        line("records", scan.report().count() + counts(scan.counts()));
        epochs(scan.epochs());
        tables(scan.tables(), Map.of());
        slots(scan.slots());

        return scan.report();
    }

    private StreamReport snapshot(final RecordingDirectory directory, final RecordingEntry entry)
    {
        final SnapshotScan scan = SnapshotScan.run(directory, entry);
        report(scan.report());
        line("frames", Long.toString(scan.report().count()));
        line("stands for", "log position " + scan.position() + ", record " + scan.index() + ", chain hash " +
            RecordingText.hash(scan.chainHash()));
        epochs(scan.epochs());
        tables(scan.tables(), scan.rows());
        slots(scan.slots());

        return scan.report();
    }

    private StreamReport other(final RecordingDirectory directory, final RecordingEntry entry)
    {
        final StreamReport report = DirectoryCheck.readFrames(directory, entry);
        report(report);
        line("frames", Long.toString(report.count()));

        return report;
    }

    private void report(final StreamReport report)
    {
        final RecordingEntry entry = report.entry();
        line("positions", entry.startPosition() + ".." + report.position() + ", " +
            (report.position() - entry.startPosition()) + " bytes, " +
            (entry.isStopped() ? "closed in order" : "not closed in order"));
        line("state", RecordingText.state(report));
    }

    private void epochs(final List<LogScan.Epoch> epochs)
    {
        line("epochs", epochs.isEmpty() ? "none begins here" : epochs.stream()
            .map((epoch) -> epoch.epoch() + " from position " + epoch.startPosition())
            .collect(Collectors.joining(", ")));
    }

    private void tables(final List<TableSpec> tables, final Map<Integer, Long> rows)
    {
        for (final TableSpec table : tables)
        {
            line("table " + table.tableId(), table.name() + ", dim " + table.dim() + ", " + table.elementType() +
                ", " + table.function() +
                (rows.containsKey(table.tableId()) ? ", " + rows.get(table.tableId()) + " rows" : ""));
        }
    }

    private void slots(final Map<Integer, Long> slots)
    {
        slots.forEach((slot, sequence) -> line("slot " + slot, "last sequence " + sequence));
    }

    private static String counts(final Map<String, Long> counts)
    {
        return counts.isEmpty() ? "" : ": " + counts.entrySet().stream()
            .map((entry) -> entry.getKey() + " " + entry.getValue()).collect(Collectors.joining(", "));
    }

    private void line(final String name, final String text)
    {
        out.printf(Locale.ROOT, "%-11s %s%n", name, text);
    }
}
