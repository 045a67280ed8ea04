// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;

import io.gradstream.cli.Gradstream;
import io.gradstream.cli.options.Failures;
import io.gradstream.coordinator.member.ClusterMember;
import io.gradstream.coordinator.member.ClusterTiming;
import io.gradstream.launcher.LoopbackPorts;
import io.gradstream.coordinator.service.CoordinatorListener;
import io.gradstream.coordinator.service.CoordinatorService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class StatusCommandTest
{
    private static final int PORTS = 5;

    @TempDir
    private Path dir;

    @Test
    void shouldShowWhatARunningCoordinatorKnows() throws IOException
    {
        final String endpoint = LoopbackPorts.freeRanges(1, PORTS).get(0);
        try (ClusterMember member = ClusterMember.launch(new ClusterMember.Context()
            .members(List.of(endpoint))
            .dir(dir)
            .timing(ClusterTiming.SHARED)
            .service(new CoordinatorService(CoordinatorListener.NONE))))
        {
            assertThat(run(0, "--coordinator=" + endpoint)).contains(
                "coordinators  leader 0 of 1 (" + endpoint + "), term 0, map 0, failovers 0 of which spurious 0",
                "no job is known");
            assertThat(run(0, "--json --watch --interval=100ms --count=2 --coordinator=" + endpoint).lines())
                .hasSize(2).allMatch((line) -> line.startsWith("{\"timeMs\":") &&
                    line.contains(",\"leader\":0,") && line.endsWith("}"));
            assertThat(member.isTerminated()).isFalse();
            assertThat(runUnread("--watch --interval=100ms --coordinator=" + endpoint)).isZero();
        }
    }

    @Test
    void shouldSayWhatToDoWhenNobodyAnswers() throws IOException
    {
        final String endpoint = LoopbackPorts.freeRanges(1, PORTS).get(0);

        assertThat(run(Failures.EXIT_FAILED, "--coordinator=" + endpoint)).contains(
            "gradstream status: no coordinator of " + endpoint + " answers within 10 s: ", "; start one");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        --json                                          | name either --coordinator
        --coordinator=127.0.0.1:1 --node=x              | name either --coordinator
        --node=/nonexistent                             | no media driver runs in /nonexistent
        --coordinator=127.0.0.1:1,127.0.0.1:9           | name one or three
        --coordinator=10.1.2.3:9000                     | say --accept-plaintext
        --coordinator=127.0.0.1:9000 --interval=50ms    | invalid --interval in ms=50: must be 100..3600000
        --coordinator=127.0.0.1:9000 --count=-1         | invalid --count=-1: must be 0..2147483647
        --coordinator=127.0.0.1:9000 --endpoint=x       | invalid endpoint 'x'
        """)
    void shouldSayInOneLineWhatIsWrong(final String arguments, final String expected)
    {
        final String output = run(Failures.EXIT_USAGE, arguments);

        assertThat(output).contains(expected);
        assertThat(output.strip().lines()).hasSize(1);
    }

    private static String run(final int exitCode, final String arguments)
    {
        final StringWriter out = new StringWriter();
        final PrintWriter writer = new PrintWriter(out);
        final CommandLine commandLine = Gradstream.commandLine().setOut(writer).setErr(writer);
        assertThat(Gradstream.execute(commandLine, ("status " + arguments).split(" +")))
            .as("%s", out).isEqualTo(exitCode);

        return out.toString();
    }

    /** As when the other end of a pipe is closed. */
    private static int runUnread(final String arguments)
    {
        final CommandLine commandLine = Gradstream.commandLine().setOut(new PrintWriter(new Writer()
        {
            @Override
            public void write(final char[] chars, final int offset, final int length) throws IOException
            {
                throw new IOException("broken pipe");
            }

            @Override
            public void flush()
            {
            }

            @Override
            public void close()
            {
            }
        }));

        return Gradstream.execute(commandLine, ("status " + arguments).split(" +"));
    }
}
