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
 * @param clock       iterations of the slot that have ended, acknowledged or not.
 * @param ackedClock  iterations before the first one that has not ended or whose pushes are not acknowledged.
 * @param wanted      batches from {@code ackedClock} on that the worker wants to hold; it may be given more, by less
 *                    than a unit.
 * @param isLeaving   true if the worker gives back what it has not done; it is given nothing more of this work. All
 *                    that it has done must be acknowledged.
 */
public record WorkReport(
    int slot, long incarnation, WorkSpec spec, long clock, long ackedClock, int wanted, boolean isLeaving)
{
    /** Largest clock: that of a slot which has finished is none. */
    public static final long MAX_CLOCK = Long.MAX_VALUE / 2;

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
        Check.that(!isLeaving || clock == ackedClock, "ackedClock", ackedClock, "the clock of a slot that leaves");
    }
}
