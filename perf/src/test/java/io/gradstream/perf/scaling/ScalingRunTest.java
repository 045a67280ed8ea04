// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.scaling;

import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.TargetLine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/** A whole run with real processes. */
@Tag("faults")
class ScalingRunTest
{
    @TempDir
    private Path directory;

    @AfterEach
    void shouldLeaveNothing() throws IOException
    {
        try (Stream<Path> left = Files.list(directory))
        {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldCountWhatServersAndWorkersSay() throws IOException
    {
        final List<TargetLine> lines = Measurement.of(new ScalingRun(), "--dir=" + directory, "--servers=3",
            "--partitions=3", "--jobs=2", "--tables=2", "--workers=2", "--units=1000000", "--drain",
            "--window-seconds=3").measure();

        // half of what is due passes: the machine may be busy, and then some of it is late
        assertThat(figure(lines, "idle: log NodeReport")).isBetween(3.0, 9.0);
        assertThat(figure(lines, "idle: log WorkerReach")).isBetween(1.0, 3.0);
        assertThat(figure(lines, "idle: coordinators' log")).isPositive();
        assertThat(figure(lines, "idle: server Heartbeat")).isBetween(12.0, 80.0);
        assertThat(figure(lines, "units: log WorkReport")).isPositive();
        assertThat(figure(lines, "units: batches done")).isPositive();
        assertThat(figure(lines, "map of the cluster")).isBetween(500.0, 5_000.0);
        assertThat(figure(lines, "streams that a worker sends")).isGreaterThanOrEqualTo(8);
        assertThat(figure(lines, "drain: places that move")).isPositive();
        assertThat(figure(lines, "drain: coordinator Map")).isPositive();
    }

    private static double figure(final List<TargetLine> lines, final String measure)
    {
        return lines.stream().filter((line) -> measure.equals(line.measure())).findFirst()
            .orElseThrow(() -> new AssertionError("no " + measure + " in " + lines)).ours().median();
    }
}
