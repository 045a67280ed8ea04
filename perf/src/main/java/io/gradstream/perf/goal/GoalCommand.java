// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.perf.measure.RunOptions;
import io.gradstream.perf.report.Machine;
import io.gradstream.perf.report.Part;
import io.gradstream.perf.report.TargetReport;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.concurrent.Callable;

/**
 * A command that measures one target and its baseline.
 */
abstract class GoalCommand implements Callable<Integer>
{
    private static final double NS_PER_SECOND = 1e9;

    @Mixin
    private RunOptions run;

    @Option(names = "--windows", defaultValue = "5", paramLabel = "N",
        description = "Windows of each measure. Default: ${DEFAULT-VALUE}.")
    private int windows;

    @Option(names = "--window-seconds", defaultValue = "1", paramLabel = "S",
        description = "Length of a window. Default: ${DEFAULT-VALUE}.")
    private double windowSeconds;

    /**
     * Make the run of the settings.
     *
     * @throws IllegalArgumentException if one of them is wrong.
     */
    abstract Part.Measurement measurement(GoalSettings settings);

    @Override
    public Integer call() throws IOException
    {
        final Part.Measurement measurement = run.checked(() -> measurement(new GoalSettings(
            run.profile(), run.directory(), windows, (long)(windowSeconds * NS_PER_SECOND))));
        final TargetReport report = new TargetReport(Machine.here(), measurement.run());

        return run.print(report.table(), report::json);
    }
}
