// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.gradstream.cli.Gradstream;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One run of the {@code gradstream} command in a process of its own, as the launcher script starts it.
 */
final class Command
{
    /** Its standard error while it runs, in the directory it is given. */
    static final String ERRORS = "stderr";
    /** The class that the launcher script runs. */
    static final String GRADSTREAM = "io.gradstream.cli.Gradstream";

    private static final String OUT = "stdout";

    private final int exitCode;
    private final String out;
    private final String err;

    private Command(final int exitCode, final String out, final String err)
    {
        this.exitCode = exitCode;
        this.out = out;
        this.err = err;
    }

    static Command run(final Path directory, final long timeoutSeconds, final String... arguments)
        throws IOException, InterruptedException
    {
        return run(directory, timeoutSeconds, List.of(), Map.of(), arguments);
    }

    static Command run(
        final Path directory,
        final long timeoutSeconds,
        final List<String> prefix,
        final Map<String, String> environment,
        final String... arguments) throws IOException, InterruptedException
    {
        return runMain(directory, timeoutSeconds, prefix, environment, GRADSTREAM, arguments);
    }

    static Command runMain(
        final Path directory,
        final long timeoutSeconds,
        final List<String> prefix,
        final Map<String, String> environment,
        final String mainClass,
        final String... arguments) throws IOException, InterruptedException
    {
        return awaitEnd(start(directory, prefix, environment, mainClass, arguments), directory, timeoutSeconds);
    }

    /**
     * Run a command that asks the coordinators in this process, beside what the test does; it must end well.
     *
     * @return what it has written to standard output.
     */
    static String askInProcess(final List<String> coordinators, final String... command)
    {
        final List<String> words = new ArrayList<>(List.of(command));
        words.add("--coordinator=" + String.join(",", coordinators));
        final ByteArrayOutputStream written = new ByteArrayOutputStream();
        final PrintStream before = System.out;
        System.setOut(new PrintStream(written, true, StandardCharsets.UTF_8));
        try
        {
            final int exitCode = Gradstream.execute(words.toArray(new String[0]));
            if (0 != exitCode)
            {
                throw new AssertionError(words + " ended with exit code " + exitCode);
            }
        }
        finally
        {
            System.setOut(before);
        }

        return written.toString(StandardCharsets.UTF_8);
    }

    /** Wait for the end of a process that was started with that directory. */
    static Command awaitEnd(final Process process, final Path directory, final long timeoutSeconds)
        throws IOException, InterruptedException
    {
        if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS))
        {
            process.destroy();
            process.waitFor(20, TimeUnit.SECONDS);
            throw new AssertionError("no end after " + timeoutSeconds + " s: " +
                process.info().commandLine().orElse("?") + "\n" + read(directory.resolve(ERRORS)));
        }

        return new Command(process.exitValue(), read(directory.resolve(OUT)), read(directory.resolve(ERRORS)));
    }

    /** Start the command, with both outputs in files of the directory. */
    static Process start(final Path directory, final String... arguments) throws IOException
    {
        return start(directory, List.of(), Map.of(), GRADSTREAM, arguments);
    }

    /** As {@link #start(Path, String...)}, without what this test has on its class path and the command has not. */
    static Process startWithout(final Path directory, final Path entry, final String... arguments) throws IOException
    {
        final String classPath = Stream.of(ChildJvm.classPath().split(File.pathSeparator))
            .filter((other) -> !entry.equals(Path.of(other)))
            .collect(Collectors.joining(File.pathSeparator));
        return start(directory, List.of(), Map.of("CLASSPATH", classPath), GRADSTREAM, arguments);
    }

    private static Process start(
        final Path directory,
        final List<String> prefix,
        final Map<String, String> environment,
        final String mainClass,
        final String... arguments) throws IOException
    {
        final List<String> line = new ArrayList<>(prefix);
        line.addAll(ChildJvm.command());
        line.addAll(List.of("-Xmx256m", "-cp", environment.getOrDefault("CLASSPATH", ChildJvm.classPath()), mainClass));
        line.addAll(List.of(arguments));
        final ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().putAll(environment);
        return builder
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(directory.resolve(OUT).toFile())
            .redirectError(directory.resolve(ERRORS).toFile())
            .start();
    }

    int exitCode()
    {
        return exitCode;
    }

    String out()
    {
        return out;
    }

    String err()
    {
        return err;
    }

    /** The last line of standard output: the JSON object. */
    String json()
    {
        final String[] lines = out.strip().split("\n");
        return lines[lines.length - 1];
    }

    double number(final String field)
    {
        return Double.parseDouble(field(field, "(-?[0-9.eE+-]+)"));
    }

    String text(final String field)
    {
        return field(field, "\"([^\"]*)\"");
    }

    List<Double> numbers(final String field)
    {
        final String list = field(field, "\\[([^\\]]*)\\]");
        return list.isBlank() ? List.of() : Stream.of(list.split(",")).map(Double::parseDouble).toList();
    }

    /** Aeron directories of ours that there are now. */
    static List<String> aeronDirectories() throws IOException
    {
        try (Stream<Path> files = Files.list(Path.of("/dev/shm")))
        {
            return files.map(Path::toString).filter((name) -> name.contains("gradstream")).sorted().toList();
        }
    }

    private String field(final String field, final String pattern)
    {
        final Matcher matcher = Pattern.compile("\"" + field + "\"\\s*:\\s*" + pattern).matcher(json());
        if (!matcher.find())
        {
            throw new AssertionError("no field " + field + " in: " + json() + "\n" + err);
        }

        return matcher.group(1);
    }

    private static String read(final Path file) throws IOException
    {
        return Files.readString(file, StandardCharsets.UTF_8);
    }
}
