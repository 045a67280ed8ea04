// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.perf.measure.RunOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Measures how fast clusters train, compared with the same loop in one thread.
 */
@Command(
    name = "train",
    description = {
        "Train sparse logistic regression in one plain thread and on clusters of several shapes, and matrix",
        "factorisation of rank 16 in one plain thread and with a worker in this process, on the driver of one server",
        "that records its log; in turn, on the same data. Say how many examples (ratings) a second each does, and what",
        "a million of them costs. About 22 minutes."})
public final class TrainingCommand implements Callable<Integer>
{
    @Mixin
    private RunOptions run;

    @Option(names = "--rounds", defaultValue = "3", paramLabel = "N",
        description = "How often each is run. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--batch", defaultValue = "64,512", split = ",", paramLabel = "N[,N...]",
        description = "Examples in a batch. Default: ${DEFAULT-VALUE}.")
    private List<Integer> batches;

    @Option(names = "--examples", defaultValue = "100000", paramLabel = "N",
        description = "Examples of the regression to generate. Default: ${DEFAULT-VALUE}.")
    private int examples;

    @Option(names = "--features", defaultValue = "16384", paramLabel = "N",
        description = "Their features. Default: ${DEFAULT-VALUE}.")
    private int features;

    @Option(names = "--warm-up", defaultValue = "20", paramLabel = "SECONDS",
        description = "For how long each trains before it counts: until the compiler has done most. Default: " +
            "${DEFAULT-VALUE}.")
    private int warmUpSeconds;

    @Option(names = "--window", defaultValue = "8", paramLabel = "SECONDS",
        description = "For how long it counts then. Default: ${DEFAULT-VALUE}.")
    private int windowSeconds;

    @Override
    public Integer call() throws IOException
    {
        final TrainingSettings settings = run.checked(() ->
            new TrainingSettings(rounds, batches, examples, features, warmUpSeconds, windowSeconds, run.profile(),
            run.namedDirectory()));
        final TrainingReport report = new TrainingRun(settings, List.of(Shape.values())).run();

        return run.print(report.table(), report::json);
    }
}
