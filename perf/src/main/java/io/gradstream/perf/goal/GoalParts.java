// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.driver.DriverProfile;
import io.gradstream.perf.report.Part;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The measurements of single targets as parts of {@code perf all}, in six minutes.
 */
public final class GoalParts
{
    private static final int WINDOWS = 5;
    private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(800);
    private static final int STARTS = 3;
    private static final double SOAK_MINUTES = 1;
    private static final int ROWS = 1_000_000;

    private GoalParts()
    {
    }

    /**
     * In the order in which they run.
     *
     * @param directory below which servers keep their logs meanwhile.
     */
    public static List<Part> of(final DriverProfile profile, final Path directory)
    {
        final GoalSettings settings = new GoalSettings(profile, directory, WINDOWS, WINDOW_NS);
        final GoalSettings starts = new GoalSettings(profile, directory, STARTS, WINDOW_NS);

        return List.of(
            Part.of("sparse", "updates of single floats", List.of("T5"), new SparseRun(settings, ROWS)::run),
            Part.of("rows", "rows off heap beside arrays", List.of("T6"), new RowsRun(settings)::run),
            Part.of("recorded", "recorded pushes beside a raw recording", List.of("T8"),
                new RecordedRun(settings)::run),
            Part.of("freshness", "a push until another worker sees it", List.of("T9"),
                new FreshnessRun(settings)::run),
            Part.of("soak", "memory, and what pushes and pulls allocate", List.of("T10"),
                new SoakRun(settings, SOAK_MINUTES)::run),
            Part.of("growth", "more workers, partitions, tables and rows", List.of("T11"),
                new GrowthRun(settings, ROWS)::run),
            Part.of("start", "train until its first push", List.of("T12"), () -> new StartRun(starts).run()),
            Part.of("snapshot", "pushes beside snapshots", List.of("T13"), new SnapshotRun(settings)::run),
            Part.of("idle", "idle processes", List.of("T16"), new IdleRun(settings)::run));
    }
}
