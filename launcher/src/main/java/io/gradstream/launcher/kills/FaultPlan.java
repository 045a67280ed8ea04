// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher.kills;

import java.util.List;

/**
 * The kills, the changes of servers and workers, and the random faults of a run.
 *
 * @param kills   that the user asked for.
 * @param downMs  how long killed processes stay away.
 * @param resizes servers that are added and drained, and workers that are added.
 * @param chaos   draws faults besides, or null.
 * @param copies  wanted of each partition, so that fewer servers must not be left.
 */
public record FaultPlan(List<KillOrder> kills, long downMs, List<ResizeOrder> resizes, Chaos chaos, int copies)
{
    /** Copies the lists. */
    public FaultPlan
    {
        kills = List.copyOf(kills);
        resizes = List.copyOf(resizes);
    }

    /** True if nothing happens. */
    public boolean isEmpty()
    {
        return kills.isEmpty() && resizes.isEmpty() && null == chaos;
    }
}
