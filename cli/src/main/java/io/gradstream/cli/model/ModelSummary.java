// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.model;

import io.gradstream.cli.options.ModelDescription;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.Consistency;
import io.gradstream.launcher.JsonText;
import io.gradstream.model.ModelFile;
import io.gradstream.model.ModelOrigin;
import io.gradstream.model.TableEntry;
import picocli.CommandLine.Model.CommandSpec;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Describes the content of a model file, as text and as JSON. */
final class ModelSummary
{
    private static final JsonText JSON = new JsonText(0);
    private static final String EOL = System.lineSeparator();
    private static final int MAX_COLUMNS = 50;

    private final ModelFile model;
    private final ModelDescription description;

    private ModelSummary(final ModelFile model)
    {
        this.model = model;
        description = description(model);
    }

    /** Print what a model file holds, as text or as one line of JSON. */
    static void print(final CommandSpec command, final Path file, final boolean isJson) throws IOException
    {
        try (ModelFile model = ModelFile.open(file))
        {
            final ModelSummary summary = new ModelSummary(model);
            command.commandLine().getOut().print(isJson ? summary.json() + EOL : summary.text());
            command.commandLine().getOut().flush();
        }
    }

    /** The model's description, or null if there is none or another program wrote it: then it is not shown. */
    private static ModelDescription description(final ModelFile model)
    {
        try
        {
            return ModelDescription.parse("the model", model.metadata());
        }
        catch (final UsageException ex)
        {
            return null;
        }
    }

    private String text()
    {
        final ModelOrigin origin = model.origin();
        final StringBuilder text = new StringBuilder(String.format(Locale.ROOT,
            "job %d, clock %s, %d partitions of %d servers, taken out %s%n", origin.jobId(), clock(origin.clock()),
            origin.partitions(), origin.servers(), Instant.ofEpochMilli(origin.exportedAtMs())));
        text.append(String.format(Locale.ROOT, "%-6s %-24s %12s %6s %-8s %12s  %s%n",
            "table", "name", "rows", "dim", "type", "state bytes", "function"));
        for (final TableEntry table : model.tables())
        {
            text.append(String.format(Locale.ROOT, "%-6d %-24s %12d %6d %-8s %12d  %s%n", table.spec().tableId(),
                table.spec().name(), table.rows(), table.spec().dim(), table.spec().elementType(),
                table.stateLength(), table.spec().function()));
        }

        describe(text);

        return text.append("parametersSha256 ").append(model.parametersSha256()).append(System.lineSeparator())
            .toString();
    }

    private void describe(final StringBuilder text)
    {
        if (null == description)
        {
            text.append("features    not said: predict needs --format and its options as in training").append(EOL);
            return;
        }
        text.append("trained by  ").append(description.command()).append(", ")
            .append(String.join(" ", description.model())).append(EOL);
        text.append("data        ").append(description.statistics().examples()).append(" examples, ")
            .append(description.statistics().features()).append(" features, ")
            .append(String.join(" ", description.format())).append(EOL);
        if (!description.columns().isEmpty())
        {
            text.append("columns     ").append(description.columns().stream().limit(MAX_COLUMNS)
                .map((column) -> column.name() + " (" +
                    column.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ') + ")")
                .collect(Collectors.joining(", "))).append(description.columns().size() > MAX_COLUMNS ?
                    " and " + (description.columns().size() - MAX_COLUMNS) + " more" : "").append(EOL);
        }
    }

    private String json()
    {
        final ModelOrigin origin = model.origin();
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("job", origin.jobId());
        json.put("clock", clockOrNull(origin));
        json.put("partitions", origin.partitions());
        json.put("servers", origin.servers());
        json.put("exportedAtMs", origin.exportedAtMs());
        json.put("tables", model.tables().stream().map(ModelSummary::json).toList());
        json.put("description", description);
        json.put("parametersSha256", model.parametersSha256());

        return JSON.of(json);
    }

    private static Map<String, Object> json(final TableEntry table)
    {
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put("table", table.spec().tableId());
        json.put("name", table.spec().name());
        json.put("rows", table.rows());
        json.put("dim", table.spec().dim());
        json.put("type", table.spec().elementType().toString());
        json.put("stateBytes", table.stateLength());
        json.put("function", table.spec().function());

        return json;
    }

    private static String clock(final long clock)
    {
        return ModelOrigin.NO_CLOCK == clock ? "none (rows of each partition as they were when it was asked)" :
            Consistency.FINISHED == clock ? "finished" : Long.toString(clock);
    }

    /** Iterations as a number, {@code finished}, or null if partitions may be of different iterations. */
    static Object clockOrNull(final ModelOrigin origin)
    {
        final Object ended = Consistency.FINISHED == origin.clock() ? "finished" : (Object)origin.clock();
        return ModelOrigin.NO_CLOCK == origin.clock() ? null : ended;
    }
}
