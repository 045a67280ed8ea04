// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.usage;

import java.util.Map;
import java.util.stream.Collectors;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that has subcommands alone: without one of them, it names them. */
public abstract class CommandGroup implements Runnable
{
    /** Specification of this command. */
    @Spec
    protected CommandSpec spec;

    @Override
    public final void run()
    {
        final String commands = spec.subcommands().entrySet().stream()
            .filter((command) -> !command.getValue().getCommandSpec().usageMessage().hidden())
            .map(Map.Entry::getKey)
            .collect(Collectors.joining(", "));
        throw new ParameterException(spec.commandLine(),
            "name a command: " + commands + " (" + spec.qualifiedName() + " --help says more)");
    }
}
