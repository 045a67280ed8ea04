// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Making class data, and who is told of it.
 */
@Timeout(60)
class ClassDataCommandTest
{
    @Test
    void shouldServeTrainAndRemoveItsFilesWhenRun() throws IOException
    {
        final List<Path> before = directories();

        final int exitCode = Gradstream.execute("class-data");

        assertThat(exitCode).isZero();
        assertThat(directories()).isEqualTo(before);
    }

    @Test
    void shouldNotBeNamedInTheHelp()
    {
        final StringWriter help = new StringWriter();

        new CommandLine(new Gradstream()).usage(new PrintWriter(help));

        assertThat(help.toString()).contains("train").doesNotContain("class-data");
    }

    private static List<Path> directories() throws IOException
    {
        final Path sharedMemory = Path.of("/dev/shm");
        final Path parent =
            Files.isDirectory(sharedMemory) ? sharedMemory : Path.of(System.getProperty("java.io.tmpdir"));
        final String own = "gradstream-" + ProcessHandle.current().pid() + "-";
        try (Stream<Path> files = Files.list(parent))
        {
            return files.filter((file) -> file.getFileName().toString().startsWith(own)).sorted().toList();
        }
    }
}
