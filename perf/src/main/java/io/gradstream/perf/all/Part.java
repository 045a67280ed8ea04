// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.all;

import io.gradstream.console.Chart;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.TargetLine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * One part of {@code perf all}: a measurement, made once or several times with other options.
 *
 * @param name    of the measurement's command.
 * @param title   in progress.
 * @param targets ids of the targets of the part's lines: these targets are not met if the part fails.
 * @param work    that measures.
 */
record Part(String name, String title, List<String> targets, Work work)
{
    /**
     * The part of a measurement.
     *
     * @param common  options of all its runs.
     * @param options of each run, separated by spaces.
     */
    static Part of(
        final String name,
        final String title,
        final List<String> targets,
        final Supplier<Measurement> measurement,
        final List<String> common,
        final String... options)
    {
        return new Part(name, title, targets, (charts) ->
        {
            final List<TargetLine> lines = new ArrayList<>();
            for (final String run : options)
            {
                final List<String> args = new ArrayList<>(List.of(run.split(" ")));
                args.addAll(common);
                final Measurement made = Measurement.of(measurement.get(), args.toArray(String[]::new));
                lines.addAll(made.measureAndJudge());
                made.charts().forEach(charts::putIfAbsent);
            }

            return lines;
        });
    }

    /** The work of a part. */
    interface Work
    {
        /**
         * Measure.
         *
         * @param charts to which pictures are added by the names of their files.
         * @throws IOException if a process or file cannot be had.
         */
        List<TargetLine> measure(Map<String, Chart> charts) throws IOException;
    }
}
