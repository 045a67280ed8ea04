// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.coordinator;

import io.gradstream.simulator.world.World;

import java.util.Arrays;

/**
 * Until when what nodes say does not reach the coordinators, and what those say does not reach nodes: it comes later.
 */
public final class CoordinatorCuts
{
    private final World world;
    private final long[] toUntilNs;
    private final long[] fromUntilNs;

    CoordinatorCuts(final World world)
    {
        this.world = world;
        toUntilNs = new long[world.config().seats()];
        fromUntilNs = new long[world.config().seats()];
    }

    /** Delays what the coordinators say to a node. */
    public void split(final int nodeId, final long durationNs)
    {
        toUntilNs[nodeId] = Math.max(toUntilNs[nodeId], world.events().nowNs() + durationNs);
    }

    /** Delays what a node says to the coordinators. */
    public void mute(final int nodeId, final long durationNs)
    {
        fromUntilNs[nodeId] = Math.max(fromUntilNs[nodeId], world.events().nowNs() + durationNs);
    }

    /** For how long some node will be cut off, one way or both. */
    public long leftNs()
    {
        final long untilNs = Math.max(Arrays.stream(toUntilNs).max().orElse(0),
            Arrays.stream(fromUntilNs).max().orElse(0));
        return Math.max(0, untilNs - world.events().nowNs());
    }

    /** For how long nothing gets to a node; 0 for a worker. */
    long toNs(final int nodeId)
    {
        return nodeId < 0 ? 0 : Math.max(0, toUntilNs[nodeId] - world.events().nowNs());
    }

    /** For how long nothing comes from a node; 0 for a worker. */
    long fromNs(final int nodeId)
    {
        return nodeId < 0 ? 0 : Math.max(0, fromUntilNs[nodeId] - world.events().nowNs());
    }
}
