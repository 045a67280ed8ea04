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

import io.gradstream.perf.measure.RunOptions;
import io.gradstream.perf.report.Machine;
import io.gradstream.perf.report.Part;
import io.gradstream.perf.report.TargetReport;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.concurrent.Callable;

/**
 * A command that measures one target beside what it is compared with.
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
