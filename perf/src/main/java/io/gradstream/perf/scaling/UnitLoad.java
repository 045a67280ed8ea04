// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.scaling;

import io.gradstream.coordinator.client.WorkSpec;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Units;
import io.gradstream.worker.work.WorkUnit;

import java.util.concurrent.TimeUnit;

/** A worker that ends one batch of shared work after the other, at a fixed rate, and pushes nothing. */
final class UnitLoad
{
    private static final long BATCH_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final GradstreamClient client;
    private final Units units;
    private long dueNs;
    private int left;

    UnitLoad(final GradstreamClient client, final WorkSpec spec)
    {
        this.client = client;
        units = client.units(spec);
    }

    void doWork(final long nowNs)
    {
        if (left > 0 && nowNs - dueNs >= 0)
        {
            client.clock();
            left--;
        }
        if (0 == left)
        {
            // taken when it begins: the client judges by the time from here to the clock how much to ask for
            final WorkUnit unit = units.tryNext();
            left = null == unit ? 0 : unit.batches();
            dueNs = nowNs + BATCH_NS;
        }
    }

    /** Batches that all workers have ended. */
    long done()
    {
        return units.batchesDone();
    }
}
