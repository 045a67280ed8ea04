// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.recording;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;

import io.gradstream.recovery.recording.DirectoryCheck;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.recovery.recording.RecordingEntry;
import io.gradstream.recovery.recording.RecordingEntry.Kind;
import io.gradstream.recovery.recording.StreamReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists the recordings of a directory, one line each. */
@Command(name = "list", description = "List the recordings: where each begins and ends, its newest epoch, its state.")
final class RecordingListCommand implements Callable<Integer>
{
    private static final String HEADER = "%4s  %-8s  %4s  %9s  %12s  %12s  %12s  %6s  %10s  %s%n";
    private static final String LINE = "%4d  %-8s  %4s  %9s  %12d  %12d  %12d  %6d  %10d  %s%n";

    @Spec
    private CommandSpec spec;

    @Mixin
    private RecordingOptions options;

    @Override
    public Integer call() throws IOException
    {
        return options.read(this::list);
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
}
