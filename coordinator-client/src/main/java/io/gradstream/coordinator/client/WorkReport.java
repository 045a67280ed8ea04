// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.client;

import io.gradstream.codecs.Check;
import io.gradstream.codecs.Consistency;

/**
 * All that a worker says of the work of its slot. A report that is lost is made good by the next.
 *
 * @param slot        of the worker.
 * @param incarnation of its process in that slot.
 * @param spec        the work; the first report that names it begins it.
 * @param found       the slot as the process has found it, the same in all its reports.
 * @param clock       iterations of the slot that have ended, acknowledged or not.
 * @param ackedClock  iterations before the first one that has not ended or whose pushes are not acknowledged.
 * @param wanted      batches from {@code ackedClock} on that the worker wants to hold; it may be given more, by less
 *                    than a unit.
 * @param isLeaving   true if the worker gives back what it has not done; it is given nothing more of this work. All
 *                    that it has done must be acknowledged.
 * @param isFinishing true if the worker leaves and its slot is about to finish for good, so that in a bounded job, too,
 *                    others do what the slot has not done.
 */
public record WorkReport(
    int slot,
    long incarnation,
    WorkSpec spec,
    Found found,
    long clock,
    long ackedClock,
    int wanted,
    boolean isLeaving,
    boolean isFinishing)
{
    /** Largest clock: that of a slot which has finished is none. */
    public static final long MAX_CLOCK = Long.MAX_VALUE / 2;

    /**
     * The slot as a process finds it whose work begins. Partitions may have the batches from {@code wholeClock} to
     * {@code beginClock} in part. Nobody does these again: partitions that have them would have them twice.
     *
     * @param predecessor newest process before this one that has pushed anything in the slot, 0 if none has.
     * @param wholeClock  iterations that the slot has ended at every partition.
     * @param beginClock  clock after the last iteration of which any partition may have a part.
     */
    public record Found(long predecessor, long wholeClock, long beginClock)
    {
        /**
         * Checks the values.
         *
         * @throws IllegalArgumentException naming the one that is wrong, and what is allowed.
         */
        public Found
        {
            Check.atLeast("predecessor", predecessor, 0);
            Check.range("beginClock", beginClock, 0, MAX_CLOCK);
            Check.range("wholeClock", wholeClock, 0, beginClock);
        }
    }

    /** A report of a process that has found its acknowledged clock at every partition, and nothing after it. */
    public WorkReport(
        final int slot,
        final long incarnation,
        final WorkSpec spec,
        final long clock,
        final long ackedClock,
        final int wanted,
        final boolean isLeaving)
    {
        this(slot, incarnation, spec, new Found(0, ackedClock, ackedClock), clock, ackedClock, wanted, isLeaving,
            false);
    }

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException naming the one that is wrong, and what is allowed.
     */
    public WorkReport
    {
        Check.range("slot", slot, 0, Consistency.MAX_SLOTS - 1);
        Check.atLeast("incarnation", incarnation, 1);
        Check.range("clock", clock, 0, MAX_CLOCK);
        Check.range("ackedClock", ackedClock, 0, clock);
        Check.atLeast("wanted", wanted, 0);
        Check.that(!isFinishing || isLeaving, "isLeaving", isLeaving, "true for a slot that finishes");
        Check.that(!isLeaving || clock == ackedClock, "ackedClock", ackedClock, "the clock of a slot that leaves");
    }
}
