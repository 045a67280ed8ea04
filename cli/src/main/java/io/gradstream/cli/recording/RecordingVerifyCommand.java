// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.recording;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;

import io.gradstream.cli.options.Failures;
import io.gradstream.recovery.recording.DirectoryCheck;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.recovery.recording.StreamReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Checks every checksum and the chain hash of every recording. Exit code 1 if one is broken. */
@Command(name = "verify",
    description = "Check frames, records, the chain hash, and snapshots against their log; say where one is broken.",
    footer = {"", "Exit codes: 0 all sound (a torn tail is no damage), 1 something is broken."})
final class RecordingVerifyCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Mixin
    private RecordingOptions options;

    @Override
    public Integer call() throws IOException
    {
        return options.read(this::verify);
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
