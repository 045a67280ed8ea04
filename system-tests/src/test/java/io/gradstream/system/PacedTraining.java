// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** A run of {@code train} at 40 batches a second, which leaves time for what happens meanwhile. */
final class PacedTraining
{
    private static final long TIMEOUT_SECONDS = 180;

    private PacedTraining()
    {
    }

    static Command run(final Path directory, final String... arguments) throws Exception
    {
        final List<String> all = new ArrayList<>(List.of("train", "--examples", "20000", "--features", "4096",
            "--pace", "40", "--json"));
        all.addAll(List.of(arguments));
        return Command.run(directory, TIMEOUT_SECONDS, all.toArray(new String[0]));
    }

    static void assertLossless(final Command train)
    {
        assertThat(train.exitCode()).as(train.err()).isZero();
        assertThat(train.number("pushesSent")).isPositive();
        assertThat(train.number("pushesLost")).isZero();
        assertThat(train.number("duplicatedPushes")).isZero();
        assertThat(train.number("corruptedPushes")).isZero();
    }
}
