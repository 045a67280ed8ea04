// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kills primaries, and everything at once, under a training job whose partitions have standbys.
 */
@Tag("faults")
class TrainChainIT
{
    private static final long TIMEOUT_SECONDS = 180;

    @TempDir
    private Path directory;

    @Test
    void shouldLoseNothingWhenThePrimaryIsKilledTwice() throws Exception
    {
        final Command train = train("--mode", "chain", "--passes", "6",
            "--kill", "primary@20%", "--kill", "primary@60%");

        assertLossless(train, 2);
        assertThat(train.number("failovers")).isGreaterThanOrEqualTo(2);
        assertThat(train.numbers("epochs")).anyMatch((epoch) -> epoch >= 3);
        assertThat(train.number("degradedMs")).isPositive();
    }

    @Test
    void shouldServeWithoutTheKilledServerWhileItStaysAway() throws Exception
    {
        final Command train = train(
            "--mode", "chain", "--passes", "9", "--kill", "primary@20%", "--restart-after", "10s");

        assertLossless(train, 1);
        assertThat(train.numbers("unavailableMs")).allMatch((gap) -> gap < 8_000);
        assertThat(train.number("degradedMs")).isGreaterThan(3_000);
    }

    @Test
    void shouldLoseNothingWhenAllServersAreKilledAtOnce() throws Exception
    {
        assertLossless(train("--mode", "chain", "--ack", "recorded", "--kill", "all@30%"), 1);
    }

    @Test
    void shouldLoseNothingWhenWorkersAndAPrimaryAreKilled() throws Exception
    {
        final Command train = train("--mode", "chain", "--staleness", "0", "--passes", "6",
            "--kill", "worker@15%,primary@30%,worker:0@60%");

        assertLossless(train, 1);
        assertThat(train.number("slotsReplaced")).isEqualTo(2);
    }

    private Command train(final String... arguments) throws Exception
    {
        final List<String> all = new ArrayList<>(List.of(
            "train", "--data", TestInput.require("agaricus/agaricus.txt.train").toString(),
            "--test", TestInput.require("agaricus/agaricus.txt.test").toString(), "--pace", "50", "--json"));
        all.addAll(List.of(arguments));
        return Command.run(directory, TIMEOUT_SECONDS, all.toArray(new String[0]));
    }

    private static void assertLossless(final Command train, final int kills)
    {
        assertThat(train.exitCode()).as(train.err()).isZero();
        assertThat(train.number("accuracy")).isGreaterThanOrEqualTo(0.99);
        assertThat(train.number("pushesSent")).isPositive();
        assertThat(train.number("pushesApplied")).isEqualTo(train.number("pushesSent"));
        assertThat(train.number("pushesLost")).isZero();
        assertThat(train.number("duplicatedPushes")).isZero();
        assertThat(train.number("pushesRefused")).isZero();
        assertThat(train.number("kills")).isEqualTo(kills);
    }
}
