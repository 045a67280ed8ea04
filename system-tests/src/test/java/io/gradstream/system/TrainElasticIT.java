// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Servers come and go, workers join, and faults are drawn at random, while {@code train} trains. */
class TrainElasticIT
{
    private static final long TIMEOUT_SECONDS = 180;
    private static final String DRAINS_FIRST_THEN_KILLS = "905";

    @TempDir
    private Path directory;

    @Test
    void shouldLoseNothingWhenAServerIsAddedAndAnotherOneDrained() throws Exception
    {
        final Command train = train("--mode", "chain", "--partitions", "6",
            "--add-server", "20%", "--drain-server", "0@50%");

        assertLossless(train);
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

        assertLossless(train);
        assertThat(train.err()).containsPattern("server \\d has joined after")
            .containsPattern("chaos +1 x drain server");
    }

    @Test
    void shouldDoEachBatchOnceWhenAWorkerJoinsAndIsKilled() throws Exception
    {
        final Command train =
            train("--units", "8", "--workers", "1", "--add-worker", "30%", "--kill", "worker:1@60%,server@70%");

        assertLossless(train);
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
        assertLossless(undisturbed);
        assertLossless(disturbed);
        assertThat(disturbed.number("slotsReplaced")).isEqualTo(1);
        assertThat(sha256(disturbed)).isEqualTo(sha256(undisturbed));
    }

    private static String sha256(final Command train)
    {
        final Matcher matcher = Pattern.compile("\"parametersSha256\":\"([0-9a-f]{64})\"").matcher(train.json());
        assertThat(matcher.find()).isTrue();

        return matcher.group(1);
    }

    private Command train(final String... arguments) throws Exception
    {
        final List<String> all = new ArrayList<>(List.of("train", "--examples", "20000", "--features", "4096",
            "--pace", "40", "--json"));
        all.addAll(List.of(arguments));
        return Command.run(directory, TIMEOUT_SECONDS, all.toArray(new String[0]));
    }

    private static void assertLossless(final Command train)
    {
        assertThat(train.exitCode()).as(train.err()).isZero();
        assertThat(train.number("pushesSent")).isPositive();
        assertThat(train.number("pushesLost")).isZero();
        assertThat(train.number("duplicatedPushes")).isZero();
        assertThat(train.number("corruptedPushes")).isZero();
    }
}
