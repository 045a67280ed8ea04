// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.gradstream.cli.model.DirectoryModel;
import io.gradstream.cli.options.Failures;
import io.gradstream.launcher.RunDirectory;
import io.gradstream.server.function.UpdateFunctions;

/**
 * Saves what is left of a run that does not come to its end: writes the model so far where {@code --out} says, and
 * reports to the user how to go on.
 */
final class Salvage
{
    /** Longest wait for a server or coordinator: without an answer by then, it contributes nothing. */
    static final long ANSWER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(15);

    private static final long SAVE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final String NAME = "gradstream train: ";

    private final String metadata;
    private final Path file;
    private final RunDirectory directory;
    private final Consumer<String> lines;
    private boolean isSaved;

    /**
     * A salvage that has saved nothing yet.
     *
     * @param file      to write the model to; null for none.
     * @param metadata  of the model, which describes its features.
     * @param directory of the run.
     * @param lines     takes the lines for the user.
     */
    Salvage(
        final Path file, final String metadata, final RunDirectory directory, final Consumer<String> lines)
    {
        this.metadata = metadata;
        this.file = file;
        this.directory = directory;
        this.lines = lines;
    }

    /** Called when the run itself has written the best model so far. */
    void onSaved()
    {
        isSaved = true;
    }

    /** Ask the servers for the model, while they run. */
    void fromServers(final Supplier<AuditClient> connect)
    {
        if (null == file || isSaved)
        {
            return;
        }
        try (AuditClient client = connect.get())
        {
            client.save(file, false, false, SAVE_TIMEOUT_NS, metadata);
            isSaved = true;
        }
        catch (final IOException | RuntimeException | OutOfMemoryError ex)
        {
            lines.accept(NAME + "the servers do not give the model: " + Failures.oneLine(ex));
        }
    }

    /** Rebuild the model from the directories of servers that have ended. */
    void fromDirectories()
    {
        if (null == file || isSaved)
        {
            return;
        }
        try
        {
            final List<Path> servers = StartingPoint.servers(directory.path());
            if (servers.isEmpty() || Files.exists(file))
            {
                return;
            }
            DirectoryModel.write(servers, null, false, UpdateFunctions.BUILT_IN, file, DirectoryModel.ANY);
            isSaved = true;
        }
        catch (final IOException | RuntimeException | OutOfMemoryError ex)
        {
            lines.accept(NAME + "the servers' directories do not give the model: " + Failures.oneLine(ex));
        }
    }

    /** Tell the user what was saved, and how to go on with it. */
    void report()
    {
        if (isSaved)
        {
            lines.accept(NAME + "the model so far is in " + file + "; --from " + file + " begins with it");
        }
        else if (null != file)
        {
            final List<Path> kept = keepServers();
            lines.accept(NAME + (kept.isEmpty() ? "no server had begun: there is no model to save" :
                "the model so far is not saved; gradstream model export --dir " +
                kept.stream().map(Path::toString).collect(Collectors.joining(",")) + " --out " + file +
                " takes it out of what the servers have kept"));
        }
        if (directory.isKept())
        {
            lines.accept(NAME + "--resume " + directory.path() +
                " continues after the last batch that all workers have ended; name another --dir with it");
        }
    }

    private List<Path> keepServers()
    {
        try
        {
            return StartingPoint.servers(directory.path()).stream().map((path) -> directory.isKept() ? path :
                directory.keep(path.getFileName().toString())).filter((path) -> null != path).toList();
        }
        catch (final IOException ex)
        {
            lines.accept(NAME + Failures.oneLine(ex));
            return List.of();
        }
    }
}
