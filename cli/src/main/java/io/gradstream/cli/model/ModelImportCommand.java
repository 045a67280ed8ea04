// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.model;

import io.gradstream.cli.options.ClusterAccess.Connection;
import io.gradstream.cli.options.ClusterAccess;
import io.gradstream.cli.options.ClusterOptions;
import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.DurationConverter;
import io.gradstream.cli.options.DataOptions;
import io.gradstream.cli.options.PluginOptions;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.model.ModelCsv;
import io.gradstream.model.ModelFile;
import io.gradstream.model.ModelFileWriter;
import io.gradstream.model.ModelHandler;
import io.gradstream.model.ModelOrigin;
import io.gradstream.model.TableEntry;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * {@code gradstream model import}: a model file, or values of another program, into a running cluster.
 */
@Command(name = "import", description = "Put a model into a running cluster: create its tables, and put its rows in" +
    " the place of those there.")
public final class ModelImportCommand implements Callable<Integer>
{
    /** The last slot, which no worker of a job has by itself: an import needs a slot of the job, too. */
    public static final int SLOT = Consistency.MAX_SLOTS - 1;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions.OfJob cluster;

    @Mixin
    private PluginOptions plugins;

    @Parameters(paramLabel = "FILE", description = "The model.")
    private Path file;

    @Mixin
    private ModelFormatOptions format;

    @Option(names = "--schema-from", paramLabel = "FILE",
        description = "A model file with the tables' specifications: for csv, and for safetensors that another" +
            " program wrote.")
    private Path like;

    @Option(names = "--overwrite",
        description = "Also if the tables have rows already. Rows that the model does not have stay.")
    private boolean isOverwriting;

    @Option(names = "--slot", paramLabel = "N", defaultValue = "" + SLOT,
        description = "Slot of the job to push as, which no worker may have. Default: ${DEFAULT-VALUE}.")
    private int slot;

    @Option(names = "--timeout", paramLabel = "DURATION", defaultValue = "60s", converter = DurationConverter.class,
        description = "Longest time until all rows are acknowledged. Default: ${DEFAULT-VALUE}.")
    private long timeoutMs;

    @Option(names = "--json", description = "Print one JSON object instead of a table.")
    private boolean isJson;

    @Override
    public Integer call() throws IOException
    {
        final ClusterAccess access = cluster.access();
        CommonOptions.checkRange("slot", slot, 0, SLOT);
        final boolean isCsv = format.isCsv("FILE", file);
        DataOptions.checkNamed(file + ": ", file);
        if (null == like)
        {
            UsageException.refuseIf(isCsv,
                file + ": csv needs --schema-from FILE, a model file with the tables' specifications");
            put(access, file);
            return 0;
        }

        DataOptions.checkFile("schema-from", like);
        try (TemporaryModel converted = TemporaryModel.create())
        {
            convert(isCsv, converted.file());
            put(access, converted.file());
        }

        return 0;
    }

    /** Write values of another program as a model file. */
    private void convert(final boolean isCsv, final Path model) throws IOException
    {
        final List<TableSpec> specs;
        try (ModelFile known = ModelFile.open(like))
        {
            specs = known.tables().stream().map(TableEntry::spec).toList();
        }
        try (ModelFileWriter writer = ModelFileWriter.create(model, true))
        {
            final ModelHandler handler = new ZeroState(writer, plugins.functions());
            if (isCsv)
            {
                ModelCsv.read(file, specs, handler);
            }
            else
            {
                try (ModelFile values = ModelFile.openForeign(file, specs))
                {
                    values.forEach(handler);
                }
            }
            writer.finish(new ModelOrigin(0, ModelOrigin.NO_CLOCK, 0, 0, System.currentTimeMillis()));
        }
    }

    /** Nobody is to wait for this slot's iterations, whether or not all rows are there. */
    private void finish(final GradstreamClient client)
    {
        client.await(client.finish(), TimeUnit.MILLISECONDS.toNanos(timeoutMs));
    }

    private void finishAfter(final GradstreamClient client, final Exception failure)
    {
        try
        {
            finish(client);
        }
        catch (final RuntimeException ex)
        {
            failure.addSuppressed(ex);
        }
    }

    private void put(final ClusterAccess access, final Path model) throws IOException
    {
        try (Connection connection = access.open("model import"))
        {
            // what is refused is refused before a slot is taken, which others may wait for
            try (GradstreamClient observer = GradstreamClient.connect(connection.client(ClientContext.OBSERVER)))
            {
                observer.models().check(model, isOverwriting);
            }
            try (GradstreamClient client = GradstreamClient.connect(connection.client(slot)))
            {
                load(client, model);
            }
        }
        ModelSummary.print(spec, model, isJson);
    }

    private void load(final GradstreamClient client, final Path model) throws IOException
    {
        try
        {
            client.models().load(model, isOverwriting, TimeUnit.MILLISECONDS.toNanos(timeoutMs));
        }
        catch (final IOException | RuntimeException ex)
        {
            finishAfter(client, ex);
            throw ex;
        }
        finish(client);
    }
}
