// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import io.gradstream.cli.worker.TrainingLoop;
import io.gradstream.cli.worker.WorkerSession;
import io.gradstream.launcher.process.StatusLine;
import org.HdrHistogram.Histogram;

/** The progress of one worker, as it last reported it. */
final class WorkerProgress
{
    private final Histogram pushes = WorkerSession.newIntervalHistogram();
    /** True if the worker has pushed, is about to, or has nothing left to push. */
    boolean hasBegun;
    /** True if the worker holds back its last batches. */
    boolean isHeld;
    /** True if others have all the batches that are left, or no batches could be given. */
    boolean isIdle;
    long batches;
    long planned;
    long examples;
    double loss;
    /** Pulls whose staleness the worker knows. */
    long stalenessPulls;
    /** Mean staleness of these pulls, in batches. */
    double stalenessMean;
    /** Rows of which its filters hold gradients back. */
    long rowsHeldNow;
    /** Rows of which processes before this one held gradients back, as they last said. */
    long rowsHeldLost;
    /** Result of the worker, or null while it is at work. */
    WorkerResult result;

    void onLine(final StatusLine line)
    {
        if (line.is(StatusLine.PROGRESS))
        {
            batches = line.number("batches");
            planned = line.number("planned");
            examples = line.number("examples");
            loss = line.decimal("loss");
            isHeld = Boolean.parseBoolean(line.text("held"));
            isIdle = Boolean.parseBoolean(line.text("idle"));
            // a worker with nothing left to do is as far as it will be
            hasBegun |= batches > 0 || isHeld || isIdle || 0 == planned;
            if (line.has(WorkerSession.INTERVAL_PUSHES))
            {
                pushes.add(WorkerResult.decode(line.text(WorkerSession.INTERVAL_PUSHES)));
            }
            rowsHeldNow = line.has(TrainingLoop.ROWS_HELD_NOW) ? line.number(TrainingLoop.ROWS_HELD_NOW) : 0;
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

    /** The process was replaced by another one: what it held back is lost. */
    void onRestart()
    {
        rowsHeldLost += rowsHeldNow;
        rowsHeldNow = 0;
        isHeld = false;
        isIdle = false;
    }

    /** Add the latencies of pushes reported since the last call, in ns. */
    void takePushes(final Histogram sum)
    {
        sum.add(pushes);
        pushes.reset();
    }
}
