// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import io.gradstream.perf.measure.MachineLoad;
import io.gradstream.perf.measure.Summary;

/**
 * One measured figure and its baseline, in one run. A target with several sizes has a line for each, and is met if all
 * are.
 *
 * @param id       of the target, "T1" to "T16"; empty for a figure of which no target asks anything.
 * @param measure  what was measured, in words.
 * @param unit     of ours, baseline and best peer, such as "us", "MB/s" or "%".
 * @param ours     summary of our figures of each window or round.
 * @param baseline median that our figure is divided by, or NaN if the target is a figure and not a ratio.
 * @param bestPeer median of the best peer, or NaN if none was measured.
 * @param bound    that the ratio, or our figure if there is no baseline, has to keep to.
 * @param note     for the reader, or empty: which peer, or what was not measured and why.
 * @param cost     in processor time, or {@link CpuCost#NONE}.
 * @param machine  load of the machine while the figure and its baseline were taken.
 */
public record TargetLine(
    String id,
    String measure,
    String unit,
    Summary ours,
    double baseline,
    double bestPeer,
    Bound bound,
    String note,
    CpuCost cost,
    MachineLoad machine)
{
    /** A figure of which a target asks something, beside no peer's. */
    public static TargetLine target(
        final String id,
        final String measure,
        final String unit,
        final Summary ours,
        final double baseline,
        final Bound bound,
        final String note)
    {
        return new TargetLine(
            id, measure, unit, ours, baseline, Double.NaN, bound, note, CpuCost.NONE, MachineLoad.UNKNOWN);
    }

    /** A line of a target of which nothing was measured, and which is not met. */
    public static TargetLine failed(final String id, final String measure, final String reason)
    {
        final Summary nothing = new Summary(Double.NaN, Double.NaN, Double.NaN);
        return target(id, measure, "", nothing, Double.NaN, Bound.atLeast(Double.NaN), "failed: " + reason);
    }

    /** A figure of which no target asks anything. */
    public static TargetLine figure(
        final String measure, final String unit, final Summary ours, final double baseline, final String note)
    {
        return target("", measure, unit, ours, baseline, Bound.atLeast(Double.NaN), note);
    }

    /** A figure of which no target asks anything, and which is compared with none. */
    public static TargetLine figure(final String measure, final String unit, final Summary ours)
    {
        return figure(measure, unit, ours, Double.NaN, "");
    }

    /** True if a target asks for the figure. */
    public boolean hasTarget()
    {
        return !id.isEmpty();
    }

    /** The same with the best peer's figure, and a note on whose it is. */
    TargetLine withPeer(final double peer, final String peerNote)
    {
        return new TargetLine(id, measure, unit, ours, baseline, peer, bound,
            note.isEmpty() ? peerNote : note + "; " + peerNote, cost, machine);
    }

    /** The same with its cost in processor time. */
    public TargetLine at(final CpuCost newCost)
    {
        return new TargetLine(id, measure, unit, ours, baseline, bestPeer, bound, note, newCost, machine);
    }

    /** The same with the load of the machine while it was measured. */
    public TargetLine under(final MachineLoad load)
    {
        return new TargetLine(id, measure, unit, ours, baseline, bestPeer, bound, note, cost, load);
    }

    /** True if there is a figure, and the machine was not busy with other work while it was taken. */
    public boolean isMeasured()
    {
        return !Double.isNaN(ours.median()) && !machine.isBusy();
    }

    /** True if there is a figure that does not count, since the machine was busy while it was taken. */
    public boolean isRefused()
    {
        return !Double.isNaN(ours.median()) && machine.isBusy();
    }

    /** Our median divided by the baseline's; NaN without a baseline. */
    public double ratio()
    {
        return ours.median() / baseline;
    }

    /** Spread of our figures: the widest distance of a window from the median, as a share of the median. */
    public double spread()
    {
        return Math.max(ours.max() - ours.median(), ours.median() - ours.min()) / ours.median();
    }

    /** True if there is a figure and it keeps to its bound, also where the machine was busy. */
    public boolean isMet()
    {
        return bound.holds(Double.isNaN(baseline) ? ours.median() : ratio());
    }
}
