// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.nio.file.Path;
import java.util.Arrays;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Workers join and are killed while {@code train} trains. */
class TrainWorkersIT
{
    @TempDir
    private Path directory;

    @Test
    void shouldDoEachBatchOnceWhenAWorkerJoinsAndIsKilled() throws Exception
    {
        final Command train =
            train("--units", "8", "--workers", "1", "--add-worker", "30%", "--kill", "worker:1@60%,server@70%");

        PacedTraining.assertLossless(train);
        assertThat(train.err()).contains("worker 1 is started, to join").containsPattern("worker 1 has joined after");
        assertThat(train.number("workersAdded")).isEqualTo(1);
        assertThat(train.json()).containsPattern("\"addedWorkerBatches\":\\[[1-9]\\d*\\]");
        assertThat(train.number("batchesDone") + train.number("batchesLeftOut"))
            .isEqualTo(train.number("batchesTotal"));
        assertThat(train.number("batchesLeftOut")).isLessThanOrEqualTo(1);
        assertThat(train.number("unitsDoubled")).isZero();
    }

    @Test
    void shouldEndWithTheSameBitsWhenAWorkerDiesBetweenTheBatchesOfAPush() throws Exception
    {
        final String[] arguments =
            {"--staleness", "0", "--push-every", "4", "--passes", "2", "--seed", "7", "--kill", "worker:1@50%"};

        final Command undisturbed = train(Arrays.copyOf(arguments, arguments.length - 2));
        final Command disturbed = train(arguments);
        PacedTraining.assertLossless(undisturbed);
        PacedTraining.assertLossless(disturbed);
        assertThat(disturbed.number("slotsReplaced")).isEqualTo(1);
        assertThat(disturbed.text("parametersSha256")).isEqualTo(undisturbed.text("parametersSha256"));
    }

    private Command train(final String... arguments) throws Exception
    {
        return PacedTraining.run(directory, arguments);
    }
}
