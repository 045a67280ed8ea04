// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import io.gradstream.cli.Gradstream;
import io.gradstream.codecs.TableSpec;
import io.gradstream.training.Examples;
import io.gradstream.training.MalformedDataException;
import io.gradstream.training.form.ExampleRule;
import io.gradstream.model.ModelFileWriter;
import io.gradstream.model.ModelOrigin;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Files as they come in the world: each case of {@code real-files.txt} is read, or refused with what to do.
 */
class RealFilesTest
{
    private static final String TABLE = "real-files.txt";
    private static final int LEAST_CASES = 60;
    private static final long WAIT_SECONDS = 20;

    @TempDir
    private Path dir;

    /**
     * Reads data as {@code train}, {@code worker} and {@code predict} do.
     */
    @Command(name = "read")
    static final class Read implements Callable<Integer>
    {
        @Mixin
        private JobOptions job;

        @Option(names = "--numbers")
        private boolean areLabelsNumbers;

        @Option(names = "--max-feature")
        private int maxFeature = Integer.MAX_VALUE - 1;

        private Examples examples;

        @Override
        public Integer call()
        {
            job.data.validate(1);
            job.data.format.limitFeatures(maxFeature);
            examples = job.data.read(areLabelsNumbers ? ExampleRule.numbers() : job.rule());
            return 0;
        }
    }

    /**
     * One case.
     */
    record Case(String title, List<String> lines)
    {
        List<String> all(final String key)
        {
            return lines.stream().filter((line) -> line.startsWith(key + " "))
                .map((line) -> line.substring(key.length() + 1).strip()).toList();
        }

        @Override
        public String toString()
        {
            return title;
        }
    }

    static List<Case> cases() throws IOException
    {
        try (InputStream table = RealFilesTest.class.getResourceAsStream(TABLE))
        {
            final List<Case> cases = new ArrayList<>();
            final String text = new String(table.readAllBytes(), StandardCharsets.UTF_8);
            for (final String block : text.split("\n\\s*\n"))
            {
                final List<String> lines = block.lines().filter((line) -> !line.startsWith("#")).toList();
                if (!lines.isEmpty())
                {
                    assertThat(lines.get(0)).as("the first line of a case").startsWith("case ");
                    assertThat(lines).as(lines.get(0)).allMatch((line) ->
                        line.matches("(case|file|directory|fifo|read|run|reads|refused) .*"));
                    cases.add(new Case(lines.get(0).substring("case ".length()), lines));
                }
            }
            return cases;
        }
    }

    @Test
    void shouldHaveManyCases() throws IOException
    {
        assertThat(cases()).hasSizeGreaterThanOrEqualTo(LEAST_CASES);
        assertThat(cases().stream().map(Case::title)).doesNotHaveDuplicates();
        assertThat(cases()).allSatisfy((each) ->
        {
            assertThat(each.all("read").size() + each.all("run").size()).as(each.title()).isOne();
            assertThat(each.all("reads").size()).as(each.title()).isEqualTo(each.all("refused").isEmpty() ? 1 : 0);
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void shouldReadOrRefuse(final Case each) throws Exception
    {
        final List<Process> writers = new ArrayList<>();
        try
        {
            for (final String name : each.all("directory"))
            {
                Files.createDirectories(dir.resolve(name));
            }
            for (final String file : each.all("file"))
            {
                write(file);
            }
            for (final String fifo : each.all("fifo"))
            {
                writers.add(writeFifo(fifo));
            }
            if (each.all("run").isEmpty())
            {
                read(each);
            }
            else
            {
                run(each);
            }
        }
        finally
        {
            writers.forEach(Process::destroyForcibly);
        }
    }

    private Path write(final String line) throws IOException
    {
        final int equals = line.indexOf(" = ");
        return Files.write(
            dir.resolve(line.substring(0, equals)), FileRecipe.bytes(line.substring(equals + " = ".length())));
    }

    private Process writeFifo(final String line) throws Exception
    {
        final Path content = write(line);
        final Path fifo = Path.of(content + ".fifo");
        final Process make = new ProcessBuilder("mkfifo", fifo.toString()).start();
        assertThat(make.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(make.exitValue()).isZero();
        return new ProcessBuilder("sh", "-c", "cat \"$0\" > \"$1\"", content.toString(), fifo.toString()).start();
    }

    /** {@code @} is the directory of the files; an argument with blanks stands in single quotes. */
    private String[] arguments(final String line)
    {
        return Stream.of(line.split(" (?=(?:[^']*'[^']*')*[^']*$)"))
            .map((argument) -> argument.replace("'", "").replace("@", dir.toString())).toArray(String[]::new);
    }

    private void read(final Case each)
    {
        final Read read = new Read();
        final CommandLine commandLine = new CommandLine(read)
            .setExecutionExceptionHandler((ex, command, parsed) ->
            {
                assertThat(ex).isInstanceOfAny(UsageException.class, MalformedDataException.class);
                checkRefused(each, Failures.oneLine(ex));
                return Failures.EXIT_USAGE;
            });

        final int exitCode = commandLine.execute(arguments(each.all("read").get(0)));

        assertThat(exitCode).isEqualTo(each.all("refused").isEmpty() ? 0 : Failures.EXIT_USAGE);
        if (0 == exitCode)
        {
            assertThat(summary(read.examples)).isEqualTo(each.all("reads").get(0));
        }
    }

    private static String summary(final Examples examples)
    {
        return examples.size() + " examples, " + examples.entryCount() + " entries, labels " +
            IntStream.range(0, examples.size()).limit(4).mapToObj((i) -> Float.toString(examples.target(i)))
                .map((label) -> label.replaceFirst("\\.0$", "")).collect(Collectors.joining(" "));
    }

    private void checkRefused(final Case each, final String message)
    {
        assertThat(each.all("refused")).as("refused with: " + message).isNotEmpty();
        for (final String expected : each.all("refused"))
        {
            assertThat(message).contains(expected.replace("@", dir.toString()));
        }
        assertThat(message).containsAnyOf(dir.toString(), "''").doesNotContain("Exception");
        assertThat(message.lines()).hasSize(1);
    }

    private void run(final Case each) throws IOException
    {
        writeModel();
        final StringWriter out = new StringWriter();
        final StringWriter err = new StringWriter();
        final CommandLine commandLine =
            Gradstream.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        final String[] arguments = arguments(each.all("run").get(0));

        final int exitCode = Gradstream.execute(commandLine, arguments);

        if (each.all("refused").isEmpty())
        {
            assertThat(exitCode).as(Arrays.toString(arguments) + ": " + err).isZero();
            assertThat(out.toString() + err).contains(each.all("reads").get(0));
        }
        else
        {
            assertThat(exitCode).as(Arrays.toString(arguments) + ": " + err).isEqualTo(Failures.EXIT_USAGE);
            checkRefused(each, err.toString().strip());
        }
    }

    private void writeModel() throws IOException
    {
        try (ModelFileWriter writer = ModelFileWriter.create(dir.resolve("model"), false))
        {
            writer.onTable(TableSpec.sparse(0, "weights", 1, "sgd/1 rate=0.1"), 0);
            writer.onRow(0, 1, new UnsafeBuffer(new byte[Float.BYTES]), 0);
            writer.finish(new ModelOrigin(1, ModelOrigin.NO_CLOCK, 1, 1, 0));
        }
    }
}
