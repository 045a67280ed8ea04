// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The threads of one process that hand each other work: driver, Archive and node, or the parts of a coordinator. A
 * thread that finds no work for a while sleeps. A thread that did some wakes those that sleep, since it may have left
 * some for them. So an idle process costs next to nothing, and yet none of its threads answers late.
 * <p>
 * Work that comes from other processes through shared memory wakes nobody: it waits for the end of a sleep, unless the
 * other process rings the driver's {@link io.gradstream.driver.client.DriverDoorbell}.
 */
public final class WakeupGroup
{
    /** Longest sleep of a thread that is given work by somebody who does not wake it. */
    static final long MAX_DOZE_NS = TimeUnit.MICROSECONDS.toNanos(100);

    /** For how long a patient member is quick once it was told to hurry. */
    static final long HURRY_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** For how long threads watch in a process that is seldom asked, such as a coordinator. */
    static final long SHORT_WATCH_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final NanoClock clock;
    private volatile long watchNs = ParkingIdleStrategy.WATCH_NS;
    private volatile ParkingIdleStrategy[] members = {};
    private volatile long hurriedNs;

    /** A group of nobody yet. */
    public WakeupGroup()
    {
        this(SystemNanoClock.INSTANCE);
    }

    WakeupGroup(final NanoClock clock)
    {
        this.clock = clock;
        hurriedNs = clock.nanoTime() - HURRY_NS;
    }

    /** Let the threads watch for this long after work, in nanoseconds. */
    void watchFor(final long newWatchNs)
    {
        watchNs = newWatchNs;
    }

    long watchNs()
    {
        return watchNs;
    }

    /** Somebody waits for what patient members do: for a while they are as quick as the others. */
    public void hurry()
    {
        hurriedNs = clock.nanoTime();
    }

    /**
     * The idle strategy of another thread of the group.
     *
     * @param maxSleepNs longest sleep in nanoseconds, after which it looks for work unless woken before.
     * @return a new strategy, for one thread.
     */
    public IdleStrategy join(final long maxSleepNs)
    {
        return join(maxSleepNs, () -> false);
    }

    /**
     * As {@link #join(long)}, for a thread to whom at times another process gives work.
     *
     * @param maxSleepNs longest sleep in nanoseconds.
     * @param isHurried  asked by the thread itself: true if somebody who does not wake it may give it work now. Then it
     *                   naps.
     * @return a new strategy, for one thread.
     */
    public IdleStrategy join(final long maxSleepNs, final BooleanSupplier isHurried)
    {
        return join(new ParkedSleep(), maxSleepNs, isHurried);
    }

    /**
     * As {@link #join(long)}, for a thread whose work mostly nobody waits for: after a pause it takes it up at once,
     * but naps in place of watching, unless told to {@link #hurry()}.
     *
     * @param maxSleepNs longest sleep in nanoseconds.
     * @return a new strategy, for one thread.
     */
    IdleStrategy joinPatiently(final long maxSleepNs)
    {
        return joinPatiently(new ParkedSleep(), maxSleepNs);
    }

    /** As {@link #joinPatiently(long)}, with another way to sleep. */
    IdleStrategy joinPatiently(final Sleep sleep, final long maxSleepNs)
    {
        return join(sleep, maxSleepNs, () -> false, () -> clock.nanoTime() - hurriedNs >= HURRY_NS);
    }

    /**
     * The idle strategy of a thread that leaves work for the group, but is never woken by it: what the group does is
     * seldom for this thread.
     *
     * @param maxSleepNs longest nap in nanoseconds, once there was no work for a while.
     * @return a new strategy, for one thread.
     */
    IdleStrategy announce(final long maxSleepNs)
    {
        return new ParkingIdleStrategy(this, new ParkedSleep(), maxSleepNs, maxSleepNs, () -> true, () -> false, clock);
    }

    /**
     * The idle strategy of a thread that waits for the others in a loop of Aeron's own, which does not say when it gave
     * them work: the strategy wakes them with each look.
     *
     * @return a new strategy, for one thread.
     */
    IdleStrategy await()
    {
        return new AwaitingIdleStrategy(this);
    }

    /** As {@link #join(long)}, with another way to sleep. */
    IdleStrategy join(final Sleep sleep, final long maxSleepNs)
    {
        return join(sleep, maxSleepNs, () -> false);
    }

    /** As {@link #join(long, BooleanSupplier)}, with another way to sleep. */
    IdleStrategy join(final Sleep sleep, final long maxSleepNs, final BooleanSupplier isHurried)
    {
        return join(sleep, maxSleepNs, isHurried, () -> false);
    }

    private synchronized IdleStrategy join(
        final Sleep sleep, final long maxSleepNs, final BooleanSupplier isHurried, final BooleanSupplier isPatient)
    {
        final ParkingIdleStrategy member =
            new ParkingIdleStrategy(this, sleep, maxSleepNs, MAX_DOZE_NS, isHurried, isPatient, clock);
        final ParkingIdleStrategy[] more = Arrays.copyOf(members, members.length + 1);
        more[members.length] = member;
        members = more;

        return member;
    }

    /** A member, or null if it was none, did some work: wake the others. */
    void onWork(final ParkingIdleStrategy worker)
    {
        // what it has left for the others must be seen by one that is told now to go to sleep
        VarHandle.fullFence();
        for (final ParkingIdleStrategy member : members)
        {
            if (member != worker)
            {
                member.wake();
            }
        }
    }
}
