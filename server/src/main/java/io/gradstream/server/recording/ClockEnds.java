// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.recording;

import io.gradstream.codecs.Consistency;
import io.gradstream.server.partition.Partition;

import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The positions of a partition's log at which the last slot ended each iteration, noted while the log is applied: a
 * running export begins after the records that end there.
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
     * Begin with the state as it is. Where sums are applied, that is itself the state of an iteration.
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
            // earlier iterations were ended by fewer slots, or their state held more than is promised now
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
     * The positions noted since the latest of three moments: the state with which this began; the record from which on
     * slots count that had ended fewer iterations; and, if the bound is 0, the record that set it to 0.
     *
     * @return positions by iteration.
     */
    public NavigableMap<Long, Long> positions()
    {
        return positions;
    }
}
