// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.recording;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

import io.gradstream.cli.options.Failures;
import io.gradstream.cli.usage.CommandGroup;
import io.gradstream.recovery.recording.DirectoryCheck;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.recovery.recording.RecordingEntry;
import io.gradstream.recovery.recording.RecordingEntry.Kind;
import io.gradstream.recovery.recording.StreamReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Looks into what a stopped node, or a copy of its directory, has recorded. */
@Command(
    name = "recording",
    description = "Look into what a stopped node, or a copy of its directory, has recorded.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {RecordingDescribeCommand.class, RecordingDumpCommand.class, RecordingReplayCommand.class})
public final class RecordingCommand extends CommandGroup
{
    private static final String HEADER = "%4s  %-8s  %4s  %9s  %12s  %12s  %12s  %6s  %10s  %s%n";
    private static final String LINE = "%4d  %-8s  %4s  %9s  %12d  %12d  %12d  %6d  %10d  %s%n";

    /** Lists the recordings of a directory, one line each. */
    @Command(description = "List the recordings: where each begins and ends, its newest epoch, its state.")
    int list(@Mixin final RecordingOptions options) throws IOException
    {
        return options.read(this::list);
    }

    /** Checks every checksum and the chain hash of every recording. Exit code 1 if one is broken. */
    @Command(
        description = "Check frames, records, the chain hash, and snapshots against their log; say where one is" +
            " broken.",
        footer = {"", "Exit codes: 0 all sound (a torn tail is no damage), 1 something is broken."})
    int verify(@Mixin final RecordingOptions options) throws IOException
    {
        return options.read(this::verify);
    }

    private int list(final RecordingDirectory directory)
    {
        final PrintWriter out = spec.commandLine().getOut();
        out.printf(Locale.ROOT,
            HEADER, "id", "kind", "job", "partition", "start", "end", "bytes", "epoch", "records", "state");
        for (final StreamReport report : DirectoryCheck.run(directory))
        {
            final RecordingEntry entry = report.entry();
            final boolean isOurs = Kind.OTHER != entry.kind();
            out.printf(Locale.ROOT, LINE, entry.recordingId(), RecordingText.kind(entry), isOurs ? entry.jobId() : "-",
                isOurs ? entry.partition() : "-", entry.startPosition(), report.position(),
                report.position() - entry.startPosition(), report.epoch(), report.count(),
                RecordingText.state(report));
        }
        out.flush();

        return 0;
    }

    private int verify(final RecordingDirectory directory)
    {
        final PrintWriter out = spec.commandLine().getOut();
        final List<StreamReport> reports = DirectoryCheck.run(directory);
        for (final StreamReport report : reports)
        {
            out.println(RecordingText.title(report.entry()) + ": " + report.count() + " " +
                RecordingText.unit(report.entry()) + " sound up to position " + report.position() + ", " +
                RecordingText.state(report));
        }
        final long broken = reports.stream().filter(RecordingText::isBroken).count();
        out.println(reports.size() + " recordings, " + (0 == broken ? "none" : Long.toString(broken)) + " broken");
        out.flush();

        return 0 == broken ? 0 : Failures.EXIT_FAILED;
    }
}
