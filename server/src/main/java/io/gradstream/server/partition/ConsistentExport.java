// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.recovery.log.FrameSink;

/**
 * A consistent cut of a partition: hands a client the tables and rows as they are when the last slot ends an iteration,
 * while updates go on. One client at a time; nothing of it is logged or kept.
 */
public final class ConsistentExport
{
    /** Stands for no particular iteration: the state as it is at the time of the request. */
    public static final long NOW = -1;

    private enum State
    {
        /** No client asks. */
        IDLE,
        /** A client waits for an iteration. */
        AWAITING_CLOCK,
        /** Rows are being written. */
        WRITING
    }

    private final int jobId;
    private final PartitionState partitionState;
    private final RowScan scan;
    private State state = State.IDLE;
    private long awaitedClock;
    private long clock;

    ConsistentExport(final int jobId, final PartitionState partitionState)
    {
        this.jobId = jobId;
        this.partitionState = partitionState;
        scan = new RowScan(partitionState, false);
    }

    RowScan scan()
    {
        return scan;
    }

    /**
     * Wait until every slot has finished so many iterations. An earlier request is given up.
     *
     * @param wantedClock iterations, or {@link #NOW}.
     * @return false if that iteration is past, or no state is ever that of so many iterations: nothing is awaited then.
     */
    public boolean ask(final long wantedClock)
    {
        giveUp();
        final long minClock = partitionState.minClock();
        if (NOW == wantedClock)
        {
            begin();
            return true;
        }
        // where sums are applied, or all slots have finished, nothing of the next iteration is in the state
        final boolean isSequential = partitionState.consistency().isSequential();
        final boolean isThere = minClock == wantedClock && partitionState.isOfItsClock() &&
            (isSequential || Consistency.FINISHED == wantedClock);
        if (minClock >= wantedClock && !isThere || isSequential && wantedClock < partitionState.exactFrom())
        {
            return false;
        }
        if (isThere)
        {
            begin();
            return true;
        }
        awaitedClock = wantedClock;
        state = State.AWAITING_CLOCK;

        return true;
    }

    /** A whole record was applied. */
    void onApplied()
    {
        if (State.AWAITING_CLOCK == state && partitionState.minClock() >= awaitedClock &&
            partitionState.hasEndedItsClock())
        {
            begin();
        }
    }

    /** Begin without waiting further: no slot is there that could end an iteration. */
    public void beginNow()
    {
        if (State.AWAITING_CLOCK == state)
        {
            begin();
        }
    }

    /** One duty cycle. */
    public int doWork(final FrameSink sink)
    {
        if (State.WRITING != state)
        {
            return 0;
        }
        scan.allow(RowScan.SCAN_BYTES);
        final int workCount = scan.doWork(sink);
        if (scan.isDone())
        {
            // rows that change from now on are no longer copied
            scan.stop();
        }

        return workCount;
    }

    /** True if it waits for an iteration to end. */
    public boolean isAwaitingClock()
    {
        return State.AWAITING_CLOCK == state;
    }

    /** True if everything has been handed to the sink. */
    public boolean isDone()
    {
        return State.WRITING == state && scan.isDone();
    }

    /** Log position that the rows are of. */
    public long position()
    {
        return scan.position();
    }

    /** Iterations that every slot had finished at that position; {@link #NOW} if the rows are of no iteration. */
    public long clock()
    {
        return clock;
    }

    /** Give up: no client wants the model any longer. */
    public void giveUp()
    {
        scan.stop();
        state = State.IDLE;
    }

    private void begin()
    {
        clock = partitionState.isOfItsClock() ? partitionState.minClock() : NOW;
        scan.begin(jobId);
        scan.beginRows();
        state = State.WRITING;
    }
}
