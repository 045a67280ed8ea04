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
