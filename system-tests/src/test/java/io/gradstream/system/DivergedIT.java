// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A rate that is far too high, on a column of large numbers: the run ends with its summary, which says so.
 */
@Tag("faults")
class DivergedIT
{
    private static final long TIMEOUT_SECONDS = 120;
    private static final int ROWS = 300;

    @TempDir
    private Path directory;

    @Test
    void shouldEndWithItsSummaryWhereAGradientIsNotFinite() throws Exception
    {
        final Command train = train("--function=sgd/1 rate=0.5");

        assertDiverged(train);
        assertThat(train.err()).contains("NOT FINITE  ", "training has diverged with sgd/1 rate=0.5: use a lower rate",
            "--clip 1", "the values of feature 1, which reach 400000 (of csv and tsv: --log-scale)");
    }

    @Test
    void shouldEndAllWorkersUnderABound() throws Exception
    {
        assertDiverged(train("--function=sgd/1 rate=0.5", "--staleness=0", "--batch=4", "--passes=6"));
    }

    @Test
    void shouldSayThatALossIsAbsurd() throws Exception
    {
        final Command train = train("--function=sgd/1 rate=0.01", "--batch=100", "--passes=1", "--workers=1");

        assertThat(train.exitCode()).as(train.err()).isZero();
        assertThat(train.err()).contains("ABSURD      rmse ", "is more than 10 times that of the base rate")
            .doesNotContain("NOT FINITE");
        assertThat(train.json()).contains("\"worseThanBaseRate\":true,\"diverged\":true");
    }

    @Test
    void shouldNotPushWhatAWorkerHasAddedUpThatDiverges() throws Exception
    {
        final Command train = train("--workers=1", "--batch=4", "--local-steps=1000", "--local-rate=0.5",
            "--function=sgd/1 rate=1");

        assertDiverged(train);
        assertThat(train.number("pushesSent")).isZero();
    }

    @Test
    void shouldNameTheRangeOfWeightsThatAreSentInTwoBytes() throws Exception
    {
        final IntFunction<String> large = (row) -> 1_000 * row + "," + row / (double)ROWS;
        final Command train = train(large, "--pull-values=float16");

        assertThat(train.exitCode()).as(train.err()).isEqualTo(1);
        assertThat(train.err()).contains(" is beyond 65504, the most that --pull-values=float16 can say, after ",
            "or --pull-values bfloat16 where weights are to be beyond 65504");
        assertThat(train(large, "--pull-values=bfloat16").exitCode()).isZero();
    }

    @Test
    void shouldNameTheRangeOfGradientsThatAreSentInTwoBytes() throws Exception
    {
        final Command train = train((row) -> 1_000_000 * row + ",0.5", "--push-values=float16");

        assertThat(train.exitCode()).as(train.err()).isEqualTo(1);
        assertThat(train.err())
            .contains("the gradient -", " is beyond 65504, the most that --push-values=float16 can say, after ",
                "or --push-values bfloat16 where gradients are to be beyond 65504")
            .doesNotContain("ended with exit code", "\tat ");
        assertThat(train.json()).contains("\"diverged\":true");
    }

    private static void assertDiverged(final Command train)
    {
        assertThat(train.exitCode()).as(train.err()).isEqualTo(1);
        assertThat(train.err()).contains("is Infinity after ").doesNotContain("ended with exit code", "\tat ");
        assertThat(train.json()).contains("\"diverged\":true");
        assertThat(train.number("baseRateLoss")).isBetween(60.0, 120.0);
        assertThat(train.number("pushesLost") + train.number("duplicatedPushes")).isZero();
    }

    private Command train(final String... options) throws IOException, InterruptedException
    {
        return train((row) -> row + ",400000", options);
    }

    private Command train(final IntFunction<String> line, final String... options)
        throws IOException, InterruptedException
    {
        final List<String> lines = new ArrayList<>(List.of("y,x"));
        for (int row = 1; row <= ROWS; row++)
        {
            lines.add(line.apply(row));
        }
        final Path data = Files.write(directory.resolve("data.csv"), lines);
        final List<String> arguments = new ArrayList<>(List.of("train", "--model=linear", "--format=csv", "--label=y",
            "--number-columns=x", "--data=" + data, "--json"));
        arguments.addAll(List.of(options));
        return Command.run(directory, TIMEOUT_SECONDS, arguments.toArray(String[]::new));
    }
}
