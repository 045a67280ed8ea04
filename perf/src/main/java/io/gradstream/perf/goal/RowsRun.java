// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.perf.jmh.RowUpdateBenchmark;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.Bound;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.perf.report.TargetLine;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;

import java.util.ArrayList;
import java.util.List;

/**
 * T6: updates of rows in Chronicle Map memory compared with the same loop on arrays, each in a process of its own. A
 * record holds as many rows as fit 16 KiB, and the loop updates as many.
 */
@Command(name = "rows", description = {
    "Measure updates of rows in Chronicle Map memory beside the same loop on arrays. Windows are half as long.",
    "About 25 s."})
public final class RowsRun extends Measurement
{
    private static final String ID = "T6";
    private static final double MIN_RATIO = 0.6;
    private static final double MIN_RATIO_WITH_VECTORS = 0.9;
    private static final int FEATURE_WITH_VECTORS = 25;
    private static final int[] DIMS = {256, 4096};
    private static final String FUNCTION = "sgd/1 rate=0.001";
    private static final int WARM_UPS = 2;
    /** Values in a nanosecond to millions of them in a second. */
    private static final double PER_NS_TO_MILLIONS = 1e3;

    public RowsRun()
    {
        super(new RunOptions(5, 1, RunOptions.NONE));
    }

    @Override
    public List<TargetLine> measure()
    {
        // a lock file that another user has left would stop it
        System.setProperty("jmh.ignoreLock", "true");
        final double least =
            Runtime.version().feature() >= FEATURE_WITH_VECTORS ? MIN_RATIO_WITH_VECTORS : MIN_RATIO;
        final List<TargetLine> lines = new ArrayList<>();
        for (final int dim : DIMS)
        {
            final Summary arrays = measure("updateArrays", dim);
            lines.add(TargetLine.target(ID,
                "record of 16 KiB applied to rows of " + dim + " floats off heap / loop on float[]", "M values/s",
                measure("applyRecord", dim), arrays.median(), Bound.atLeast(least), ""));
        }

        return lines;
    }

    private Summary measure(final String method, final int dim)
    {
        final TimeValue windowTime = TimeValue.nanoseconds(settings.windowNs() / 2);
        final Options options = new OptionsBuilder()
            .include(RowUpdateBenchmark.class.getName() + "." + method + "$")
            .param("dim", Integer.toString(dim))
            .param("function", FUNCTION)
            .forks(1)
            .warmupIterations(WARM_UPS)
            .warmupTime(windowTime)
            .measurementIterations(settings.windows())
            .measurementTime(windowTime)
            .verbosity(VerboseMode.SILENT)
            .build();
        try
        {
            final RunResult result = new Runner(options).runSingle();
            return Summary.of(result.getBenchmarkResults().stream()
                .flatMap((fork) -> fork.getIterationResults().stream())
                .mapToDouble((window) -> millions(window, dim)).toArray());
        }
        catch (final RunnerException ex)
        {
            throw new IllegalStateException("cannot measure " + method + ": " + ex.getMessage(), ex);
        }
    }

    private static double millions(final IterationResult window, final int dim)
    {
        return PER_NS_TO_MILLIONS * RowUpdateBenchmark.rowsOfRecord(dim) * dim / window.getPrimaryResult().getScore();
    }
}
