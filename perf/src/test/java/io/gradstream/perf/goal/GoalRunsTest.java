// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.TargetLine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whole runs with real processes, with windows too short to mean anything.
 */
@Tag("faults")
class GoalRunsTest
{
    private static final int ROWS = 20_000;

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
    void shouldCompareWithRawAeronWhenAPullSeesAPush() throws IOException
    {
        final List<TargetLine> lines = measure(new FreshnessRun());

        assertThat(lines).hasSize(2).allSatisfy((line) ->
        {
            assertThat(line.id()).isEqualTo("T9");
            assertThat(line.ratio()).isPositive().isFinite();
        });
        assertThat(lines.get(0).ours().median()).isLessThanOrEqualTo(lines.get(1).ours().median());
    }

    @Test
    void shouldCompareWithARawRecordingWhenPushesAreRecorded() throws IOException
    {
        assertThat(measure(new RecordedRun())).hasSize(2)
            .allSatisfy((line) -> assertThat(line.ratio()).isPositive().isFinite());
    }

    @Test
    void shouldHaveTakenSnapshotsWhenItCompares() throws IOException
    {
        assertThat(measure(new SnapshotRun())).hasSize(2).allSatisfy((line) ->
        {
            assertThat(line.ratio()).isPositive().isFinite();
            assertThat(line.note()).matches("64 MiB of rows.*two snapshots: [1-9]\\d*\\.");
        });
    }

    @Test
    void shouldTellOfEachStepAndOfMemoryWhenItGrows() throws IOException
    {
        final List<TargetLine> lines = measure(new GrowthRun(), "--rows=" + ROWS);

        assertThat(lines).hasSize(5).allSatisfy((line) -> assertThat(line.ours().median()).isNotZero());
        assertThat(lines).filteredOn((line) -> "MB/s".equals(line.unit())).hasSize(4)
            .allSatisfy((line) -> assertThat(line.ratio()).isPositive().isFinite());
    }

    @Test
    void shouldCountUpdatesWhenKeysAreSingleFloats() throws IOException
    {
        assertThat(measure(new SparseRun(), "--rows=" + ROWS)).hasSize(3)
            .allSatisfy((line) -> assertThat(line.ours().median()).isPositive().isFinite());
    }

    private List<TargetLine> measure(final Measurement measurement, final String... options) throws IOException
    {
        final List<String> args = new ArrayList<>(List.of(options));
        args.addAll(List.of("--dir=" + directory, "--windows=1", "--window-seconds=0.05"));

        return Measurement.of(measurement, args.toArray(String[]::new)).measure();
    }
}
