// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.load.LoadReport.SizeResult;
import io.gradstream.perf.measure.ByteSize;
import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.Bound;
import io.gradstream.perf.report.TargetLine;
import io.gradstream.perf.report.Work;

import java.util.ArrayList;
import java.util.List;

/**
 * The lines of targets that the results of a load run hold: only those of the sizes that each target asks for.
 */
final class LoadTargets
{
    /** Size of round trips. */
    static final int SMALL = 4 * 1024;
    /** Sizes of goodput. */
    static final List<Integer> LARGE = List.of(64 * 1024, 1024 * 1024);
    /** Size of a chain's goodput. */
    static final int CHAINED = 64 * 1024;

    private static final String US = "us";
    private static final String MEGABYTES = "MB/s";

    private final List<TargetLine> lines = new ArrayList<>();

    private LoadTargets()
    {
    }

    static List<TargetLine> of(final LoadSettings settings, final List<SizeResult> results)
    {
        final LoadTargets targets = new LoadTargets();
        for (final SizeResult result : results)
        {
            if (settings.cluster().isSharing())
            {
                targets.addShared(result);
            }
            else
            {
                targets.addOwn(result);
            }
        }
        targets.lines.sort((one, other) -> Integer.compare(number(one), number(other)));

        return List.copyOf(targets.lines);
    }

    private void addOwn(final SizeResult result)
    {
        final int size = result.size();
        if (SMALL == size)
        {
            latency("T1", Work.push(size, 1).latency(), result, Measure.PUSH_APPLIED, Measure.RAW_ECHO, 1.3);
            latency("T2", Work.pull(size, 1).latency(), result, Measure.PULL, Measure.RAW_ECHO, 1.3);
            latency("T14", "chain: push " + ByteSize.text(size) + " until replicated, p50", result,
                Measure.CHAIN_REPLICATED, Measure.RAW_ECHO_BESIDE_CHAIN, 3);
        }
        if (LARGE.contains(size))
        {
            goodput("T3", Work.push(size, Measure.DEPTH).goodput(), result, Measure.PUSH_DEPTH_8,
                Measure.RAW_STREAM, 0.75);
            goodput("T4", Work.pull(size, Measure.DEPTH).goodput(), result, Measure.PULL_DEPTH_8,
                Measure.RAW_STREAM, 0.75);
        }
        if (CHAINED == size)
        {
            goodput("T14", "chain: " + Work.push(size, Measure.DEPTH).goodput(), result, Measure.CHAIN_DEPTH_8,
                Measure.PUSH_DEPTH_8_BESIDE_CHAIN, 0.5);
        }
    }

    private void addShared(final SizeResult result)
    {
        if (SMALL == result.size())
        {
            latency("T7", "one driver: " + Work.push(SMALL, 1).latency(), result, Measure.PUSH_APPLIED,
                Measure.RAW_ECHO, 1.5);
        }
    }

    private void latency(
        final String id,
        final String text,
        final SizeResult result,
        final Measure ours,
        final Measure baseline,
        final double most)
    {
        if (isMeasured(result, ours, baseline))
        {
            add(id, text, US, result.series().get(ours).p50Us(), result.series().get(baseline).p50Us(),
                Bound.atMost(most));
        }
    }

    private void goodput(
        final String id,
        final String text,
        final SizeResult result,
        final Measure ours,
        final Measure baseline,
        final double least)
    {
        if (isMeasured(result, ours, baseline))
        {
            add(id, text, MEGABYTES, result.series().get(ours).megabytesPerSecond(),
                result.series().get(baseline).megabytesPerSecond(), Bound.atLeast(least));
        }
    }

    private void add(
        final String id,
        final String text,
        final String unit,
        final Summary ours,
        final Summary baseline,
        final Bound bound)
    {
        lines.add(new TargetLine(id, text, unit, ours, baseline.median(), Double.NaN, bound, ""));
    }

    private static boolean isMeasured(final SizeResult result, final Measure ours, final Measure baseline)
    {
        return result.series().containsKey(ours) && result.series().containsKey(baseline);
    }

    private static int number(final TargetLine line)
    {
        return Integer.parseInt(line.id().substring(1));
    }
}
