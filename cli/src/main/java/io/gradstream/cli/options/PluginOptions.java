// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.server.plugin.FunctionPlugins;
import picocli.CommandLine.Option;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where update functions of users are. */
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
     */
    public UpdateFunctions functions()
    {
        final Path directory = null == plugins ? beside() : plugins;
        return UsageException.refusing(() ->
            null == directory ? UpdateFunctions.BUILT_IN : FunctionPlugins.load(directory));
    }

    private static Path beside()
    {
        final String home = System.getProperty("gradstream.home");
        final Path directory = null == home ? null : Path.of(home, BESIDE);

        return null != directory && Files.isDirectory(directory) ? directory : null;
    }
}
