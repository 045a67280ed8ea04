// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The command as a user types it: real processes, real drivers, real Archives, SIGKILL.
 */
class TrainIT
{
    private static final long TIMEOUT_SECONDS = 120;

    @TempDir
    private Path directory;

    @Tag("alone")
    @Test
    void shouldTrainOnGeneratedClicksAndLeaveNothingBehind() throws Exception
    {
        final List<String> before = Command.aeronDirectories();
        final Command train = Command.run(directory, TIMEOUT_SECONDS,
            "train", "--examples", "40000", "--features", "16384", "--json");

        assertThat(train.exitCode()).as(train.err()).isZero();
        assertNothingLostOrDoubled(train);
        assertThat(train.number("kills")).isZero();
        assertThat(train.number("auc")).isGreaterThan(0.7);
        assertThat(Command.aeronDirectories()).isEqualTo(before);
    }

    @Test
    void shouldSurviveAKillOnRealData() throws Exception
    {
        final Command train = Command.run(directory, TIMEOUT_SECONDS,
            "train", "--data", TestInput.require("agaricus/agaricus.txt.train").toString(),
            "--test", TestInput.require("agaricus/agaricus.txt.test").toString(),
            "--pace", "50", "--kill", "server@40%", "--driver", "shared", "--json");

        assertThat(train.exitCode()).as(train.err()).isZero();
        assertThat(train.number("accuracy")).isGreaterThanOrEqualTo(0.99);
        assertNothingLostOrDoubled(train);
        assertThat(train.number("kills")).isEqualTo(1);
        assertThat(train.numbers("inFlightAtFailure")).hasSize(1).allMatch((count) -> count >= 1);
        assertThat(train.numbers("unavailableMs")).hasSize(1).allMatch((gap) -> gap > 0);
    }

    @Tag("faults")
    @Test
    void shouldEndWithTheSameBitsWithAndWithoutAKillButNotWhereItDoesNotPullAhead() throws Exception
    {
        final Command undisturbed = trainSteadily("--driver=shared");
        final Command disturbed = trainSteadily("--kill=server@30%");
        final Command strict = trainSteadily("--pull-ahead=0");

        assertThat(undisturbed.text("driver")).as("over IPC").isEqualTo("shared");
        assertThat(disturbed.text("driver")).as("over UDP").isEqualTo("internal");
        assertThat(disturbed.number("kills")).isEqualTo(1);
        assertNothingLostOrDoubled(disturbed);
        assertThat(disturbed.text("parametersSha256")).hasSize(64)
            .isEqualTo(undisturbed.text("parametersSha256"));
        assertThat(strict.text("parametersSha256")).hasSize(64)
            .isNotEqualTo(undisturbed.text("parametersSha256"));
    }

    private Command trainSteadily(final String option) throws Exception
    {
        final Command train = Command.run(directory, TIMEOUT_SECONDS, "train", "--workers", "1", "--examples", "8000",
            "--features", "4096", "--pace", "60", "--batch", "64", "--seed", "11", "--json", option);
        assertThat(train.exitCode()).as(train.err()).isZero();
        return train;
    }

    @Tag("alone")
    @Test
    void shouldNameFileAndLineOfMalformedData() throws Exception
    {
        final Path data = directory.resolve("bad.txt");
        Files.writeString(data, "1 1:1\n0 2:x\n");
        final List<String> before = Command.aeronDirectories();
        final Command train = Command.run(directory, TIMEOUT_SECONDS,
            "train", "--data", data.toString(), "--test", data.toString());

        assertThat(train.exitCode()).isNotZero();
        assertThat(train.err()).contains("bad.txt:2:").doesNotContain("\tat ");
        assertThat(Command.aeronDirectories()).isEqualTo(before);
    }

    @Test
    void shouldRefuseUnknownOptionsAndValuesOutOfRange() throws Exception
    {
        for (final String[] arguments : new String[][]{
            {"train", "--no-such-option"}, {"train", "--servers", "0"}, {"train", "--kill", "server@soon"},
            {"train", "--data", "no-such-file", "--test", "no-such-file"}, {"train", "--mode", "raid"},
            {"train", "--mode", "chain", "--servers", "1"}, {"train", "--mode", "stateless", "--ack", "recorded"}})
        {
            final Command train = Command.run(directory, TIMEOUT_SECONDS, arguments);
            assertThat(train.exitCode()).as(String.join(" ", arguments)).isNotZero();
            assertThat(train.err()).isNotBlank().doesNotContain("\tat ");
        }
    }

    private static void assertNothingLostOrDoubled(final Command train)
    {
        assertThat(train.number("pushesSent")).isPositive();
        assertThat(train.number("pushesApplied")).isEqualTo(train.number("pushesSent"));
        assertThat(train.number("pushesLost")).isZero();
        assertThat(train.number("duplicatedPushes")).isZero();
    }
}
