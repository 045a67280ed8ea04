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

import io.gradstream.launcher.RunDirectory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A place for a model file that goes with this process, also when that is ended by Ctrl-C.
 */
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
        return directory.resolve("temporary.model");
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
            // it is still written to: what is left is for whoever cleans temporary files
        }
    }
}
