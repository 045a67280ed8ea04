// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The results of peers at the work of some targets, in the same run; our figure is reported next to that of the best
 * peer.
 * <p>
 * The part that measures peers adds to these results, and the lines of all parts are joined with them at the end.
 */
public final class Peers
{
    /** Targets that bound not only the ratio to raw Aeron, but also that of our figure to the best peer's. */
    private static final Map<String, Bound> BOUNDS = Map.of("T1", Bound.atMost(1), "T3", Bound.atLeast(1.2));

    private static final Peer NONE = new Peer("", Double.NaN);

    private final Map<String, List<Peer>> peers = new HashMap<>();

    /**
     * Add the result of a peer.
     *
     * @param measure of {@link Work#latency()} or {@link Work#goodput()}.
     * @param name    of the peer.
     * @param median  of its windows, in the measure's unit.
     */
    public void add(final String measure, final String name, final double median)
    {
        peers.computeIfAbsent(measure, (unused) -> new ArrayList<>()).add(new Peer(name, median));
    }

    /** The highest figure of a measure of goodput; NaN if there is none. */
    public double most(final String measure)
    {
        return best(measure, false).median;
    }

    /**
     * Add the best peer's figure to each line whose work peers did. If the target bounds our ratio to it, a line with
     * this ratio follows.
     */
    public List<TargetLine> join(final List<TargetLine> lines)
    {
        final List<TargetLine> joined = new ArrayList<>();
        for (final TargetLine line : lines)
        {
            final Bound bound = BOUNDS.get(line.id());
            final Peer best = best(line.measure(), line.bound().isUpper());
            if (!Double.isNaN(best.median))
            {
                joined.add(line.withPeer(best.median, "best peer: " + best.name));
                if (null != bound)
                {
                    joined.add(new TargetLine(line.id(), line.measure() + ", beside " + best.name, line.unit(),
                        line.ours(), best.median, best.median, bound, ""));
                }
            }
            else
            {
                joined.add(null == bound ? line : line.withPeer(Double.NaN, "no peer was measured"));
            }
        }

        return joined;
    }

    private Peer best(final String measure, final boolean isLess)
    {
        Peer best = NONE;
        for (final Peer peer : peers.getOrDefault(measure, List.of()))
        {
            final boolean isBetter = isLess ? peer.median < best.median : peer.median > best.median;
            best = isBetter || Double.isNaN(best.median) ? peer : best;
        }

        return best;
    }

    private record Peer(String name, double median)
    {
    }
}
