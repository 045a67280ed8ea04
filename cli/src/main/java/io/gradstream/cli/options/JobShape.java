// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;
import io.gradstream.server.function.UpdateFunctions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.List;

/** Options that say what a job is, wherever it runs. */
public final class JobShape
{
    @Mixin
    private ModeOptions modes;

    @Option(names = "--partitions", paramLabel = "N", defaultValue = "4",
        description = "Number of partitions over all servers. Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(names = "--rows", paramLabel = "N", defaultValue = "1048576",
        description = "Most rows of a table in one partition. Default: ${DEFAULT-VALUE}.")
    private int rows;

    @Option(names = "--slots", paramLabel = "N", defaultValue = "0",
        description = "Workers that others wait for under --staleness: slots 0 to N - 1. Default: ${DEFAULT-VALUE}.")
    private int slots;

    @Option(names = "--staleness", paramLabel = "0|N|unbounded", defaultValue = "unbounded",
        description = "Most iterations by which another slot's pushes may be behind in what a slot pulls; changed" +
            " later by 'job set'. Default: ${DEFAULT-VALUE}.")
    private String staleness;

    @Option(names = "--functions", paramLabel = "NAME/VERSION", split = CommonOptions.COMMA,
        description = "Update functions of your own that tables may have, such as sketch/1; every server must have" +
            " them in its --plugins. Default: none.")
    private List<String> functions = List.of();

    /** Replicas of each partition. */
    public int replicas()
    {
        return modes.replicas();
    }

    /**
     * The job.
     *
     * @param servers       that must have registered before partitions are placed.
     * @param virtualNodes  points of each server on the ring.
     * @param repairDelayMs silence after which a server's places are given to others, in milliseconds.
     * @throws UsageException if an option is wrong.
     */
    public JobSpec spec(final int servers, final int virtualNodes, final int repairDelayMs)
    {
        for (final String function : functions)
        {
            UsageException.refuseIf(UpdateFunctions.isBuiltIn(function),
                "invalid --functions=" + function + ": Gradstream's own functions are there" +
                    " without being named; name your own alone");
        }
        try
        {
            UsageException.refuseIf(0 == slots && Consistency.UNBOUNDED != Consistency.parseStaleness(staleness),
                "--staleness " + staleness + " without --slots: say how many workers wait" +
                    " for each other");
            return new JobSpec(partitions, modes.replicas(), servers, virtualNodes, rows, repairDelayMs, modes.mode())
                .with(new Consistency(slots, Consistency.parseStaleness(staleness)))
                .with(functions);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new UsageException(ex.getMessage());
        }
    }
}
