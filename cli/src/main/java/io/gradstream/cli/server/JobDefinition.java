// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.server;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.DurationConverter;
import io.gradstream.cli.options.ModeOptions;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;
import io.gradstream.server.function.UpdateFunctions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.List;

/** Options that say what a job is to its coordinator. */
final class JobDefinition
{
    @Mixin
    ModeOptions modes;

    @Option(names = "--partitions", paramLabel = "N", defaultValue = "4",
        description = "Number of partitions over all servers. Default: ${DEFAULT-VALUE}.")
    int partitions;

    @Option(names = "--servers", paramLabel = "N", defaultValue = "2",
        description = "Servers that must have registered before partitions are placed. Default: ${DEFAULT-VALUE}.")
    int servers;

    @Option(names = "--rows", paramLabel = "N", defaultValue = "1048576",
        description = "Most rows of a table in one partition. Default: ${DEFAULT-VALUE}.")
    int rows;

    @Option(names = "--virtual-nodes", paramLabel = "N", defaultValue = "128",
        description = "Points of each server on the ring that places partitions. Default: ${DEFAULT-VALUE}.")
    int virtualNodes;

    @Option(names = "--node-timeout", paramLabel = "DURATION", defaultValue = "30s",
        converter = DurationConverter.class,
        description = "A server that is silent for so long loses its places to others. Default: ${DEFAULT-VALUE}.")
    long nodeTimeoutMs;

    @Option(names = "--slots", paramLabel = "N", defaultValue = "0",
        description = "Workers that others wait for under --staleness: slots 0 to N - 1. Default: ${DEFAULT-VALUE}.")
    int slots;

    @Option(names = "--staleness", paramLabel = "0|N|unbounded", defaultValue = "unbounded",
        description = "Most iterations by which another slot's pushes may be behind in what a slot pulls; changed" +
            " later by 'job set'. Default: ${DEFAULT-VALUE}.")
    String staleness;

    @Option(names = "--functions", paramLabel = "NAME/VERSION", split = CommonOptions.COMMA,
        description = "Update functions of your own that tables may have, such as sketch/1; every server must have" +
            " them in its --plugins. Default: none.")
    List<String> functions = List.of();

    /** The job. */
    JobSpec spec()
    {
        final int replicas = modes.replicas();
        CommonOptions.checkRange("servers", servers, replicas, JobSpec.MAX_NODES);
        CommonOptions.checkRange(
            "node-timeout in ms", nodeTimeoutMs, JobSpec.MIN_REPAIR_DELAY_MS, JobSpec.MAX_REPAIR_DELAY_MS);
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
            return new JobSpec(
                partitions, replicas, servers, virtualNodes, rows, (int)nodeTimeoutMs, modes.mode())
                .with(new Consistency(slots, Consistency.parseStaleness(staleness)))
                .with(functions);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new UsageException(ex.getMessage());
        }
    }
}
