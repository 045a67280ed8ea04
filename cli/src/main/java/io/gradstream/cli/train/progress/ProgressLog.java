// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train.progress;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gradstream.cli.options.UsageException;
import io.gradstream.launcher.JsonText;
import io.gradstream.console.MetricSample;
import io.gradstream.console.ProgressEvent;
import io.gradstream.console.ProgressListener;
import io.gradstream.console.ProgressSample;

/**
 * Writes the progress of a run to files of a directory: all of it as JSON lines, and samples, metrics and events each
 * as CSV. Each line is in its file at once. If a line cannot be written, this is reported once and the log ends;
 * training does not.
 */
public final class ProgressLog implements ProgressListener, AutoCloseable
{
    static final String JSON_LINES = "progress.jsonl";
    static final String SAMPLES = "samples.csv";
    static final String METRICS = "metrics.csv";
    static final String EVENTS = "events.csv";

    private static final JsonText JSON = new JsonText(6);
    private static final String TYPE = "type";

    private final List<Writer> open = new ArrayList<>();
    private final Consumer<String> onError;
    private final Writer jsonLines;
    private final Writer samples;
    private final Writer metrics;
    private final Writer events;
    private boolean isFailed;

    /**
     * Begin the four files.
     *
     * @param files   opens one by its name.
     * @param onError takes once the reason why no more is written.
     * @throws IOException if a file cannot be written.
     */
    ProgressLog(final LogFiles files, final Consumer<String> onError) throws IOException
    {
        this.onError = onError;
        try
        {
            jsonLines = open(files, JSON_LINES);
            samples = open(files, SAMPLES);
            metrics = open(files, METRICS);
            events = open(files, EVENTS);
            append(samples, header(ProgressSample.class));
            append(metrics, header(MetricSample.class));
            append(events, header(ProgressEvent.class));
        }
        catch (final IOException ex)
        {
            close();
            throw ex;
        }
    }

    /**
     * Begin a log in a directory.
     *
     * @param directory new or empty.
     * @throws UsageException if it is neither, or cannot be written.
     */
    public static ProgressLog in(final Path directory)
    {
        try
        {
            check(directory);
            Files.createDirectories(directory);
            return new ProgressLog(
                (name) -> Files.newBufferedWriter(directory.resolve(name), StandardCharsets.UTF_8),
                (problem) -> System.err.println("gradstream train: --log " + directory + ": " + problem));
        }
        catch (final IOException ex)
        {
            throw new UsageException("--log " + directory + ": cannot be written: " + ex);
        }
    }

    /**
     * Check that a directory can be used for a log.
     *
     * @throws UsageException if it exists and is no directory, is not empty, or cannot be read.
     */
    public static void check(final Path directory)
    {
        if (!Files.exists(directory))
        {
            return;
        }
        UsageException.refuseIf(!Files.isDirectory(directory),
            "--log " + directory + ": is no directory: name a new or empty one");
        try (Stream<Path> files = Files.list(directory))
        {
            UsageException.refuseIf(files.findAny().isPresent(),
                "--log " + directory + ": is not empty: name a new or empty directory");
        }
        catch (final IOException ex)
        {
            throw new UsageException("--log " + directory + ": cannot be read: " + ex);
        }
    }

    @Override
    public void onSample(final ProgressSample sample)
    {
        write(samples, "sample", sample);
    }

    @Override
    public void onMetric(final MetricSample metric)
    {
        write(metrics, "metric", metric);
    }

    @Override
    public void onEvent(final ProgressEvent event)
    {
        write(events, "event", event);
    }

    @Override
    public void close()
    {
        for (final Writer writer : open)
        {
            try
            {
                writer.close();
            }
            catch (final IOException ex)
            {
                fail(ex);
            }
        }
        open.clear();
    }

    private Writer open(final LogFiles files, final String name) throws IOException
    {
        final Writer writer = new BufferedWriter(files.open(name));
        open.add(writer);
        return writer;
    }

    /** Writes a record to the JSON lines with its type, and to a table without. */
    private void write(final Writer table, final String type, final Record line)
    {
        if (isFailed)
        {
            return;
        }
        final Map<String, Object> json = new LinkedHashMap<>();
        json.put(TYPE, type);
        try
        {
            for (final RecordComponent field : line.getClass().getRecordComponents())
            {
                json.put(field.getName(), field.getAccessor().invoke(line));
            }
            append(jsonLines, JSON.of(json));
            json.remove(TYPE);
            append(table, json.values().stream().map(ProgressLog::field).collect(Collectors.joining(",")));
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalStateException("a record cannot be read: " + line, ex);
        }
        catch (final IOException | UncheckedIOException ex)
        {
            fail(ex);
        }
    }

    /** The names of a record's fields, as in {@code push_p50_us}. */
    private static String header(final Class<? extends Record> type)
    {
        return Arrays.stream(type.getRecordComponents())
            .map((field) -> field.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(","));
    }

    private void fail(final Exception cause)
    {
        if (!isFailed)
        {
            isFailed = true;
            onError.accept("cannot be written, so the log ends here, and training goes on: " + cause.getMessage());
        }
    }

    private static void append(final Writer writer, final String line) throws IOException
    {
        writer.append(line).append('\n').flush();
    }

    /** A field of CSV: empty for NaN and infinities; text is quoted where it must be. */
    private static String field(final Object value)
    {
        if (value instanceof Double number)
        {
            return Double.isFinite(number) ? String.format(Locale.ROOT, "%.6f", number) : "";
        }
        final String text = String.valueOf(value);
        return text.matches("[^\",\\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    /** Opens the files that lines go to. */
    @FunctionalInterface
    interface LogFiles
    {
        /** Open a file of the log. */
        Writer open(String name) throws IOException;
    }
}
