// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
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
@Tag("alone")
class KillsUnderLoadIT
{
    private static final int KILLS = 22;
    private static final int PERCENT_BETWEEN = 4;
    private static final long TIMEOUT_SECONDS = 600;

    @TempDir
    private Path directory;

    @Test
    void shouldLoseAndDoubleNothingInTwentyTwoKills() throws Exception
    {
        final List<String> arguments = new ArrayList<>(List.of(
            "train", "--examples", "100000", "--passes", "3", "--batch", "64", "--json"));
        for (int i = 0; i < KILLS; i++)
        {
            arguments.add("--kill");
            // a share, so that workers are on their way whatever the speed of the machine
            arguments.add("server@" + (i + 1) * PERCENT_BETWEEN + "%");
        }

        final Command train = Command.run(directory, TIMEOUT_SECONDS, arguments.toArray(String[]::new));

        assertThat(train.exitCode()).as(train.err()).isZero();
        assertThat(train.number("kills")).isEqualTo(KILLS);
        assertThat(train.numbers("inFlightAtFailure")).hasSize(KILLS).allMatch((count) -> count >= 1);
        assertThat(train.number("pushesApplied")).isEqualTo(train.number("pushesSent"));
        assertThat(train.number("pushesLost")).isZero();
        assertThat(train.number("duplicatedPushes")).isZero();
    }
}
