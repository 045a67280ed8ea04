// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gradstream.cli.worker.WorkerSession;
import io.gradstream.launcher.process.StatusLine;
import org.HdrHistogram.Histogram;

/** The progress of all workers of a run, as they last reported it. */
final class WorkersProgress
{
    /** By slot, those that were added last. */
    private final List<WorkerProgress> workers;
    private final int firstCount;

    /** Progress before any of the first workers has reported. */
    WorkersProgress(final int count)
    {
        firstCount = count;
        workers = Stream.generate(WorkerProgress::new).limit(count).collect(Collectors.toCollection(ArrayList::new));
    }

    /** A worker joins, in the slot after the last one, and takes a part of what the others were to do. */
    void add()
    {
        workers.add(new WorkerProgress());
    }

    /** The batches of each worker that was added, in the order of slots. */
    List<Long> batchesOfAdded()
    {
        return workers.stream().skip(firstCount).map((worker) -> worker.batches).toList();
    }

    void onLine(final int slot, final StatusLine line)
    {
        workers.get(slot).onLine(line);
    }

    /** Rows of which processes that were replaced held gradients back, as they last said. */
    long rowsHeldLost()
    {
        return workers.stream().mapToLong((worker) -> worker.rowsHeldLost).sum();
    }

    int count()
    {
        return workers.size();
    }

    WorkerProgress of(final int slot)
    {
        return workers.get(slot);
    }

    /**
     * True if all of the first workers have begun. A worker that has not begun is not attached to every partition yet,
     * and would not notice that a partition was away.
     */
    boolean haveBegun()
    {
        return workers.stream().limit(firstCount).allMatch((worker) -> worker.hasBegun);
    }

    /**
     * True if the last batches are held back: no worker can do more, and some have finished where others have all that
     * is left. Workers that are all idle may be so because of a fault, and go on after it.
     */
    boolean areHeld()
    {
        return isAnyHeld() &&
            workers.stream().allMatch((worker) -> worker.isHeld || worker.isIdle || null != worker.result);
    }

    boolean isAnyHeld()
    {
        return workers.stream().anyMatch((worker) -> worker.isHeld);
    }

    boolean isAnyDone()
    {
        return workers.stream().anyMatch((worker) -> null != worker.result);
    }

    boolean areDone()
    {
        return workers.stream().allMatch((worker) -> null != worker.result);
    }

    /** Share of the planned batches that is pushed, 0 to 1; 0 while one of the first workers has not begun. */
    double shareDone()
    {
        final long planned = planned();
        return !haveBegun() || 0 == planned ? 0 : (double)batches() / planned;
    }

    long batches()
    {
        return workers.stream().mapToLong((worker) -> worker.batches).sum();
    }

    /** Batches of the whole run, all of which are shares of the first workers. */
    long planned()
    {
        return workers.stream().limit(firstCount).mapToLong((worker) -> worker.planned).sum();
    }

    long examples()
    {
        return workers.stream().mapToLong((worker) -> worker.examples).sum();
    }

    /** Mean of the recent losses of the workers that have computed one; NaN if none has. */
    double loss()
    {
        return workers.stream().filter((worker) -> worker.examples > 0)
            .mapToDouble((worker) -> worker.loss).average().orElse(Double.NaN);
    }

    /** Pulls whose staleness is known. */
    long stalenessPulls()
    {
        return workers.stream().mapToLong((worker) -> worker.stalenessPulls).sum();
    }

    /** Sum of the staleness of these pulls. */
    double stalenessSum()
    {
        return workers.stream().mapToDouble((worker) -> worker.stalenessPulls * worker.stalenessMean).sum();
    }

    /** Latencies of pushes, in ns, that were reported since the last call. */
    Histogram takePushes()
    {
        final Histogram all = WorkerSession.newIntervalHistogram();
        workers.forEach((worker) -> worker.takePushes(all));
        return all;
    }

    /** The result of each worker, in the order of slots; null for a worker that is at work. */
    List<WorkerResult> results()
    {
        return workers.stream().map((worker) -> worker.result).toList();
    }
}
