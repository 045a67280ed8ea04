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
package io.gradstream.perf.goal;

import io.gradstream.driver.DriverProfile;
import io.gradstream.perf.report.TargetLine;
import org.junit.jupiter.api.AfterEach;
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
 * Whole runs with real processes, with windows too short to mean anything.
 */
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
        final List<TargetLine> lines = new FreshnessRun(settings()).run();

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
        assertThat(new RecordedRun(settings()).run()).hasSize(2)
            .allSatisfy((line) -> assertThat(line.ratio()).isPositive().isFinite());
    }

    @Test
    void shouldHaveTakenSnapshotsWhenItCompares() throws IOException
    {
        assertThat(new SnapshotRun(settings()).run()).hasSize(2).allSatisfy((line) ->
        {
            assertThat(line.ratio()).isPositive().isFinite();
            assertThat(line.note()).matches("64 MiB of rows.*two snapshots: [1-9]\\d*\\.");
        });
    }

    @Test
    void shouldTellOfEachStepAndOfMemoryWhenItGrows() throws IOException
    {
        final List<TargetLine> lines = new GrowthRun(settings(), ROWS).run();

        assertThat(lines).hasSize(5).allSatisfy((line) -> assertThat(line.ours().median()).isNotZero());
        assertThat(lines).filteredOn((line) -> "MB/s".equals(line.unit())).hasSize(4)
            .allSatisfy((line) -> assertThat(line.ratio()).isPositive().isFinite());
    }

    @Test
    void shouldCountUpdatesWhenKeysAreSingleFloats() throws IOException
    {
        assertThat(new SparseRun(settings(), ROWS).run()).hasSize(3)
            .allSatisfy((line) -> assertThat(line.ours().median()).isPositive().isFinite());
    }

    private GoalSettings settings()
    {
        return new GoalSettings(DriverProfile.DEV, directory, 1, TimeUnit.MILLISECONDS.toNanos(50));
    }
}
