// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An error, here one of memory, ends each command that has threads: with an exit code, one sentence, and its children.
 */
@Tag("faults")
class ErrorEndsIT
{
    private static final long TIMEOUT_SECONDS = 60;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {
        "media-driver --dir DIR/host",
        "coordinator --members 127.0.0.1:PORT --dir DIR/coordinator",
        "server --node-id 0 --endpoint 127.0.0.1:PORT --coordinator 127.0.0.1:9 --dir DIR/server",
        "train --examples 2000 --passes 1",
        "train --examples 2000 --passes 1 --mode chain --coordinators 3"
    })
    void shouldEndWithItsChildren(final String line) throws Exception
    {
        for (final String limit : List.of("20k", "200k"))
        {
            final Command ended = run(limit, line);

            assertThat(ended.exitCode()).as(ended.err()).isEqualTo(1);
            assertThat(ended.err()).contains("met OutOfMemoryError: Cannot reserve ")
                .contains("give it more memory").doesNotContain("\tat ");
        }
        assertThat(ProcessHandle.allProcesses().filter((process) ->
            process.info().commandLine().orElse("").contains(directory.toString()))).isEmpty();
    }

    @Test
    void shouldEndAWorker() throws Exception
    {
        final Command ended = run("200k", "worker --slot 0 --workers 1 --examples 100000000 --coordinator" +
            " 127.0.0.1:9 --aeron-dir DIR/none");

        assertThat(ended.exitCode()).as(ended.err()).isEqualTo(1);
        assertThat(ended.err()).contains("met OutOfMemoryError: Java heap space; give it more memory")
            .doesNotContain("\tat ");
    }

    private Command run(final String directMemory, final String line) throws Exception
    {
        return Command.run(directory, TIMEOUT_SECONDS, List.of(),
            Map.of("JAVA_TOOL_OPTIONS", "-XX:MaxDirectMemorySize=" + directMemory),
            Stream.of(line.split(" ")).map(this::filled).toArray(String[]::new));
    }

    private String filled(final String word)
    {
        return word.replace("DIR", directory.toString()).replace("PORT", Integer.toString(freePort()));
    }

    private static int freePort()
    {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }
}
