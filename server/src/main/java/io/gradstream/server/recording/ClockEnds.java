// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.recording;

import io.gradstream.codecs.Consistency;
import io.gradstream.server.partition.Partition;

import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Where a partition's log stood when the last slot ended each iteration, noted while the log is applied: the records
 * behind which a running export begins.
 */
public final class ClockEnds
{
    /** Most iterations whose ends are remembered: the newest. */
    private static final int MOST_CLOCKS = 1 << 16;

    private final Partition partition;
    private final TreeMap<Long, Long> positions = new TreeMap<>();
    private Consistency consistency;
    private long clock;

    /**
     * Begin with the state as it is. Where sums are applied it is that of an iteration itself.
     *
     * @param partition to which records are about to be applied.
     */
    public ClockEnds(final Partition partition)
    {
        this.partition = partition;
        consistency = partition.consistency();
        clock = partition.minClock();
        if (consistency.isSequential() && partition.isOfItsClock() && clock > 0)
        {
            positions.put(clock, partition.cursor().position());
        }
    }

    /** A record was applied. */
    public void onApplied()
    {
        final long before = clock;
        final boolean wasSequential = consistency.isSequential();
        clock = partition.minClock();
        consistency = partition.consistency();
        if (clock < before || consistency.isSequential() && !wasSequential)
        {
            // what was ended before was ended by fewer slots, or with more in it than is promised now
            positions.clear();
        }
        if (clock > before && partition.hasEndedItsClock() && partition.isOfItsClock())
        {
            positions.put(clock, partition.cursor().position());
            if (positions.size() > MOST_CLOCKS)
            {
                positions.pollFirstEntry();
            }
        }
    }

    /**
     * What was noted: since the state with which it began, since slots count that had ended fewer iterations, and since
     * the bound was set to 0 if it is.
     *
     * @return by iteration the position.
     */
    public NavigableMap<Long, Long> positions()
    {
        return positions;
    }
}
