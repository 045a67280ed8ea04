// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;

import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Lets a thread of an {@link WakeupGroup} wait. For a while after work the thread looks again each time that others had
 * the processor. Then it sleeps until the group wakes it, at the longest for a given time. A thread that nobody wakes
 * dozes instead, in naps that grow.
 * <p>
 * It never spins: where threads share a core, a thread that spins keeps it from the thread whose work it waits for.
 */
final class ParkingIdleStrategy implements IdleStrategy
{
    private enum State
    {
        /** It looks again once others had the processor; but sleeps at once if work has come seldom. */
        WATCH,
        /** It naps between looks. */
        DOZE,
        /** It looks once more, because what comes from now on wakes it, and what came before does not. */
        LAST_LOOK,
        /** It sleeps until it is woken. */
        SLEEP
    }

    /** For how long it watches, unless its group says otherwise: naps and wakes cost each hop of a message 60 us. */
    static final long WATCH_NS = TimeUnit.MICROSECONDS.toNanos(500);

    /** Nap, in place of a yield, of one whose work nobody waits for: it asks for a core less often. */
    static final long PATIENT_NAP_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final long MIN_NAP_NS = 1_000;
    /** A nap is such a part of the time since there was work, so that it adds little to that. */
    private static final int QUIET_TIME_PER_NAP = 64;
    /** Time without work after which work is taken for an event of its own: no other is expected soon. */
    static final long ISOLATING_NS = TimeUnit.MILLISECONDS.toNanos(2);

    /** Longest time for which one that is woken in vain is not woken again. */
    private static final long MAX_VAIN_NAP_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final WakeupGroup group;
    private final Sleep sleep;
    private final long maxSleepNs;
    private final BooleanSupplier isHurried;
    private final BooleanSupplier isPatient;
    private final NanoClock clock;
    private final long maxDozeNs;
    private final long maxVainNapNs;
    private State state = State.WATCH;
    private boolean isQuiet;
    private long quietSinceNs;
    private long vainNapNs = MIN_NAP_NS;
    private boolean isIsolated;
    private boolean isPrepared;

    ParkingIdleStrategy(
        final WakeupGroup group,
        final Sleep sleep,
        final long maxSleepNs,
        final long maxDozeNs,
        final BooleanSupplier isHurried,
        final BooleanSupplier isPatient,
        final NanoClock clock)
    {
        this.group = group;
        this.sleep = sleep;
        this.maxSleepNs = maxSleepNs;
        this.isHurried = isHurried;
        this.isPatient = isPatient;
        this.clock = clock;
        this.maxDozeNs = Math.min(maxSleepNs, maxDozeNs);
        maxVainNapNs = Math.min(maxSleepNs, MAX_VAIN_NAP_NS);
    }

    @Override
    public void idle(final int workCount)
    {
        if (workCount > 0)
        {
            reset();
            group.onWork(this);
        }
        else
        {
            await();
        }
    }

    /** Called by loops of Aeron's own, which do not say whether they gave others work. */
    @Override
    public void idle()
    {
        group.onWork(this);
        await();
    }

    @Override
    public void reset()
    {
        isIsolated = false;
        if (State.WATCH != state)
        {
            isIsolated = clock.nanoTime() - quietSinceNs >= ISOLATING_NS;
            sleep.isAsleep(false);
            vainNapNs = MIN_NAP_NS;
            state = State.WATCH;
        }
        isQuiet = false;
    }

    /** End its sleep, if it sleeps or is about to. */
    void wake()
    {
        if (sleep.rouse())
        {
            sleep.wake();
        }
    }

    private void await()
    {
        switch (state)
        {
            case WATCH -> watch();
            case DOZE -> doze();
            case LAST_LOOK -> sleep();
            case SLEEP -> sleepOn();
        }
    }

    private void watch()
    {
        final long nowNs = clock.nanoTime();
        if (!isQuiet)
        {
            isQuiet = true;
            quietSinceNs = nowNs;
        }
        if (isIsolated || nowNs - quietSinceNs >= group.watchNs())
        {
            calmDown();
        }
        else if (isPatient.getAsBoolean())
        {
            prepare();
            sleep.nap(PATIENT_NAP_NS);
        }
        else
        {
            Thread.yield();
        }
    }

    private void calmDown()
    {
        prepare();
        if (isDozing())
        {
            state = State.DOZE;
        }
        else
        {
            lookOnceMore();
        }
    }

    private void doze()
    {
        final long quietNs = clock.nanoTime() - quietSinceNs;
        sleep.nap(Math.min(maxDozeNs, Math.max(MIN_NAP_NS, quietNs / QUIET_TIME_PER_NAP)));
        if (!isDozing())
        {
            lookOnceMore();
        }
    }

    private boolean isDozing()
    {
        return maxSleepNs <= maxDozeNs || isHurried.getAsBoolean();
    }

    private void lookOnceMore()
    {
        sleep.isAsleep(true);
        VarHandle.fullFence();
        state = State.LAST_LOOK;
    }

    private void sleep()
    {
        state = State.SLEEP;
        sleepOn();
    }

    private void sleepOn()
    {
        if (sleep.isAsleep())
        {
            sleep.sleep(maxSleepNs);
            return;
        }

        // woken in vain: it may be that nothing of what the others do is for this thread
        sleep.nap(vainNapNs);
        vainNapNs = Math.min(2 * vainNapNs, maxVainNapNs);
        lookOnceMore();
    }

    /** On the thread itself, which only now is known. */
    private void prepare()
    {
        if (!isPrepared)
        {
            isPrepared = true;
            sleep.prepare();
        }
    }
}
