// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class ClosedClientTest
{
    /** A record is read for seconds after the driver is gone, then the client closes, in a process that may crash. */
    @Test
    @Timeout(60)
    void shouldEndLogsAndReplaysAndNotTheProcessWhenTheClientCloses(@TempDir final Path directory) throws Exception
    {
        final File out = directory.resolve("out").toFile();
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter((flag) -> flag.startsWith("--")).forEach(command::add);
        command.addAll(List.of("-XX:ErrorFile=/dev/null", "-XX:-CreateCoredumpOnCrash",
            "-cp", System.getProperty("java.class.path"), UserOfClosedClient.class.getName()));
        final Process reader = new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out)
            .start();
        try
        {
            assertThat(reader.waitFor(50, TimeUnit.SECONDS)).isTrue();
            assertThat(reader.exitValue()).as(Files.readString(out.toPath())).isEqualTo(UserOfClosedClient.SURVIVED);
        }
        finally
        {
            reader.destroyForcibly();
        }
    }
}
