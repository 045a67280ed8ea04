// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Servers come and go, and faults are drawn at random, while {@code train} trains. */
class TrainElasticIT
{
    private static final String DRAINS_FIRST_THEN_KILLS = "905";

    @TempDir
    private Path directory;

    @Test
    void shouldLoseNothingWhenAServerIsAddedAndAnotherOneDrained() throws Exception
    {
        final Command train = train("--mode", "chain", "--partitions", "6",
            "--add-server", "20%", "--drain-server", "0@50%");

        PacedTraining.assertLossless(train);
        assertThat(train.err())
            .containsPattern("server 2 has joined after \\d+ ms and [34] places have moved: it has 4 places")
            .contains("server 0 is drained: its 4 places move to others")
            .containsPattern("server 0 is empty after \\d+ ms and 4 places have moved: it is stopped");
        assertThat(train.number("placesMoved")).isEqualTo(8);
        assertThat(train.number("placesTotal")).isEqualTo(12);
        assertThat(train.number("partitionsTotal")).isEqualTo(6);
        assertThat(train.json()).contains("\"movePauseMs\":[", "\"goodputShare\":");
    }

    @Test
    void shouldLoseNothingUnderFaultsDrawnAtRandom() throws Exception
    {
        final Command train =
            train("--mode", "chain", "--servers", "3", "--chaos", "1s", "--seed", DRAINS_FIRST_THEN_KILLS);

        PacedTraining.assertLossless(train);
        assertThat(train.err()).containsPattern("server \\d has joined after")
            .containsPattern("chaos +1 x drain server");
    }

    private Command train(final String... arguments) throws Exception
    {
        return PacedTraining.run(directory, arguments);
    }
}
