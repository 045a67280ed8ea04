// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import io.gradstream.cli.model.DirectoryModel;
import io.gradstream.cli.model.ModelImportCommand;
import io.gradstream.cli.options.ModelDescription;
import io.gradstream.cli.options.UsageException;
import io.gradstream.cli.worker.WorkerSession;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.model.ModelFile;
import io.gradstream.model.ModelOrigin;
import io.gradstream.model.TableEntry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ObjLongConsumer;
import java.util.stream.Stream;

/**
 * The point at which training begins: with nothing, with a model, or where an earlier run had come to.
 *
 * @param model  to put into the cluster before workers start; null for none.
 * @param pushes of each worker whose batches are done already.
 */
record StartingPoint(Path model, long pushes)
{
    /** Prefix of the directory of a server; the server's number follows. */
    static final String SERVER = "server-";
    private static final int TRAINED = 0;
    private static final String MODEL = "resumed" + ModelFile.SUFFIX;
    /** Slowest speed at which a model is put in. */
    private static final long LEAST_BYTES_PER_S = 1 << 20;

    /** Begin with nothing. */
    static StartingPoint none()
    {
        return new StartingPoint(null, 0);
    }

    /**
     * Begin with a model.
     *
     * @param given names of the options of the command line, for messages.
     * @throws UsageException if the model has no table that is trained, or another one.
     */
    static StartingPoint from(final Path model, final TableSpec weights, final Set<String> given) throws IOException
    {
        final String what = "--from " + model;
        try (ModelFile file = ModelFile.open(model))
        {
            check(what, List.of(trained(what, file)), weights, given);
        }

        return new StartingPoint(model, 0);
    }

    /** The table of a model that is trained. */
    static TableSpec trained(final String what, final ModelFile file)
    {
        final List<TableSpec> tables = file.tables().stream().map(TableEntry::spec).toList();
        return tables.stream().filter((table) -> TRAINED == table.tableId()).findFirst().orElseThrow(() ->
            new UsageException(what + ": it has no table with id " + TRAINED + ", which is the one that train trains," +
                " but " + tables.stream().map((table) -> table.tableId() + " '" + table.name() + "'").toList()));
    }

    /**
     * Begin after the last iteration that all workers of a run had ended, as its servers' directories say.
     *
     * @param directory of the run, which is only read.
     * @param into      the directory of this run.
     * @param before    pushes of each worker in runs before that run.
     * @param given     names of the options of the command line, for messages.
     * @param checkData refuses other data; a run that cannot be resumed at all is refused first.
     */
    static StartingPoint resume(
        final Path directory,
        final Path into,
        final TableSpec weights,
        final long before,
        final Set<String> given,
        final Runnable checkData)
        throws IOException
    {
        UsageException.refuseIf(null != UpdateFunctions.schedule(weights.function()),
            "--resume " + directory + ": the rate follows a schedule, which would begin" +
                " anew; begin with the model instead: gradstream model export --dir, then --from");
        final List<Path> servers = servers(directory);
        UsageException.refuseIf(servers.isEmpty(),
            "--resume " + directory + ": no directory of a server is there: the run was" +
                " ended before it began; start over");
        final Path model = into.resolve(MODEL);
        // nothing is written of a run that is not resumed: the next run would find the directory used
        final ObjLongConsumer<List<TableSpec>> resumable = (tables, clock) ->
        {
            check("--resume " + directory, tables, weights, given);
            checkResumable("--resume " + directory, servers, clock, before);
            checkData.run();
        };
        final ModelOrigin origin =
            DirectoryModel.write(servers, null, true, UpdateFunctions.BUILT_IN, model, resumable);

        return new StartingPoint(model, before + origin.clock());
    }

    /** The directories of the servers of a run. */
    static List<Path> servers(final Path directory) throws IOException
    {
        try (Stream<Path> files = Files.list(directory))
        {
            return files.filter((file) -> file.getFileName().toString().startsWith(SERVER)).sorted().toList();
        }
    }

    private static void checkResumable(
        final String what, final List<Path> servers, final long clock, final long before)
    {
        UsageException.refuseIf(Consistency.FINISHED == clock,
            what + ": this run has finished: to train on, take its model out by gradstream" +
                " model export --out FILE --dir " + String.join(",", servers.stream().map(Path::toString).toList()) +
                ", and begin with it by train --from FILE");
        UsageException.refuseIf(ModelOrigin.NO_CLOCK == clock,
            what + (before > 0 ?
                ": it was ended before its own first batch was done by all; --resume the directory again with which" +
                    " it had begun itself" :
                ": no worker of this run says which batches it has done: it had no --staleness, or was ended before" +
                    " the first; start over, with --from if it had begun so"));
    }

    private static void check(
        final String what, final List<TableSpec> tables, final TableSpec weights, final Set<String> given)
    {
        for (final TableSpec table : tables)
        {
            if (table.tableId() == weights.tableId() && !table.equals(weights))
            {
                final List<String> ofTable = given.stream().filter(ModelDescription.ofTable()::contains).sorted()
                    .toList();
                throw new UsageException(what + ": " + difference(table, weights) + ": leave " + (ofTable.isEmpty() ?
                    "out what says so, in a property file too" : String.join(", ", ofTable) + " out"));
            }
        }
    }

    private static String difference(final TableSpec table, final TableSpec weights)
    {
        if (!table.name().equals(weights.name()) || table.dim() != weights.dim())
        {
            return "its rows are " + table.dim() + " '" + table.name() + "' each, instead of " + weights.dim() + " '" +
                weights.name() + "', which is another model";
        }
        if (!table.function().equals(weights.function()))
        {
            return "its weights are updated by '" + table.function() + "' instead of '" + weights.function() + "'";
        }
        return "its rows begin otherwise, as --seed and --initial-deviation say: " + table.difference(weights);
    }

    /** Put the model in, if there is one. */
    void load(final String aeronDirectory, final List<String> coordinators) throws IOException
    {
        if (null == model)
        {
            return;
        }
        try (GradstreamClient client = GradstreamClient.connect(new ClientContext()
            .aeronDirectoryName(aeronDirectory)
            .slot(ModelImportCommand.SLOT)
            .coordinators(coordinators)
            .operationTimeoutNs(WorkerSession.OPERATION_TIMEOUT_NS)))
        {
            client.models().load(model, false, WorkerSession.OPERATION_TIMEOUT_NS +
                TimeUnit.SECONDS.toNanos(Files.size(model) / LEAST_BYTES_PER_S));
            client.await(client.finish());
        }
    }
}
