// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.perf.measure.MachineLoad;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.TargetLine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The lines of what was trained with one batch size: the rate of each setup beside that of its plain thread, and what a
 * million examples cost.
 */
final class TrainingLines
{
    /** Examples in a batch that the target asks for. */
    static final int TARGET_BATCH = 512;

    private static final String ID = "T15";

    private TrainingLines()
    {
    }

    /** The lines of each setup, in their order. */
    static List<TargetLine> of(final int batch, final Map<TrainingSetup, List<TrainingRate>> results)
    {
        final List<TargetLine> lines = new ArrayList<>();
        results.forEach((setup, rates) ->
        {
            final String text = "batch " + batch + ": " + setup.title();
            final List<TrainingRate> plain = setup.baseline() == setup ? null : results.get(setup.baseline());
            final double baseline =
                null == plain ? Double.NaN : summary(plain, TrainingRate::examplesPerSecond).median();
            final Summary ours = summary(rates, TrainingRate::examplesPerSecond);
            final boolean isTarget = TARGET_BATCH == batch && null != setup.bound() && null != plain;
            final MachineLoad own = TrainingRate.machine(rates);
            final TargetLine line = isTarget ? TargetLine.target(ID, text, "ex/s", ours, baseline, setup.bound(), "") :
                TargetLine.figure(text, "ex/s", ours, baseline, "");
            lines.add(line.at(TrainingRate.cost(rates))
                .under(null == plain ? own : own.worst(TrainingRate.machine(plain))));
            lines.add(TargetLine.figure(text + ", CPU for a million", "s", summary(rates, TrainingRate::cpuSeconds))
                .under(own));
            final Summary errors = summary(rates, TrainingRate::testError);
            if (Double.isFinite(errors.median()))
            {
                lines.add(TargetLine.figure(text + ", test error after " + Passes.TESTED_AFTER + " passes", "RMSE",
                    errors, null == plain ? Double.NaN : summary(plain, TrainingRate::testError).median(), ""));
            }
        });

        return lines;
    }

    private static Summary summary(final List<TrainingRate> rates, final ToDoubleFunction<TrainingRate> value)
    {
        return Summary.of(rates.stream().mapToDouble(value).toArray());
    }
}
