/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
