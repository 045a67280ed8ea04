// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.console;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;

import io.gradstream.cli.Gradstream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What cannot be shown is refused before anything starts.
 */
class ViewOptionsTest
{
    private static final String COORDINATOR = "--coordinator=127.0.0.1:9";

    @TempDir
    private Path directory;

    @Test
    void shouldRefuseBeforeAnythingStarts()
    {
        assertRefused("invalid --ui=65536: must be 0..65535", "train", "--ui", "65536");
        assertRefused("--serve-after without --ui", "train", "--serve-after", "5s");
        assertRefused("--plot: " + directory.resolve("x").resolve("y.png") + " cannot be written", "train",
            "--plot", directory.resolve("x").resolve("y.png").toString());
        assertRefused("name the coordinators with --coordinator", "console");
        assertRefused("invalid --port=-1: must be 0..65535", "console", COORDINATOR, "--port", "-1");
        assertRefused("invalid --interval in ms=10: must be 100..60000", "console", COORDINATOR, "--interval", "10ms");
    }

    @Test
    void shouldSayWhatToDoWhenThePortOrAddressCannotBeHad() throws Exception
    {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1")))
        {
            final String port = String.valueOf(taken.getLocalPort());
            assertRefused("cannot serve the page at TCP 127.0.0.1:" + port, "console", COORDINATOR, "--port", port);
            assertRefused("choose a free port with --ui, 0 for any", "train", "--ui", port);
        }
        assertRefused("an address of this machine with --bind", "console", COORDINATOR, "--port", "0",
            "--bind", "192.0.2.1");
    }

    @Test
    void shouldSayInHelpWhatBindExposes()
    {
        for (final String command : new String[]{"train", "console"})
        {
            final StringWriter out = new StringWriter();
            final CommandLine commandLine = Gradstream.commandLine().setOut(new PrintWriter(out));
            assertThat(Gradstream.execute(commandLine, command, "--help")).isZero();
            assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("--bind=ADDRESS", "to everybody who reaches that address: without a password, not encrypted");
        }
    }

    private static void assertRefused(final String message, final String... arguments)
    {
        final StringWriter err = new StringWriter();
        final CommandLine commandLine = Gradstream.commandLine().setErr(new PrintWriter(err));

        assertThat(Gradstream.execute(commandLine, arguments)).as(String.join(" ", arguments)).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }
}
