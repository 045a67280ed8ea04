// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.measure;

import io.gradstream.driver.DriverProfile;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Options that every measurement has, and what it does with its result.
 */
public final class RunOptions
{
    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Say what this command does.")
    private boolean isHelp;

    @Option(names = "--profile", defaultValue = "dev", paramLabel = "dev|latency",
        description = "How all processes wait: dev sleeps, latency yields. Default: ${DEFAULT-VALUE}.")
    private String profile;

    @Option(names = "--json", description = "Print one JSON object as the last line.")
    private boolean isJson;

    @Option(names = "--dir", paramLabel = "DIR",
        description = "Where logs and recordings are meanwhile; failover wants it new or empty, and keeps them." +
            " Default: the temporary directory.")
    private Path dir;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    public DriverProfile profile()
    {
        return DriverProfile.parse(profile);
    }

    /** The directory named, or null. */
    public Path namedDirectory()
    {
        return dir;
    }

    /**
     * The directory named, or the temporary one.
     *
     * @throws IllegalArgumentException if it is not there.
     */
    public Path directory()
    {
        final Path directory = null == dir ? Path.of(System.getProperty("java.io.tmpdir")) : dir;
        if (!Files.isDirectory(directory))
        {
            throw new IllegalArgumentException("invalid --dir=" + directory + ": must be an existing directory");
        }

        return directory;
    }

    /**
     * Make the settings of a run.
     *
     * @param settings made of options.
     * @return what was made.
     * @throws ParameterException if an option is wrong.
     */
    public <T> T checked(final Supplier<T> settings)
    {
        try
        {
            return settings.get();
        }
        catch (final IllegalArgumentException ex)
        {
            throw new ParameterException(spec.commandLine(), ex.getMessage());
        }
    }

    /**
     * Print the result.
     *
     * @param table for people.
     * @param json  in one line, if asked for.
     * @return exit code.
     */
    public int print(final String table, final Supplier<String> json)
    {
        System.out.print(table);
        if (isJson)
        {
            System.out.println(json.get());
        }

        return 0;
    }
}
