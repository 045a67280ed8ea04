// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.plugin;

import io.gradstream.function.UpdateFunctionProvider;
import io.gradstream.server.function.UpdateFunctions;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Update functions of users, each jar of a directory in a class loader of its own, which asks that of Gradstream first.
 */
public final class FunctionPlugins
{
    private static final String SERVICE = "META-INF/services/" + UpdateFunctionProvider.class.getName();

    private FunctionPlugins()
    {
    }

    /**
     * Load every jar of a directory. Classes stay loaded for the life of the process.
     *
     * @param directory of jars; what has another ending is left alone.
     * @return Gradstream's own functions and those of the jars.
     * @throws IllegalArgumentException naming the jar, what is wrong with it, and what to do.
     */
    public static UpdateFunctions load(final Path directory)
    {
        UpdateFunctions functions = UpdateFunctions.BUILT_IN;
        final Map<String, Path> jarById = new HashMap<>();
        for (final Path jar : jars(directory))
        {
            for (final UpdateFunctionProvider provider : providers(jar))
            {
                functions = with(functions, provider, jar, jarById);
            }
        }

        return functions;
    }

    private static List<Path> jars(final Path directory)
    {
        try (Stream<Path> files = Files.list(directory))
        {
            return files.filter((file) -> file.toString().endsWith(".jar")).sorted().toList();
        }
        catch (final IOException ex)
        {
            throw new IllegalArgumentException(
                "the directory of plugins " + directory + " cannot be read (" + ex + "): name one that is there", ex);
        }
    }

    private static UpdateFunctions with(
        final UpdateFunctions functions,
        final UpdateFunctionProvider provider,
        final Path jar,
        final Map<String, Path> jarById)
    {
        try
        {
            final String id = provider.name() + '/' + provider.version();
            final Path other = jarById.put(id, jar);
            if (null != other)
            {
                throw new IllegalArgumentException(
                    "update function " + id + " is in " + other.getFileName() + " too: remove one of them");
            }
            return functions.with(provider);
        }
        catch (final RuntimeException | LinkageError ex)
        {
            throw broken(jar, ex instanceof IllegalArgumentException ? ex.getMessage() : ex.toString(), ex);
        }
    }

    private static List<UpdateFunctionProvider> providers(final Path jar)
    {
        final List<UpdateFunctionProvider> providers = new ArrayList<>();
        try
        {
            // a class loader says nothing of a jar that it cannot read
            try (JarFile file = new JarFile(jar.toFile()))
            {
                if (null == file.getEntry(SERVICE))
                {
                    throw broken(jar, "it has no " + SERVICE + ": name its providers there, or put the jar elsewhere" +
                        " (what a function needs belongs into the same jar)", null);
                }
            }
            final ClassLoader loader = new URLClassLoader(
                jar.getFileName().toString(), new URL[]{jar.toUri().toURL()}, FunctionPlugins.class.getClassLoader());
            for (final UpdateFunctionProvider provider : ServiceLoader.load(UpdateFunctionProvider.class, loader))
            {
                // those on Gradstream's own class path are none of the jar's
                if (loader == provider.getClass().getClassLoader())
                {
                    providers.add(provider);
                }
            }
        }
        catch (final IOException | ServiceConfigurationError | LinkageError ex)
        {
            throw broken(jar, null == ex.getCause() ? ex.toString() : ex + ", because of " + ex.getCause(), ex);
        }
        if (providers.isEmpty())
        {
            throw broken(jar, SERVICE + " names no provider of this jar", null);
        }

        return providers;
    }

    private static IllegalArgumentException broken(final Path jar, final String why, final Throwable cause)
    {
        return new IllegalArgumentException("plugin " + jar + " cannot be used: " + why, cause);
    }
}
