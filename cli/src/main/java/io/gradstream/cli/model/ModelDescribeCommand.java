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

import io.gradstream.worker.model.ModelFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/**
 * Says what a model file holds, after checking it.
 */
@Command(name = "describe", description = "Check a model file, and say what it holds.")
public final class ModelDescribeCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Say what this command does.")
    private boolean isHelp;

    @Parameters(paramLabel = "FILE", description = "The model.")
    private Path file;

    @Option(names = "--json", description = "Print one JSON object instead.")
    private boolean isJson;

    @Override
    public Integer call() throws IOException
    {
        try (ModelFile model = ModelFile.open(file))
        {
            final ModelSummary summary = new ModelSummary(model);
            spec.commandLine().getOut().print(isJson ? summary.json() + System.lineSeparator() : summary.text());
            spec.commandLine().getOut().flush();
        }

        return 0;
    }
}
