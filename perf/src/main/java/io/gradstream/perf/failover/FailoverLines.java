// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.failover;

import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.TargetLine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The lines of the failovers of a run. */
final class FailoverLines
{
    private static final String MS = "ms";
    private static final int[] PERCENTILES = {50, 90, 99, 100};
    private static final int HUNDRED = 100;

    private FailoverLines()
    {
    }

    /**
     * The lines of all kills that counted.
     *
     * @throws IllegalStateException if there is none.
     */
    static List<TargetLine> of(final List<Failover> failovers)
    {
        if (failovers.isEmpty())
        {
            throw new IllegalStateException("no kill met an outstanding push: raise --rate");
        }
        final double[] totals = failovers.stream().mapToDouble(Failover::totalMs).toArray();
        Arrays.sort(totals);
        final List<TargetLine> lines = new ArrayList<>();
        for (final int percent : PERCENTILES)
        {
            lines.add(TargetLine.figure("kill to first acknowledgement of the last partition, " +
                (HUNDRED == percent ? "max" : "p" + percent), MS, Summary.of(percentile(totals, percent))));
        }
        for (int i = 0; i < Failover.PHASES.size(); i++)
        {
            final int phase = i;
            lines.add(TargetLine.figure("phase " + Failover.PHASES.get(i), MS,
                Summary.of(failovers.stream().mapToDouble((failover) -> failover.phaseMs(phase)).toArray())));
        }

        return lines;
    }

    /** A number of events in the whole run. */
    static TargetLine count(final String what, final long count)
    {
        return TargetLine.figure(what, "", Summary.of(count));
    }

    /** Nearest rank: the smallest value that at least so many percent do not exceed. */
    static double percentile(final double[] sorted, final int percent)
    {
        final int rank = (sorted.length * percent + HUNDRED - 1) / HUNDRED;
        return sorted[Math.max(1, rank) - 1];
    }
}
