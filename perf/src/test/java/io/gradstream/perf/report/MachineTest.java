// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

class MachineTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldNotKnowTheCommitWhereThereIsNoTree() throws IOException
    {
        assertThat(Machine.commitOf(directory)).isEqualTo(Machine.UNKNOWN);

        Files.createDirectory(directory.resolve(".git"));
        assertThat(Machine.commitOf(directory)).isEqualTo(Machine.UNKNOWN);
    }

    @Test
    void shouldNameThisMachine()
    {
        assertThat(Machine.here().name()).matches("\\d+ processors.*, \\d+ GiB, .+");
        assertThat(Machine.here().jdk()).isEqualTo(Runtime.version().toString());
    }
}
