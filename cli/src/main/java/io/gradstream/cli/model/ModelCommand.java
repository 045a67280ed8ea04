/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.cli.model;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * What can be done with models.
 */
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
