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
package io.gradstream.cli.options;

import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.server.plugin.FunctionPlugins;
import picocli.CommandLine.Option;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where update functions of users are.
 */
public final class PluginOptions
{
    private static final String BESIDE = "plugins";

    @Option(names = "--plugins", paramLabel = "DIR",
        description = "Jars with update functions of your own. Default: " + BESIDE + " beside the command gradstream," +
            " if it is there.")
    private Path plugins;

    /**
     * Load them.
     *
     * @return Gradstream's own functions and those of users.
     * @throws UsageException naming the jar or directory that cannot be used, and why.
     */
    public UpdateFunctions functions()
    {
        final Path directory = null == plugins ? beside() : plugins;
        try
        {
            return null == directory ? UpdateFunctions.BUILT_IN : FunctionPlugins.load(directory);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new UsageException(ex.getMessage());
        }
    }

    private static Path beside()
    {
        final String home = System.getProperty("gradstream.home");
        final Path directory = null == home ? null : Path.of(home, BESIDE);

        return null != directory && Files.isDirectory(directory) ? directory : null;
    }
}
