// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.perf.measure.InterruptedRunException;
import io.gradstream.perf.measure.MachineLoad;
import io.gradstream.perf.report.RunOptions;

import java.lang.management.ManagementFactory;
import java.util.function.DoubleSupplier;
import java.util.function.IntToDoubleFunction;
import java.util.function.LongSupplier;

/** Passes of a loop over its data, as many as a time allows: a loop that learns nothing is not worth measuring. */
final class Passes
{
    /** Passes after which what was learned is tested. */
    static final int TESTED_AFTER = 20;

    private final IntToDoubleFunction loop;
    private DoubleSupplier test = () -> Double.NaN;
    private boolean hasTest;
    private double testError = Double.NaN;
    private double firstLoss = Double.NaN;
    private double lastLoss = Double.NaN;
    private int done;

    /** None yet; the loop does the pass of a number, from 0, and says its mean loss. */
    Passes(final IntToDoubleFunction loop)
    {
        this.loop = loop;
    }

    /** Compute an error on data that are not trained, after {@link #TESTED_AFTER} passes, before any that count. */
    Passes evaluatedBy(final DoubleSupplier newTest)
    {
        test = newTest;
        hasTest = true;
        return this;
    }

    /** Do passes until a time is over; returns how many. */
    int trainFor(final long durationNs)
    {
        final long beginNs = System.nanoTime();
        final int before = done;
        while (System.nanoTime() - beginNs < durationNs)
        {
            lastLoss = loop.applyAsDouble(done);
            firstLoss = 0 == done ? lastLoss : firstLoss;
            done++;
            if (TESTED_AFTER == done)
            {
                testError = test.getAsDouble();
            }
            InterruptedRunException.check();
        }

        return done - before;
    }

    /**
     * Do passes for the warm-up, which lasts until the test, and then those that count.
     *
     * @param examples of a pass.
     * @param cpuNs    processor time until now of all that trains, in nanoseconds.
     * @param serverNs processor time of servers that is part of it.
     * @param drain    waits until all that was done counts.
     * @throws IllegalStateException if nothing was learned.
     */
    TrainingRate measure(
        final RunOptions settings,
        final double examples,
        final LongSupplier cpuNs,
        final LongSupplier serverNs,
        final Runnable drain)
    {
        trainFor(settings.warmupNs());
        while (hasTest && done < TESTED_AFTER)
        {
            trainFor(1);
        }
        drain.run();
        final MachineLoad.Meter machine = new MachineLoad.Meter();
        final long beginServerNs = serverNs.getAsLong();
        final long beginCpuNs = cpuNs.getAsLong();
        final long beginNs = System.nanoTime();
        final int passes = trainFor(settings.windowNs());
        drain.run();
        final TrainingRate rate = TrainingRate.of(
            examples * passes, System.nanoTime() - beginNs, cpuNs.getAsLong() - beginCpuNs,
            serverNs.getAsLong() - beginServerNs, testError, machine.read());
        checkLearned();

        return rate;
    }

    /** Processor time of the calling thread in nanoseconds. */
    static long threadCpuNs()
    {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
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
