// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.gradstream.perf.measure.Transceiver;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;

/**
 * A load, and next to it another worker for which the server takes one snapshot after the other. This worker asks for
 * the snapshots: each of its pushes waits until two snapshots hold it.
 */
final class BesideSnapshots implements Transceiver
{
    /** One push outstanding is half of it, with which a worker asks. */
    static final int MAX_IN_FLIGHT = 2;

    private static final float[] ZERO = {0};

    private final Transceiver load;
    private final GradstreamClient asker;
    private final Table asked;
    private long ticket = GradstreamClient.NOT_NOW;
    private long snapshotted;

    /**
     * Nothing was asked for yet.
     *
     * @param asker whose pushes wait to be snapshotted, {@link #MAX_IN_FLIGHT} of them at most.
     * @param asked its table, of one float a row.
     */
    BesideSnapshots(final Transceiver load, final GradstreamClient asker, final Table asked)
    {
        this.load = load;
        this.asker = asker;
        this.asked = asked;
    }

    @Override
    public boolean tryStart()
    {
        return load.tryStart();
    }

    @Override
    public int poll()
    {
        final int workCount = load.poll() + asker.poll();
        if (GradstreamClient.NOT_NOW == ticket || asker.isDone(ticket))
        {
            snapshotted += GradstreamClient.NOT_NOW == ticket ? 0 : 1;
            ticket = asked.tryPushRange(0, 1, ZERO);
        }

        return workCount;
    }

    /** Let the last snapshots come to their end. */
    void awaitEnd()
    {
        asker.awaitAll();
        snapshotted += GradstreamClient.NOT_NOW == ticket ? 0 : 1;
        ticket = GradstreamClient.NOT_NOW;
    }

    /** Pushes of the asking worker that snapshots hold. */
    long snapshotted()
    {
        return snapshotted;
    }

    @Override
    public long completed()
    {
        return load.completed();
    }

    @Override
    public long transferBytes()
    {
        return load.transferBytes();
    }
}
