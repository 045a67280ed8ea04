// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** Sleep of a thread that waits for others of its process alone. */
final class ParkedSleep implements Sleep
{
    private final AtomicBoolean isAsleep = new AtomicBoolean();
    private volatile Thread thread;

    @Override
    public void prepare()
    {
        thread = Thread.currentThread();
    }

    @Override
    public void nap(final long ns)
    {
        LockSupport.parkNanos(ns);
    }

    @Override
    public void sleep(final long maxNs)
    {
        LockSupport.parkNanos(maxNs);
    }

    @Override
    public void isAsleep(final boolean newIsAsleep)
    {
        isAsleep.set(newIsAsleep);
    }

    @Override
    public boolean isAsleep()
    {
        return isAsleep.get();
    }

    @Override
    public boolean rouse()
    {
        return isAsleep.get() && isAsleep.compareAndSet(true, false);
    }

    @Override
    public void wake()
    {
        LockSupport.unpark(thread);
    }
}
