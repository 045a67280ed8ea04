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
