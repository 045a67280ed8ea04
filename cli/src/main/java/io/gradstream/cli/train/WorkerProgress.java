// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import io.gradstream.cli.worker.WorkerSession;
import io.gradstream.launcher.process.StatusLine;
import org.HdrHistogram.Histogram;

/**
 * How far one worker is, as it last said.
 */
final class WorkerProgress
{
    private boolean hasBegun;
    private boolean isHeld;
    private long batches;
    private long planned;
    private long examples;
    private double loss;
    private final Histogram pushes = WorkerSession.newIntervalHistogram();
    private long stalenessPulls;
    private double stalenessMean;
    private WorkerResult result;

    void onLine(final StatusLine line)
    {
        if (line.is(StatusLine.PROGRESS))
        {
            batches = line.number("batches");
            planned = line.number("planned");
            examples = line.number("examples");
            loss = line.decimal("loss");
            isHeld = Boolean.parseBoolean(line.text("held"));
            // one with nothing left to do is as far as it will be
            hasBegun |= batches > 0 || isHeld || 0 == planned;
            if (line.has(WorkerSession.INTERVAL_PUSHES))
            {
                pushes.add(WorkerResult.decode(line.text(WorkerSession.INTERVAL_PUSHES)));
            }
            if (line.has(WorkerSession.STALENESS_MEAN))
            {
                stalenessPulls = line.number(WorkerSession.PULLS);
                stalenessMean = line.decimal(WorkerSession.STALENESS_MEAN);
            }
        }
        else if (line.is(StatusLine.RESULT))
        {
            result = WorkerResult.of(line);
            hasBegun = true;
        }
    }

    /** Has it pushed, or is it about to? */
    boolean hasBegun()
    {
        return hasBegun;
    }

    /** Is it holding back its last batches? */
    boolean isHeld()
    {
        return isHeld;
    }

    /** Another process has its slot now. */
    void onRestart()
    {
        isHeld = false;
    }

    /** It was let go on. */
    void onStep()
    {
        isHeld = false;
    }

    long batches()
    {
        return batches;
    }

    long planned()
    {
        return planned;
    }

    long examples()
    {
        return examples;
    }

    double loss()
    {
        return loss;
    }

    /** Pulls whose staleness it knows. */
    long stalenessPulls()
    {
        return stalenessPulls;
    }

    /** Mean staleness of these, in batches. */
    double stalenessMean()
    {
        return stalenessMean;
    }

    /**
     * Add the latencies of pushes told of since the last call, in ns.
     */
    void takePushes(final Histogram sum)
    {
        sum.add(pushes);
        pushes.reset();
    }

    /** What it did, or null while it is at work. */
    WorkerResult result()
    {
        return result;
    }
}
