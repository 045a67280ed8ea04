// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.model;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command whose subcommands export, import and describe models. */
@Command(
    name = "model",
    description = "Take a model out of a cluster or its directories, look at one, and put one into a cluster.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ModelExportCommand.class, ModelImportCommand.class, ModelDescribeCommand.class})
public final class ModelCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Say what this command does.")
    private boolean isHelp;

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "name a command: " +
            String.join(", ", spec.subcommands().keySet()) + " (gradstream model --help says more)");
    }
}
