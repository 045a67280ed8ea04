// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.codecs.Consistency;
import io.gradstream.perf.measure.RunOptions;
import io.gradstream.perf.report.ReportFiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * Measures what a staleness bound costs and saves where some batches take longer than others.
 */
@Command(
    name = "staleness",
    description = {
        "Train to a fixed loss under several staleness bounds, with workers of which some are slow at random: how long",
        "it takes, how many iterations, and how long workers wait for each other. Each run has a cluster of its own",
        "and its workers in this process. About 8 minutes."})
public final class StalenessCommand implements Callable<Integer>
{
    @Mixin
    private RunOptions run;

    @Option(names = "--staleness", defaultValue = "0,1,2,4,8,16,unbounded", split = ",", paramLabel = "N[,N...]",
        description = "Bounds. Default: ${DEFAULT-VALUE}.")
    private List<String> bounds;

    @Option(names = "--seeds", defaultValue = "5", paramLabel = "N",
        description = "Runs of each, with other data, batches and slow workers. Default: ${DEFAULT-VALUE}.")
    private int seeds;

    @Option(names = "--workers", defaultValue = "8", paramLabel = "N",
        description = "Workers. Default: ${DEFAULT-VALUE}.")
    private int workers;

    @Option(names = "--step-ms", defaultValue = "20", paramLabel = "MS",
        description = "A batch takes at least so long. Default: ${DEFAULT-VALUE}.")
    private long stepMs;

    @Option(names = "--stragglers", defaultValue = "4:0.1", paramLabel = "FACTOR:PROBABILITY",
        description = "Batches that take longer. Default: ${DEFAULT-VALUE}.")
    private String stragglers;

    @Option(names = "--target-loss", defaultValue = "0.44", paramLabel = "L",
        description = "Log loss of the test data at which a run ends. Default: ${DEFAULT-VALUE}.")
    private double targetLoss;

    @Option(names = "--out", paramLabel = "DIR",
        description = "Also write staleness.csv, staleness.json and staleness.png there.")
    private Path out;

    @Override
    public Integer call() throws IOException
    {
        final StalenessSettings settings = run.checked(() -> new StalenessSettings(
            bounds.stream().map(Consistency::parseStaleness).toList(), seeds, workers,
            TimeUnit.MILLISECONDS.toNanos(stepMs), stragglers, targetLoss));
        final ReportFiles files = null == out ? null : run.checked(() -> new ReportFiles(out));
        final StalenessReport report = new StalenessRun(settings, run.profile()).run();
        if (null != files)
        {
            report.write(out);
        }

        return run.print(report.table(), report::json);
    }
}
