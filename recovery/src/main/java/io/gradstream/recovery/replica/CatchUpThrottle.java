// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

/**
 * Slows a head down for a joiner that would not catch up otherwise. While the joiner reads a short part of the recorded
 * log for the first time, the head goes on at full speed. What was appended meanwhile may be more than the joiner's
 * queue holds. From the second reading on, and in a long first one, the head appends at most half as many bytes as the
 * joiner applies. Each reading is then shorter than the one before, as long as the joiner does not stand still. The
 * joiner would hold the head to its own pace anyhow as soon as it is a member.
 */
final class CatchUpThrottle
{
    /**
     * A joiner that applies nothing new for so long no longer holds back the head until it goes on. Of what the head
     * appends meanwhile, little counts afterwards: a head that had to make up for all would stand still for seconds.
     */
    static final long HOLD_LIMIT_NS = 100_000_000;

    /** Bytes of log above which the head is held back in the first reading, too. */
    static final long LONG_READING = 64 * 1024 * 1024;

    private int readings;
    private boolean isLong;
    private long readLength;
    private boolean isGrowing;
    private long appendedFrom;
    private long appliedFrom;
    private long applied;
    private long progressNs;
    private boolean isHolding;

    /** The joiner attaches, or is not linked any more. */
    void restart()
    {
        readings = 0;
        isLong = false;
        isGrowing = false;
        isHolding = false;
    }

    /**
     * The joiner is sent the recorded log up to its end.
     *
     * @param end        position at which the log ends now.
     * @param appliedNow position up to which the joiner has applied it.
     */
    void onReading(final long end, final long appliedNow)
    {
        readings++;
        isLong = end - appliedNow > LONG_READING;
        // the first reading may have waited, and its length says nothing of how fast the second came
        isGrowing = readings > 2 && end - appliedNow >= readLength;
        readLength = end - appliedNow;
        appendedFrom = end;
        appliedFrom = appliedNow;
    }

    /**
     * Compare the joiner's pace with the head's.
     *
     * @param end        position at which the log ends now.
     * @param appliedNow position up to which the joiner has applied it.
     */
    void update(final long end, final long appliedNow, final long nowNs)
    {
        if (appliedNow != applied)
        {
            applied = appliedNow;
            progressNs = nowNs;
        }
        final long allowed = (appliedNow - appliedFrom) / 2 + Downstream.JOIN_LAG;
        final boolean isStanding = nowNs - progressNs >= HOLD_LIMIT_NS;
        if (isStanding)
        {
            appendedFrom = Math.max(appendedFrom, end - allowed - Downstream.JOIN_LAG);
        }
        isHolding = (isLong || readings > 1) && !isStanding && end - appendedFrom > allowed &&
            end - appliedNow > Downstream.JOIN_LAG;
    }

    /** True if what the joiner is sent now is no less than what it was sent before. */
    boolean isGrowing()
    {
        return isGrowing;
    }

    /** True if the head is to take no pushes until the joiner has come closer. */
    boolean isHolding()
    {
        return isHolding;
    }
}
