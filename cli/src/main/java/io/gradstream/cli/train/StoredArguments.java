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
package io.gradstream.cli.train;

import io.gradstream.cli.options.DataFiles;
import io.gradstream.cli.options.UsageException;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The options of a run, kept in its directory for whoever goes on with it: those that say what is trained and how, not
 * those that say what is killed, shown or written. An option is kept wherever its value came from: the command line,
 * the file of {@code --config} or a system property.
 */
final class StoredArguments
{
    /** One option a line. */
    static final String FILE = "train.args";

    private static final Set<String> NOT_KEPT = Set.of(
        "--config", "--dir", "--resume", "--from", "--save", "--json", "--log", "--ui", "--ui-hold", "--bind", "--plot",
        "--down", TrainCommand.RESUMED_AT);
    private static final String KILLS = "--kill-";
    private static final String HOLD_OUT = "--hold-out";
    /** What batch of which examples is the next one follows from these. */
    private static final Set<String> FIXED = Set.of(
        "--workers", "--batch", "--seed", "--data", "--labels", HOLD_OUT, "--examples", "--features", "--format",
        "--label", "--separator", "--number-columns", "--leave-out", "--hash-bits", "--no-header", "--no-intercept",
        "--log-scale", "--label-values", "--decimal");

    private StoredArguments()
    {
    }

    /**
     * Keep them.
     *
     * @param parsed    of a command whose data are loaded, which says what share is held out.
     * @param resumedAt batches of each worker that runs before have trained on.
     */
    static void write(final Path directory, final ParseResult parsed, final long resumedAt) throws IOException
    {
        final List<String> lines = new ArrayList<>();
        for (final OptionSpec option : parsed.commandSpec().options())
        {
            final String name = option.longestName();
            final String line = line(parsed, option);
            if (null != line && !NOT_KEPT.contains(name) && !name.startsWith(KILLS))
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
        Files.write(directory.resolve(FILE), lines);
    }

    /**
     * Those of a run before.
     *
     * @throws UsageException if there are none.
     */
    static List<String> read(final Path directory) throws IOException
    {
        final Path file = directory.resolve(FILE);
        if (!Files.isRegularFile(file))
        {
            throw new UsageException("--resume " + directory + ": no " + FILE +
                " is there; name the directory that an earlier train was given with --dir");
        }

        return Files.readAllLines(file);
    }

    /**
     * Refuse options with which the batches that were done would be others than those that were counted.
     *
     * @param stored those of the run before.
     * @param given  those of this one.
     * @throws UsageException if one differs.
     */
    static void checkSameBatches(final Path directory, final List<String> stored, final ParseResult given)
    {
        for (final OptionSpec option : given.commandSpec().options())
        {
            final String name = option.longestName();
            final String line = FIXED.contains(name) ? line(given, option) : null;
            final String before = stored.stream().filter((each) -> name.equals(nameOf(each))).findAny()
                .orElse(null == option.defaultValue() ? null : name + "=" + option.defaultValue());
            if (null != line && !line.equals(before))
            {
                throw new UsageException("--resume " + directory + ": " + line + " where that run had " +
                    (null == before ? "no " + name : before) + ", and which batches are left follows from it: leave" +
                    " it out");
            }
        }
    }

    /** The option of a line. */
    static String nameOf(final String line)
    {
        return line.substring(0, (line + "=").indexOf('='));
    }

    /** An option as an argument, or null if it has the value that it has by itself. */
    private static String line(final ParseResult parsed, final OptionSpec option)
    {
        final String provided = parsed.hasMatchedOption(option) ? null : provided(parsed, option);
        if (!parsed.hasMatchedOption(option) && null == provided)
        {
            return null;
        }
        final String name = option.longestName();
        if (0 == option.arity().max())
        {
            return Boolean.TRUE.equals(option.getValue()) ? name : null;
        }

        final String text = null == provided ? String.join(",", option.originalStringValues()) : provided;
        return name + "=" + value(option, text);
    }

    private static String provided(final ParseResult parsed, final OptionSpec option)
    {
        final IDefaultValueProvider provider = parsed.commandSpec().defaultValueProvider();
        try
        {
            return null == provider ? null : provider.defaultValue(option);
        }
        catch (final Exception ex)
        {
            throw new IllegalStateException("no default of " + option.longestName(), ex);
        }
    }

    /** Who goes on may be started in another working directory. */
    private static String value(final OptionSpec option, final String text)
    {
        if (option.getValue() instanceof Path path)
        {
            return path.toAbsolutePath().toString();
        }
        if (option.getValue() instanceof List<?> list && !list.isEmpty() && list.get(0) instanceof Path)
        {
            return DataFiles.named(list.stream().map((path) -> (Path)path).toList()).stream()
                .map((path) -> path.toAbsolutePath().toString())
                .collect(Collectors.joining(","));
        }

        return text;
    }
}
