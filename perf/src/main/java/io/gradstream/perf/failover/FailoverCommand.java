// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.failover;

import io.gradstream.perf.measure.RunOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.concurrent.Callable;

/**
 * Measures how long workers wait when a primary is killed.
 */
@Command(
    name = "failover",
    description = {
        "Kill -9 the server that is primary of all partitions, again and again, under light load, and measure the time",
        "until a worker has the first acknowledgement of the partition that comes back last. About 6 s for each run."})
public final class FailoverCommand implements Callable<Integer>
{
    @Mixin
    private RunOptions run;

    @Option(names = "--runs", defaultValue = "30", paramLabel = "N",
        description = "Kills that count. One that met no outstanding push does not. Default: ${DEFAULT-VALUE}.")
    private int runs;

    @Option(names = "--partitions", defaultValue = "8", paramLabel = "N",
        description = "Partitions of the job. Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(names = "--rate", defaultValue = "50", paramLabel = "N",
        description = "Pushes a second to each partition. Default: ${DEFAULT-VALUE}.")
    private double rate;

    @Option(names = "--coordinators", defaultValue = "1", paramLabel = "1|3",
        description = "Coordinators, which decide who takes over. Default: ${DEFAULT-VALUE}.")
    private int coordinators;

    @Option(names = "--kill-leader",
        description = "Kill the coordinator that leads in the same moment: another is elected before one decides.")
    private boolean isLeaderKilled;

    @Option(names = "--timing", defaultValue = "quiet", paramLabel = "quiet|shared",
        description = "How soon a silent server is suspected: quiet for idle machines, shared for others. Default: " +
            "${DEFAULT-VALUE}.")
    private String timing;

    @Override
    public Integer call() throws IOException
    {
        final FailoverSettings settings = run.checked(this::settings);
        final FailoverReport report = new FailoverRun(settings).run();

        return run.print(report.table(), report::json);
    }

    private FailoverSettings settings()
    {
        return new FailoverSettings(
            runs, partitions, rate, coordinators, isLeaderKilled, timing, run.profile(), run.namedDirectory());
    }
}
