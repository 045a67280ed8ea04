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

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Sleep of a thread that waits for others of its process alone.
 */
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
