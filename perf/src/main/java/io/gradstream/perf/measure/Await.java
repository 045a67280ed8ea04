// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.measure;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits on the caller's thread, which does its work meanwhile. */
public final class Await
{
    private Await()
    {
    }

    /**
     * Work until a condition is true.
     *
     * @throws IllegalStateException    if it does not become true in time.
     * @throws InterruptedRunException if the user wants the run to end.
     */
    public static void until(
        final String what, final long timeoutNs, final BooleanSupplier condition, final Runnable work)
    {
        final long beginNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            work.run();
            InterruptedRunException.check();
            if (System.nanoTime() - beginNs > timeoutNs)
            {
                throw new IllegalStateException("gave up waiting for " + what + " after " +
                    TimeUnit.NANOSECONDS.toSeconds(timeoutNs) + " s");
            }
        }
    }

    /** Work for a while. */
    public static void rest(final long durationNs, final Runnable work)
    {
        final long beginNs = System.nanoTime();
        until("the end of a rest", Long.MAX_VALUE, () -> System.nanoTime() - beginNs >= durationNs, work);
    }
}
