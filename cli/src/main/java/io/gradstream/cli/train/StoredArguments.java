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

import io.gradstream.cli.options.UsageException;
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
 * those that say what is killed, shown or written.
 */
final class StoredArguments
{
    /** One option a line. */
    static final String FILE = "train.args";

    private static final Set<String> NOT_KEPT = Set.of(
        "--dir", "--resume", "--from", "--save", "--json", "--log", "--ui", "--ui-hold", "--plot", "--down",
        TrainCommand.RESUMED_AT);
    private static final String KILLS = "--kill-";

    private StoredArguments()
    {
    }

    /**
     * Keep them.
     *
     * @param resumedAt batches of each worker that runs before have trained on.
     */
    static void write(final Path directory, final ParseResult parsed, final long resumedAt) throws IOException
    {
        final List<String> lines = new ArrayList<>();
        for (final OptionSpec option : parsed.matchedOptions())
        {
            final String name = option.longestName();
            if (!NOT_KEPT.contains(name) && !name.startsWith(KILLS))
            {
                lines.add(0 == option.arity().max() ? name : name + "=" + value(option));
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

    /** Who goes on may be started in another working directory. */
    private static String value(final OptionSpec option)
    {
        if (option.getValue() instanceof Path path)
        {
            return path.toAbsolutePath().toString();
        }
        if (option.getValue() instanceof List<?> list && !list.isEmpty() && list.get(0) instanceof Path)
        {
            return list.stream().map((path) -> ((Path)path).toAbsolutePath().toString())
                .collect(Collectors.joining(","));
        }

        return String.join(",", option.originalStringValues());
    }
}
