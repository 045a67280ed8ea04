// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.perf.report.Part;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The commands of single targets.
 */
public final class GoalCommands
{
    private GoalCommands()
    {
    }

    /** T16. */
    @Command(name = "idle", description = {
        "Measure what idle processes cost, and the first answer to a pull after a second without one.",
        "About 45 s."})
    public static final class Idle extends GoalCommand
    {
        @Override
        Part.Measurement measurement(final GoalSettings settings)
        {
            return new IdleRun(settings)::run;
        }
    }

    /** T12. */
    @Command(name = "start", description = {
        "Measure from the command train to its first push, and a killed server's start. --windows says how often;",
        "--window-seconds means nothing here. About 50 s."})
    public static final class Start extends GoalCommand
    {
        @Override
        Part.Measurement measurement(final GoalSettings settings)
        {
            return new StartRun(settings)::run;
        }
    }

    /** T5. */
    @Command(name = "sparse", description = {
        "Measure updates of single floats: the same 1,024 keys with each push, and random rows of a large table.",
        "About 30 s."})
    public static final class Sparse extends GoalCommand
    {
        @Option(names = "--rows", defaultValue = "1000000", paramLabel = "N",
            description = "Rows of the large table. Default: ${DEFAULT-VALUE}.")
        private int rows;

        @Override
        Part.Measurement measurement(final GoalSettings settings)
        {
            return new SparseRun(settings, rows)::run;
        }
    }

    /** T9. */
    @Command(name = "freshness", description = {
        "Measure a push until another worker's pull sees it, beside the round trip of raw Aeron, in turns.",
        "About 20 s."})
    public static final class Freshness extends GoalCommand
    {
        @Override
        Part.Measurement measurement(final GoalSettings settings)
        {
            return new FreshnessRun(settings)::run;
        }
    }

    /** T6. */
    @Command(name = "rows", description = {
        "Measure updates of rows in Chronicle Map memory beside the same loop on arrays. Windows are half as long.",
        "About 25 s."})
    public static final class Rows extends GoalCommand
    {
        @Override
        Part.Measurement measurement(final GoalSettings settings)
        {
            return new RowsRun(settings)::run;
        }
    }

    /** T8. */
    @Command(name = "recorded", description = {
        "Measure recorded pushes beside a raw publication of the same bytes that an Archive records.",
        "About 30 s, and up to 6 GiB of disk."})
    public static final class Recorded extends GoalCommand
    {
        @Override
        Part.Measurement measurement(final GoalSettings settings)
        {
            return new RecordedRun(settings)::run;
        }
    }

    /** T13. */
    @Command(name = "snapshot", description = {
        "Measure pushes beside snapshots, one after the other, and without one.",
        "About 20 s."})
    public static final class Snapshot extends GoalCommand
    {
        @Override
        Part.Measurement measurement(final GoalSettings settings)
        {
            return new SnapshotRun(settings)::run;
        }
    }

    /** T10. */
    @Command(name = "soak", description = {
        "Push and pull for long, and look whether memory and descriptors stay as they are; then measure what a push",
        "and a pull allocate. The time that was asked for, and 20 s."})
    public static final class Soak extends GoalCommand
    {
        @Option(names = "--minutes", defaultValue = "10", paramLabel = "N",
            description = "How long; 1 is the least that tells anything. Default: ${DEFAULT-VALUE}.")
        private double minutes;

        @Override
        Part.Measurement measurement(final GoalSettings settings)
        {
            return new SoakRun(settings, minutes)::run;
        }
    }

    /** T11. */
    @Command(name = "growth", description = {
        "Measure pushes of 1 and 8 workers, and to 1 and 64 partitions, 1 and 64 tables, 10,000 and more rows.",
        "About 90 s."})
    public static final class Growth extends GoalCommand
    {
        @Option(names = "--rows", defaultValue = "1000000", paramLabel = "N",
            description = "Rows of 256 bytes of the large table. Default: ${DEFAULT-VALUE}.")
        private int rows;

        @Override
        Part.Measurement measurement(final GoalSettings settings)
        {
            return new GrowthRun(settings, rows)::run;
        }
    }
}
