// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class SlowNamesTest
{
    @TempDir
    private Path dir;

    /** In a process that may crash. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(60)
    void shouldNotUnmapTheDriversCountersWhileANameIsLookedUp(final boolean isInterrupted) throws Exception
    {
        final File out = dir.resolve("out").toFile();
        final Path hosts = Files.createFile(dir.resolve("hosts"));
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter((flag) -> flag.startsWith("--")).forEach(command::add);
        command.addAll(List.of("-XX:ErrorFile=/dev/null", "-XX:-CreateCoredumpOnCrash",
            "-D" + SlowNames.HOSTS_FILE_PROP_NAME + "=" + hosts, "-cp", System.getProperty("java.class.path"),
            SlowNames.class.getName(), dir.resolve("aeron").toString(), Boolean.toString(isInterrupted)));
        final Process process = new ProcessBuilder(command)
            .directory(dir.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out)
            .start();
        try
        {
            assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(out.toPath())).isEqualTo(SlowNames.SURVIVED);
        }
        finally
        {
            process.destroyForcibly();
        }
    }
}
