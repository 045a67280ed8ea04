/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.driver;

import org.agrona.concurrent.IdleStrategy;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How a thread of an {@link IdleGroup} waits: it spins and yields, then dozes in naps that grow, and after a while
 * without work sleeps until the group wakes it, at the longest for a given time.
 */
final class DozingIdleStrategy implements IdleStrategy
{
    private enum State
    {
        /** It looks again at once; but sleeps at once if work has come seldom. */
        SPIN,
        /** It looks again once others had the processor. */
        YIELD,
        /** It naps between looks. */
        DOZE,
        /** It looks once more, because what comes from now on wakes it, and what came before does not. */
        LAST_LOOK,
        /** It sleeps until it is woken. */
        SLEEP
    }

    private static final int MAX_SPINS = 10;
    private static final int MAX_YIELDS = 10;
    private static final long MIN_DOZE_NS = 1_000;
    /** Naps after which it sleeps: about a millisecond without work, since a nap lasts 50 us longer than asked for. */
    private static final int MAX_NAPS = 10;
    /** Sleeps after which work that comes is taken for an event of its own: no other is expected soon. */
    private static final int ISOLATING_SLEEPS = 3;
    /** Longest time for which one that is woken in vain is not woken again. */
    private static final long MAX_VAIN_NAP_NS = 1_000_000;

    private final AtomicBoolean isAsleep = new AtomicBoolean();
    private final IdleGroup group;
    private final Sleep sleep;
    private final long maxSleepNs;
    private final long maxDozeNs;
    private State state = State.SPIN;
    /** Spins, yields or naps in this state. */
    private int count;
    private long napNs;
    private long vainNapNs = MIN_DOZE_NS;
    /** Since there was work. */
    private int sleeps;
    private boolean isIsolated;
    private boolean isPrepared;

    DozingIdleStrategy(final IdleGroup group, final Sleep sleep, final long maxSleepNs)
    {
        this.group = group;
        this.sleep = sleep;
        this.maxSleepNs = maxSleepNs;
        maxDozeNs = Math.min(maxSleepNs, IdleGroup.MAX_DOZE_NS);
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
            idle();
        }
    }

    @Override
    public void idle()
    {
        switch (state)
        {
            case SPIN -> spin();
            case YIELD -> yieldProcessor();
            case DOZE -> doze();
            case LAST_LOOK -> sleep();
            case SLEEP -> sleepOn();
        }
    }

    @Override
    public void reset()
    {
        if (State.SPIN != state)
        {
            isIsolated = sleeps >= ISOLATING_SLEEPS;
            sleeps = 0;
            isAsleep.set(false);
            vainNapNs = MIN_DOZE_NS;
            state(State.SPIN);
        }
        count = 0;
    }

    /** End its sleep, if it sleeps or is about to. */
    void wake()
    {
        if (isAsleep.get() && isAsleep.compareAndSet(true, false))
        {
            sleep.wake();
        }
    }

    private void spin()
    {
        if (isIsolated)
        {
            lookOnceMore();
            return;
        }
        Thread.onSpinWait();
        if (++count > MAX_SPINS)
        {
            state(State.YIELD);
        }
    }

    private void yieldProcessor()
    {
        Thread.yield();
        if (++count > MAX_YIELDS)
        {
            prepare();
            napNs = MIN_DOZE_NS;
            state(State.DOZE);
        }
    }

    private void doze()
    {
        sleep.nap(napNs);
        napNs = Math.min(2 * napNs, maxDozeNs);
        if (++count > MAX_NAPS && maxSleepNs > maxDozeNs)
        {
            lookOnceMore();
        }
    }

    private void lookOnceMore()
    {
        isAsleep.set(true);
        state(State.LAST_LOOK);
    }

    private void sleep()
    {
        state(State.SLEEP);
        sleepOn();
    }

    private void sleepOn()
    {
        if (isAsleep.get())
        {
            sleeps++;
            sleep.sleep(maxSleepNs);
            return;
        }

        // woken in vain: it may be that nothing of what the others do is for this thread
        sleep.nap(vainNapNs);
        vainNapNs = Math.min(2 * vainNapNs, MAX_VAIN_NAP_NS);
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

    private void state(final State newState)
    {
        state = newState;
        count = 0;
    }
}
