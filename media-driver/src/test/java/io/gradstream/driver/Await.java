// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver;

import java.util.function.BooleanSupplier;

/**
 * Waits for a condition, for a limited time.
 */
final class Await
{
    private Await()
    {
    }

    static void until(final long timeoutNs, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new AssertionError("not reached within " + timeoutNs + " ns");
            }
            Thread.yield();
        }
    }
}
