// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command whose subcommands change a running job. */
@Command(
    name = "job",
    description = "Change a job that runs.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = JobSetCommand.class)
public final class JobCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Say what this command does.")
    private boolean isHelp;

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "name a command: " +
            String.join(", ", spec.subcommands().keySet()) + " (gradstream job --help says more)");
    }
}
