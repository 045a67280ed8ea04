// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.driver.DriverProfile;
import io.gradstream.perf.load.LoadReport.SizeResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A whole run with real processes, with windows too short to mean anything.
 */
class LoadRunTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldMeasureEverythingAndLeaveNothingWhenRun() throws IOException
    {
        final LoadSettings settings = new LoadSettings(
            List.of(4096), Measure.all(true), 2, TimeUnit.MILLISECONDS.toNanos(100), 0, 100, 8 << 20,
            new LoadSettings.Cluster(null, 1, 1, DriverProfile.DEV, 8192, false, directory));

        final List<SizeResult> results = new LoadRun(settings).run();

        assertThat(results).hasSize(1);
        assertThat(results.get(0).series()).containsOnlyKeys(Measure.values());
        assertThat(results.get(0).series().values())
            .allSatisfy((series) -> assertThat(series.transfersPerSecond().median()).isPositive());
        for (final Ratio ratio : Ratio.values())
        {
            assertThat(ratio.of(results.get(0).series())).isPositive().isFinite();
        }
        try (Stream<Path> left = Files.list(directory))
        {
            assertThat(left).isEmpty();
        }
    }
}
