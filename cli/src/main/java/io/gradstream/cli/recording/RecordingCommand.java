// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.recording;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Looks into what a stopped node, or a copy of its directory, has recorded. */
@Command(
    name = "recording",
    description = "Look into what a stopped node, or a copy of its directory, has recorded.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
        RecordingListCommand.class, RecordingDescribeCommand.class, RecordingVerifyCommand.class,
        RecordingDumpCommand.class, RecordingReplayCommand.class})
public final class RecordingCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Say what this command does.")
    private boolean isHelp;

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "name a command: " +
            String.join(", ", spec.subcommands().keySet()) + " (gradstream recording --help says more)");
    }
}
