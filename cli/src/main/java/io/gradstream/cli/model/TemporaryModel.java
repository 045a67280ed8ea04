// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.model;

import io.gradstream.launcher.RunDirectory;
import io.gradstream.model.ModelFile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A place for a model file that goes with this process, also when that is ended by Ctrl-C. */
public final class TemporaryModel implements AutoCloseable
{
    private final Path directory;
    private final Thread onExit = new Thread(this::delete, "temporary-model");

    private TemporaryModel(final Path directory)
    {
        this.directory = directory;
        Runtime.getRuntime().addShutdownHook(onExit);
    }

    /** Where temporary files are; the file is not there yet. */
    static TemporaryModel create() throws IOException
    {
        return new TemporaryModel(Files.createTempDirectory("gradstream-model-"));
    }

    /**
     * In the directory of another file, so that it can take its place; the file is not there yet.
     *
     * @throws IOException if the directory cannot be written to.
     */
    public static TemporaryModel beside(final Path file) throws IOException
    {
        return new TemporaryModel(Files.createTempDirectory(
            file.toAbsolutePath().getParent(), file.getFileName() + ".candidate-"));
    }

    /** Where it is to be written. */
    public Path file()
    {
        return directory.resolve("temporary" + ModelFile.SUFFIX);
    }

    @Override
    public void close()
    {
        try
        {
            Runtime.getRuntime().removeShutdownHook(onExit);
            RunDirectory.delete(directory);
        }
        catch (final IllegalStateException ignore)
        {
            // the hook runs already
        }
    }

    private void delete()
    {
        try
        {
            RunDirectory.delete(directory);
        }
        catch (final UncheckedIOException ignore)
        {
            // the file is still written to: the rest is left to the system's cleaning of temporary files
        }
    }
}
