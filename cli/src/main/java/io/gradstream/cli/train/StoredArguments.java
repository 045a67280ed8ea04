// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import io.gradstream.cli.options.DataFormatOptions;
import io.gradstream.cli.options.GivenOptions;
import io.gradstream.cli.options.UsageException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The options of a run, kept in its directory for a run that resumes it: the options for the model and its training,
 * not those for what is killed, shown or written. An option is kept wherever its value came from: the command line, the
 * file of {@code --config} or a system property.
 */
final class StoredArguments
{
    /** Name of the file, with one option a line. */
    static final String FILE = "train.args";

    private static final Set<String> NOT_KEPT = Set.of(
        "--config", "--dir", "--resume", "--from", "--out", "--json", "--log", "--ui", "--serve-after", "--bind",
        "--plot", "--kill", "--restart-after", "--add-server", "--drain-server", "--add-worker", "--chaos",
        TrainCommand.RESUMED_AT, TrainCommand.TRAINED_ON, "--accept-changed-data");
    private static final String HOLD_OUT = "--hold-out";
    /** Options that, together with the format of data, determine the next batch and its examples. */
    private static final Set<String> FIXED = Set.of(
        "--workers", "--batch", "--push-every", "--local-steps", "--seed", "--data",
        "--labels", HOLD_OUT, "--examples", "--features");

    private StoredArguments()
    {
    }

    /**
     * Keep the options of a run.
     *
     * @param parsed    of a command whose data are loaded, so that the share that is held out is known.
     * @param resumedAt pushes of each worker in earlier runs.
     * @param content   of the data; null if they are generated.
     */
    static void write(
        final Path directory, final ParseResult parsed, final long resumedAt, final DataContent content)
        throws IOException
    {
        final List<String> lines = new ArrayList<>();
        for (final OptionSpec option : parsed.commandSpec().options())
        {
            final String name = option.longestName();
            final String line = GivenOptions.line(parsed, option);
            if (null != line && !NOT_KEPT.contains(name))
            {
                lines.add(line);
            }
            else if (HOLD_OUT.equals(name) && null != option.getValue())
            {
                // the share that was chosen for the user: whether there is a --test must not change it
                lines.add(name + "=" + option.getValue());
            }
        }
        lines.add(TrainCommand.RESUMED_AT + "=" + resumedAt);
        if (null != content)
        {
            lines.add(TrainCommand.TRAINED_ON + "=" + content.text());
        }
        Files.write(directory.resolve(FILE), lines);
    }

    /** Read the options of an earlier run. */
    static List<String> read(final Path directory) throws IOException
    {
        final Path file = directory.resolve(FILE);
        UsageException.refuseIf(!Files.isRegularFile(file),
            "--resume " + directory + ": no " + FILE +
                " is there; name the directory that an earlier train was given with --dir");

        return Files.readAllLines(file);
    }

    /**
     * Refuse options that change the batches, as the batches done would then not be those that were counted.
     *
     * @param stored options of the run before.
     * @param given  options of this run.
     */
    static void checkSameBatches(final Path directory, final List<String> stored, final ParseResult given)
    {
        final Set<String> ofFormat = DataFormatOptions.names();
        for (final OptionSpec option : given.commandSpec().options())
        {
            final String name = option.longestName();
            final boolean isFixed = FIXED.contains(name) || ofFormat.contains(name);
            final String line = GivenOptions.line(given, option);
            final String before = GivenOptions.before(stored, option);
            UsageException.refuseIf(isFixed && GivenOptions.isGiven(given, option) && !Objects.equals(line, before),
                "--resume " + directory + ": " + (null == line ? name + "=false" : line) +
                    " where that run had " +
                    (null == before ? "no " + name : before) + ", and which batches are left follows from it: leave" +
                    " it out");
        }
    }
}
