// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.gradstream.codecs.TableSpec;
import io.gradstream.launcher.JsonText;
import io.gradstream.training.read.Column;
import io.gradstream.training.read.DataStatistics;
import io.gradstream.model.ModelFileWriter;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The description of a model for its users: the columns and options by which its features were found, its kind, and
 * statistics of its data. {@code train} keeps it as JSON in each model that it saves, and in the directory of a run.
 *
 * @param version    of this description.
 * @param command    that made it, with its version.
 * @param format     options of the data's format, as arguments.
 * @param model      options of the model, as arguments.
 * @param columns    of a table; empty for data that have none.
 * @param statistics of the data that were trained on.
 */
public record ModelDescription(
    int version, String command, List<String> format, List<String> model, List<Column> columns,
    DataStatistics statistics)
{
    /** Name of the description's file in the directory of a run. */
    public static final String FILE = "model.json";

    private static final int VERSION = 1;
    /** Writes no decimals, as there are no doubles. */
    private static final JsonText JSON = new JsonText(0);
    private static final String SEPARATOR = "--separator";
    /**
     * Options that may differ, as they say how a file is written or a model is trained, not what the model is. Columns
     * that are left out are compared by name.
     */
    private static final Set<String> FREE = Set.of(
        SEPARATOR, "--decimal", "--no-header", GivenOptions.LABEL_VALUES, "--exclude-columns", "--decay");
    private static final String FORMAT = "--format";
    private static final Set<String> TABLES = Set.of(FORMAT + "=csv", FORMAT + "=tsv");

    /**
     * The description of the model of a job whose data are read.
     *
     * @param command    that trains.
     * @param statistics of the data that are trained on.
     * @throws UsageException if a model file has no room for it.
     */
    public static ModelDescription of(
        final CommandSpec command, final JobOptions job, final DataStatistics statistics)
    {
        final ModelDescription description = new ModelDescription(VERSION,
            String.join(" ", command.root().version()),
            job.data.isGenerated() ? List.of() : job.data.format.described(), job.model.arguments(),
            job.data.format.columns(), statistics);
        UsageException.refuseIf(!ModelFileWriter.hasRoomFor(description.json()),
            "--data: a model file has no room for what is to be said of " +
                description.columns.size() + " columns: leave some out with --exclude-columns");
        return description;
    }

    /**
     * Parse a description.
     *
     * @param source of the text, for messages.
     * @param text   JSON; empty if nothing is known.
     * @return the description, or null if nothing is known.
     */
    public static ModelDescription parse(final String source, final String text)
    {
        if (text.isEmpty())
        {
            return null;
        }
        try
        {
            final ModelDescription read = JSON.read(text, ModelDescription.class);
            if (VERSION == read.version && null != read.format && null != read.model && null != read.columns &&
                null != read.statistics && read.columns.stream().noneMatch((column) -> null == column.kind()))
            {
                return read;
            }
        }
        catch (final IllegalArgumentException ex)
        {
            throw new UsageException(source + ": what the model is made of cannot be read: " + ex.getMessage());
        }
        throw new UsageException(source + " was described by another version of this program: use that one");
    }

    /**
     * The description of the model of a run, from the run's directory.
     *
     * @return the description, or null if the run kept none.
     */
    public static ModelDescription ofRun(final Path directory) throws IOException
    {
        final Path file = directory.resolve(FILE);
        return Files.isRegularFile(file) ? parse(file.toString(), Files.readString(file)) : null;
    }

    /** Names of the options that determine the table that is trained. */
    public static Set<String> ofTable()
    {
        final Set<String> names = DataFormatOptions.namesOf(new ModelOptions());
        names.addAll(DataFormatOptions.namesOf(new OptimizerOptions()));
        names.add("--seed");
        return names;
    }

    /** As text: one line. */
    public String json()
    {
        return JSON.of(this);
    }

    /**
     * Take from the model the options of the format that the user did not give.
     *
     * @param source      of the model, for messages.
     * @param commandLine of the command, which is parsed again.
     * @throws UsageException if one is given that contradicts the model.
     */
    public void takeFormat(final String source, final CommandLine commandLine)
    {
        take(source, commandLine, List.of(), Set.of());
    }

    /**
     * Take from the model the options of the format, of the model and of its table that the user did not give.
     *
     * @param source      of the model, for messages.
     * @param commandLine of the command, which is parsed again.
     * @param table       of the model.
     * @throws UsageException if one is given that contradicts the model.
     */
    public void takeAll(final String source, final CommandLine commandLine, final TableSpec table)
    {
        final List<String> known = new ArrayList<>(model);
        known.addAll(TableOptions.of(table, commandLine));
        final Set<String> names = DataFormatOptions.namesOf(new ModelOptions());
        names.addAll(TableOptions.names(table, commandLine));
        take(source, commandLine, known, names);
    }

    /**
     * Take from a table without a description the options that the user did not give.
     *
     * @param source      of the model, for messages.
     * @param commandLine of the command, which is parsed again.
     * @param table       of the model.
     * @throws UsageException if one is given that contradicts the table.
     */
    public static void takeTable(final String source, final CommandLine commandLine, final TableSpec table)
    {
        GivenOptions.take(commandLine, source, TableOptions.of(table, commandLine),
            TableOptions.names(table, commandLine), Set.of());
    }

    private void take(
        final String source, final CommandLine commandLine, final List<String> others, final Set<String> otherNames)
    {
        final List<String> known = new ArrayList<>(others);
        final Set<String> names = new HashSet<>(otherNames);
        final Set<String> free = new HashSet<>(FREE);
        if (!format.isEmpty())
        {
            final String given = FORMAT + "=" + commandLine.getCommandSpec().findOption(FORMAT).getValue();
            final boolean isOtherTable =
                TABLES.contains(given) && format.stream().anyMatch(TABLES::contains) && !format.contains(given);
            if (isOtherTable)
            {
                free.add(FORMAT);
            }
            format.stream().filter((argument) -> !isOtherTable || !argument.startsWith(SEPARATOR + "="))
                .forEach(known::add);
            names.addAll(DataFormatOptions.names());
        }
        GivenOptions.take(commandLine, source, known, names, free);
    }

    /** Set the columns and features that data must have. */
    public void describe(final DataFormatOptions options)
    {
        options.columns(columns);
        options.features(statistics.features());
    }
}
