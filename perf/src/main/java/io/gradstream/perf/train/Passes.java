// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.perf.measure.InterruptedRunException;

import java.util.concurrent.TimeUnit;
import java.util.function.IntToDoubleFunction;

/**
 * Passes of a loop over its data, as many as a time allows: a loop that learns nothing is not worth measuring.
 */
final class Passes
{
    private final IntToDoubleFunction loop;
    private double firstLoss = Double.NaN;
    private double lastLoss = Double.NaN;
    private int done;

    /**
     * None yet.
     *
     * @param loop does the pass of a number, from 0, and says its mean loss.
     */
    Passes(final IntToDoubleFunction loop)
    {
        this.loop = loop;
    }

    /** Do passes until a time is over; returns how many. */
    int trainFor(final int seconds)
    {
        final long beginNs = System.nanoTime();
        final int before = done;
        while (System.nanoTime() - beginNs < TimeUnit.SECONDS.toNanos(seconds))
        {
            lastLoss = loop.applyAsDouble(done);
            firstLoss = 0 == done ? lastLoss : firstLoss;
            done++;
            if (Thread.interrupted())
            {
                throw new InterruptedRunException();
            }
        }

        return done - before;
    }

    /**
     * Make sure that the last pass was better than the first.
     *
     * @throws IllegalStateException if it was not.
     */
    void checkLearned()
    {
        if (!(lastLoss < firstLoss))
        {
            throw new IllegalStateException(
                "nothing was learned in " + done + " passes: loss " + firstLoss + " first, " + lastLoss + " last");
        }
    }
}
