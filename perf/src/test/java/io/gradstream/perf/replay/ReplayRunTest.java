// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.replay;

import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.TargetLine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class ReplayRunTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldReplayToTheWrittenStateAndLeaveNothingWhenRun() throws IOException
    {
        final List<TargetLine> lines = Measurement.of(
            new ReplayRun(), "--bytes=4m", "--windows=2", "--rows=16", "--dir=" + directory).measure();

        assertThat(lines).hasSize(4).allSatisfy((line) -> assertThat(line.ours().min()).isPositive());
        assertThat(lines.get(0).ratio()).isPositive().isFinite();
        assertThat(lines.get(0).note()).isEqualTo("a log of 4 MiB, records of 3 rows of 4096 floats, sgd");
        try (Stream<Path> left = Files.list(directory))
        {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldDivideEachRoundByItsOwnRawReplayWhenRatiosAreMade()
    {
        assertThat(ReplayRun.ratios(new double[]{10, 30, 20}, new double[]{20, 30, 80}))
            .isEqualTo(Summary.of(0.5, 1, 0.25));
    }
}
