// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.model;

import io.gradstream.cli.options.ClusterAccess.Connection;
import io.gradstream.cli.options.ClusterOptions;
import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.DataOptions;
import io.gradstream.cli.options.DurationConverter;
import io.gradstream.cli.options.PluginOptions;
import io.gradstream.cli.options.UsageException;
import io.gradstream.worker.ClientContext;
import io.gradstream.model.ModelCsv;
import io.gradstream.model.ModelFile;
import io.gradstream.worker.GradstreamClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Takes the model out of a cluster that runs. */
@Command(name = "export", description = "Write the model of a running cluster to a file, while training goes on, or" +
    " that of stopped servers' directories.")
public final class ModelExportCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions.OfJob cluster;

    @Mixin
    private PluginOptions plugins;

    @Option(names = "--dir", paramLabel = "DIR", split = CommonOptions.COMMA,
        description = "Instead of --coordinator: directories of all stopped servers, or copies of them, separated by" +
            " commas. They are only read; rows are held in memory.")
    private List<Path> dirs = List.of();

    @Option(names = "--out", paramLabel = "FILE", required = true, description = "File to write.")
    private Path out;

    @Mixin
    private ModelFormatOptions format;

    @Option(names = "--now",
        description = "Take each partition's rows as they are, not all of one iteration: where workers end none.")
    private boolean isNow;

    @Option(names = "--overwrite", description = "Replace the file if it is there.")
    private boolean isOverwriting;

    @Option(names = "--timeout", paramLabel = "DURATION", defaultValue = "60s", converter = DurationConverter.class,
        description = "Longest time until the file is whole. Default: ${DEFAULT-VALUE}.")
    private long timeoutMs;

    @Option(names = "--json", description = "Print one JSON object instead of a table.")
    private boolean isJson;

    @Override
    public Integer call() throws IOException
    {
        UsageException.refuseIf(!dirs.isEmpty() && cluster.isNamed(),
            "--dir and --coordinator: a model is taken out of one of the two");
        final boolean isCsv = format.isCsv("--out", out);
        UsageException.refuseIf(!isOverwriting && Files.exists(out),
            "--out " + out + " is there already: name another file, or say --overwrite");
        DataOptions.checkNew("out", out, isOverwriting);
        if (!isCsv)
        {
            takeOut(out);
            ModelSummary.print(spec, out, isJson);
            return 0;
        }

        try (TemporaryModel model = TemporaryModel.beside(out))
        {
            takeOut(model.file());
            try (ModelFile file = ModelFile.open(model.file()))
            {
                ModelCsv.write(file, out, isOverwriting);
            }
            ModelSummary.print(spec, model.file(), isJson);
        }

        return 0;
    }

    private void takeOut(final Path file) throws IOException
    {
        if (!dirs.isEmpty())
        {
            DirectoryModel.write(dirs, jobOfDirectories(), !isNow, plugins.functions(), file, DirectoryModel.ANY);
            return;
        }
        try (Connection connection = cluster.access().open("model export");
            GradstreamClient client = GradstreamClient.connect(connection.client(ClientContext.OBSERVER)))
        {
            if (isNow)
            {
                client.models().saveNow(file, isOverwriting, TimeUnit.MILLISECONDS.toNanos(timeoutMs));
            }
            else
            {
                client.models().save(file, isOverwriting, TimeUnit.MILLISECONDS.toNanos(timeoutMs));
            }
        }
    }

    /** Directories know a job by its number, or the only one that there is. */
    private Integer jobOfDirectories()
    {
        try
        {
            return null == cluster.job() ? null : Integer.valueOf(cluster.job());
        }
        catch (final NumberFormatException ex)
        {
            throw new UsageException("invalid --job=" + cluster.job() + ": with --dir it must be the number of the" +
                " job, as 'job list' and 'recording list' show it");
        }
    }
}
