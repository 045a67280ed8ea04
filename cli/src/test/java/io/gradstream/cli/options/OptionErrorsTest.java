// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import io.gradstream.cli.Gradstream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Options, values and combinations that cannot be: each line of {@code option-errors.txt} is refused in one sentence.
 */
class OptionErrorsTest
{
    private static final String TABLE = "option-errors.txt";
    private static final int LEAST_CASES = 30;
    private static final List<String> COMMANDS =
        List.of("train", "predict", "worker", "model", "coordinator", "server", "snapshot", "media-driver");

    /**
     * One case.
     */
    record Case(String arguments, List<String> expected)
    {
        String command()
        {
            return arguments.split(" ")[0];
        }

        @Override
        public String toString()
        {
            return arguments;
        }
    }

    static List<Case> cases() throws IOException
    {
        try (InputStream table = OptionErrorsTest.class.getResourceAsStream(TABLE))
        {
            return new String(table.readAllBytes(), StandardCharsets.UTF_8).lines()
                .filter((line) -> !line.isBlank() && !line.startsWith("#"))
                .map((line) -> line.split("\\s*\\|\\s*", -1))
                .map((parts) -> new Case(parts[0], Stream.of(parts).skip(1).toList()))
                .toList();
        }
    }

    @Test
    void shouldHaveManyCasesOfEachCommand() throws IOException
    {
        assertThat(cases()).hasSizeGreaterThanOrEqualTo(LEAST_CASES).doesNotHaveDuplicates();
        assertThat(cases().stream().map(Case::command).distinct()).containsAll(COMMANDS);
        assertThat(cases()).allSatisfy((each) -> assertThat(each.expected()).as(each.arguments()).isNotEmpty()
            .allMatch((part) -> part.length() > 1));
    }

    @Test
    void shouldLoseNoEmptyValueOfAList()
    {
        assertThat(options(Gradstream.commandLine())).filteredOn((option) -> !option.splitRegex().isEmpty())
            .isNotEmpty()
            .allSatisfy((option) -> assertThat(option.splitRegex()).as(option.longestName())
                .isEqualTo(CommonOptions.COMMA));
    }

    private static Stream<OptionSpec> options(final CommandLine command)
    {
        return Stream.concat(command.getCommandSpec().options().stream(),
            command.getSubcommands().values().stream().flatMap(OptionErrorsTest::options));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void shouldRefuseInOneSentence(final Case each)
    {
        final StringWriter out = new StringWriter();
        final StringWriter err = new StringWriter();
        // an argument with blanks stands in single quotes
        final String[] arguments = Stream.of(each.arguments().split(" (?=(?:[^']*'[^']*')*[^']*$)"))
            .map((argument) -> argument.replace("'", "")).toArray(String[]::new);

        final ByteArrayOutputStream progress = new ByteArrayOutputStream();
        final PrintStream before = System.err;
        final int exitCode;
        try
        {
            // before picocli keeps the one that is there
            System.setErr(new PrintStream(progress, true, StandardCharsets.UTF_8));
            exitCode = Gradstream.execute(
                Gradstream.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)), arguments);
        }
        finally
        {
            System.setErr(before);
        }

        assertThat(progress.toString(StandardCharsets.UTF_8)).as("nothing is begun").isEmpty();
        final String message = err.toString().strip();
        assertThat(exitCode).as(Arrays.toString(arguments) + ": " + message).isEqualTo(Failures.EXIT_USAGE);
        assertThat(message.lines()).hasSize(1);
        assertThat(message).startsWith("gradstream").contains(": ").doesNotContain("Exception");
        assertThat(out.toString()).isEmpty();
        each.expected().forEach((part) -> assertThat(message).contains(part));
    }
}
