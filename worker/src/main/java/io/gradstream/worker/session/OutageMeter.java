// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

/**
 * Measures how long a worker could not reach some partition, and how much of that time the worker could not work.
 * <p>
 * The worker notices an outage late, but the outage begins when the partition was last heard of: time in which the
 * worker was blocked since then is counted too. During an outage only blocking that the outage causes counts: a pull
 * that waits for a partition within reach is as slow as ever.
 */
public final class OutageMeter
{
    private boolean isBlocked;
    private boolean isHeld;
    private boolean isOutage;
    private boolean isInTheWay;
    private long countedToNs;
    private long heardNs;
    private long blockedSinceHeardNs;
    private long outageNs;
    private long blockedNs;
    private long outages;

    public OutageMeter(final long nowNs)
    {
        countedToNs = nowNs;
        heardNs = nowNs;
    }

    /** The worker waits for a pull or for room in a spool (true), or goes on. */
    public void onBlocked(final boolean blocked, final long nowNs)
    {
        count(nowNs);
        isBlocked = blocked;
    }

    /** The worker may not go on for reasons of its caller (true), or may again. */
    public void onHeld(final boolean held, final long nowNs)
    {
        count(nowNs);
        isHeld = held;
    }

    /**
     * One duty cycle. The caller names the partition that has been silent for the longest time by when it was last
     * heard of.
     *
     * @param isUnreachable can some partition not be reached?
     */
    public void onTick(
        final boolean isUnreachable, final boolean isWaitedFor, final long oldestHeardNs, final long nowNs)
    {
        count(nowNs);
        isInTheWay = isWaitedFor;
        if (!isOutage && oldestHeardNs - heardNs > 0)
        {
            heardNs = oldestHeardNs;
            blockedSinceHeardNs = 0;
        }
        if (isUnreachable && !isOutage)
        {
            outages++;
            outageNs += nowNs - heardNs;
            blockedNs += Math.min(blockedSinceHeardNs, nowNs - heardNs);
        }
        else if (!isUnreachable && isOutage)
        {
            heardNs = nowNs;
            blockedSinceHeardNs = 0;
        }
        isOutage = isUnreachable;
    }

    public long outages()
    {
        return outages;
    }

    public long outageNs()
    {
        return outageNs;
    }

    /** The part of {@link #outageNs()} in which the worker was blocked. */
    public long blockedNs()
    {
        return blockedNs;
    }

    private void count(final long nowNs)
    {
        final long passedNs = nowNs - countedToNs;
        countedToNs = nowNs;
        if (isOutage)
        {
            outageNs += passedNs;
            blockedNs += isHeld || isBlocked && isInTheWay ? passedNs : 0;
        }
        else
        {
            blockedSinceHeardNs += isHeld || isBlocked ? passedNs : 0;
        }
    }
}
