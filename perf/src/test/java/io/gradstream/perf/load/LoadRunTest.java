/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
