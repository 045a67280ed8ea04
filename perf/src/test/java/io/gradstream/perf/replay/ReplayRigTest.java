// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.replay;

import io.gradstream.driver.DriverProfile;
import io.gradstream.perf.measure.Summary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class ReplayRigTest
{
    private static final long BYTES = 4 << 20;

    @TempDir
    private Path directory;

    @Test
    void shouldReplayToTheWrittenStateAndLeaveNothingWhenRun() throws IOException
    {
        final ReplaySettings settings = new ReplaySettings(BYTES, 2, 16, DriverProfile.DEV, directory);

        final ReplayResult result = ReplayRig.measure(settings);

        assertThat(result.bytes()).isGreaterThanOrEqualTo(BYTES);
        assertThat(result.raw().min()).isPositive();
        assertThat(result.recovery().min()).isPositive();
        assertThat(result.ratio().min()).isPositive();
        assertThat(result.table(settings)).contains("ratio", "records of 3 rows of 4096 floats, sgd, 16 rows");
        assertThat(result.json(settings)).startsWith("{\"measurement\":\"replay\",\"bytes\":").doesNotContain("\n");
        try (Stream<Path> left = Files.list(directory))
        {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldDivideEachRoundByItsOwnRawReplayWhenRatiosAreMade()
    {
        assertThat(ReplayResult.ratios(new double[]{10, 30, 20}, new double[]{20, 30, 80}))
            .isEqualTo(new Summary(0.5, 0.25, 1));
    }
}
