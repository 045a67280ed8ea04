// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;

import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * Waits for the blocking calls of a client. Every wait of a client goes through this one method, and nothing else of a
 * client blocks, sleeps or looks at a clock in a loop.
 * <p>
 * A simulator implements it by running the next step of its world until the condition holds. Some of these steps are
 * duty cycles of this client; others deliver messages, and advance the clock that the simulator gave to
 * {@link ClientContext#nanoClock(NanoClock)}. To end a simulated process, the strategy throws an {@link Error}: no code
 * of a client catches one, so it leaves the blocking call as it is. The client is then not called again, nor closed.
 */
@FunctionalInterface
public interface WaitStrategy
{
    /**
     * Do duty cycles of the client until a condition holds or the time is over. It is called on the caller's thread,
     * and does at least one duty cycle if the condition does not hold at once.
     *
     * @param condition  that ends the wait. It may be called any number of times, after each duty cycle at least. An
     *                   exception from it ends the wait, too.
     * @param deadlineNs time of the client's clock at which the wait is over.
     * @param dutyCycle  of the client; it returns how much was done. An exception from it ends the wait, too.
     * @return true if the condition holds; false if the time is over before, or the thread is interrupted.
     */
    boolean await(BooleanSupplier condition, long deadlineNs, IntSupplier dutyCycle);

    /**
     * The default: it polls the client, and idles after a duty cycle in which nothing was done.
     *
     * @param clock of the client.
     * @param idle  strategy for duty cycles in which nothing was done.
     * @return a strategy for one client.
     */
    static WaitStrategy polling(final NanoClock clock, final IdleStrategy idle)
    {
        return (condition, deadlineNs, dutyCycle) ->
        {
            idle.reset();
            while (!condition.getAsBoolean())
            {
                idle.idle(dutyCycle.getAsInt());
                if (clock.nanoTime() - deadlineNs >= 0 || Thread.currentThread().isInterrupted())
                {
                    return condition.getAsBoolean();
                }
            }

            return true;
        };
    }
}
