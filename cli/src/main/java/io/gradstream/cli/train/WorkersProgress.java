// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.util.ArrayList;
import java.util.List;

import io.gradstream.cli.worker.WorkerSession;
import io.gradstream.launcher.process.StatusLine;
import org.HdrHistogram.Histogram;

/**
 * How far all workers of a run are, as they last said.
 */
final class WorkersProgress
{
    private final List<WorkerProgress> workers = new ArrayList<>();

    /** Nobody has said anything. */
    WorkersProgress(final int count)
    {
        for (int slot = 0; slot < count; slot++)
        {
            workers.add(new WorkerProgress());
        }
    }

    void onLine(final int slot, final StatusLine line)
    {
        workers.get(slot).onLine(line);
    }

    int count()
    {
        return workers.size();
    }

    WorkerProgress of(final int slot)
    {
        return workers.get(slot);
    }

    /** One that has not is not attached to every partition yet: it would not notice that one was away. */
    boolean haveBegun()
    {
        return workers.stream().allMatch(WorkerProgress::hasBegun);
    }

    boolean areHeld()
    {
        return workers.stream().allMatch(WorkerProgress::isHeld);
    }

    boolean isAnyHeld()
    {
        return workers.stream().anyMatch(WorkerProgress::isHeld);
    }

    boolean areDone()
    {
        return workers.stream().allMatch((worker) -> null != worker.result());
    }

    /** Batches pushed, of those planned, 0 to 1; 0 while one has not begun. */
    double shareDone()
    {
        final long planned = planned();
        return !haveBegun() || 0 == planned ? 0 : (double)batches() / planned;
    }

    long batches()
    {
        return workers.stream().mapToLong(WorkerProgress::batches).sum();
    }

    long planned()
    {
        return workers.stream().mapToLong(WorkerProgress::planned).sum();
    }

    long examples()
    {
        return workers.stream().mapToLong(WorkerProgress::examples).sum();
    }

    /** Mean of the recent losses of those that have computed one; NaN if none has. */
    double loss()
    {
        return workers.stream().filter((worker) -> worker.examples() > 0)
            .mapToDouble(WorkerProgress::loss).average().orElse(Double.NaN);
    }

    /** Pulls whose staleness is known. */
    long stalenessPulls()
    {
        return workers.stream().mapToLong(WorkerProgress::stalenessPulls).sum();
    }

    /** Sum of the staleness of these pulls. */
    double stalenessSum()
    {
        return workers.stream().mapToDouble((worker) -> worker.stalenessPulls() * worker.stalenessMean()).sum();
    }

    /** Latencies of pushes, in ns, that were told of since the last call. */
    Histogram takePushes()
    {
        final Histogram all = WorkerSession.newIntervalHistogram();
        workers.forEach((worker) -> worker.takePushes(all));
        return all;
    }

    /** What each did, in the order of slots; null for one that is at work. */
    List<WorkerResult> results()
    {
        final List<WorkerResult> results = new ArrayList<>();
        workers.forEach((worker) -> results.add(worker.result()));
        return results;
    }
}
