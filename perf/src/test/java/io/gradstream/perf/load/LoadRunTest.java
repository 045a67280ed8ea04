// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.TargetLine;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A whole run with real processes, with windows too short to mean anything.
 */
@Tag("faults")
class LoadRunTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldMeasureEverythingAndLeaveNothingWhenRun() throws IOException
    {
        final LoadRun run = Measurement.of(new LoadRun(), "--sizes=4k", "--replicas=2", "--windows=2",
            "--window-seconds=0.1", "--warmup-seconds=0", "--rate=100", "--window-mib=8", "--dir=" + directory);

        final List<TargetLine> lines = run.measure();

        for (final Measure measure : Measure.values())
        {
            assertThat(lines).as(measure.id()).filteredOn((line) ->
                line.measure().equals(measure.title(4096) + ", goodput")).isNotEmpty()
                .allSatisfy((line) -> assertThat(line.ours().median()).isPositive());
        }
        assertThat(lines).filteredOn((line) -> Double.isFinite(line.baseline())).hasSize(Ratio.values().length)
            .allSatisfy((line) -> assertThat(line.ratio()).isPositive().isFinite());
        assertThat(lines).filteredOn(TargetLine::hasTarget).extracting(TargetLine::id)
            .containsExactly("T1", "T2", "T14");
        assertThat(run.charts()).containsOnlyKeys("latency");
        try (Stream<Path> left = Files.list(directory))
        {
            assertThat(left).isEmpty();
        }
    }
}
