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
package io.gradstream.system;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers die by SIGKILL again and again under flat-out load, with pushes outstanding at each death.
 */
@Tag("faults")
class KillsUnderLoadIT
{
    private static final int KILLS = 22;
    private static final long TIMEOUT_SECONDS = 600;

    @TempDir
    private Path directory;

    @Test
    void shouldLoseAndDoubleNothingInTwentyTwoKills() throws Exception
    {
        final List<String> arguments = new ArrayList<>(List.of(
            "train", "--examples", "300000", "--passes", "8", "--batch", "64", "--json"));
        for (int i = 0; i < KILLS; i++)
        {
            arguments.add("--kill-server");
            arguments.add(500 + i * 250 + "ms");
        }

        final Command train = Command.run(directory, TIMEOUT_SECONDS, arguments.toArray(String[]::new));

        assertThat(train.exitCode()).as(train.err()).isZero();
        assertThat(train.number("kills")).isEqualTo(KILLS);
        assertThat(train.numbers("outstandingInOutage")).hasSize(KILLS).allMatch((count) -> count >= 1);
        assertThat(train.number("pushesApplied")).isEqualTo(train.number("pushesSent"));
        assertThat(train.number("pushesLost")).isZero();
        assertThat(train.number("pushesDoubled")).isZero();
    }
}
