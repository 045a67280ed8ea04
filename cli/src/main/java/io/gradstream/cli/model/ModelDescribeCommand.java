// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.model;

import io.gradstream.cli.options.DataOptions;
import io.gradstream.cli.options.PluginOptions;
import io.gradstream.cli.options.UsageException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** Says what a model file holds, after checking it. */
@Command(name = "describe",
    description = "Check a model file, or stopped servers' directories, and say what they hold.")
public final class ModelDescribeCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Mixin
    private PluginOptions plugins;

    @Parameters(paramLabel = "FILE|DIR", arity = "1..*",
        description = "A model file; or the directories of all stopped servers of a cluster, which are only read.")
    private List<Path> sources;

    @Option(names = "--job", paramLabel = "N", description = "With directories: the job. Default: the only one.")
    private Integer jobId;

    @Option(names = "--now",
        description = "With directories: each partition as it is at the end of its log, not all of one iteration.")
    private boolean isNow;

    @Option(names = "--json", description = "Print one JSON object instead.")
    private boolean isJson;

    @Override
    public Integer call() throws IOException
    {
        if (!Files.isDirectory(sources.get(0)))
        {
            UsageException.refuseIf(sources.size() > 1,
                "more than one file: " + sources + "; name one, or directories");
            DataOptions.checkNamed(sources.get(0) + ": ", sources.get(0));
            ModelSummary.print(spec, sources.get(0), isJson);
            return 0;
        }

        try (TemporaryModel model = TemporaryModel.create())
        {
            DirectoryModel.write(sources, jobId, !isNow, plugins.functions(), model.file(), DirectoryModel.ANY);
            ModelSummary.print(spec, model.file(), isJson);
        }

        return 0;
    }
}
