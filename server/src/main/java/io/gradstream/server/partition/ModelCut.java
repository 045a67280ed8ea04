// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.recovery.log.FrameSink;

/**
 * Hands a client the tables and rows as they are when the last slot ends an iteration, while updates go on. One client
 * at a time; nothing of it is logged or kept.
 */
public final class ModelCut
{
    /** Stands for no certain iteration: the state as it is when it is asked for. */
    public static final long NOW = -1;

    private enum State
    {
        /** Nobody asks. */
        IDLE,
        /** Somebody waits for an iteration. */
        AWAITING_CLOCK,
        /** Rows are being written. */
        WRITING
    }

    private final int jobId;
    private final PartitionState partitionState;
    private final RowSweep sweep;
    private State state = State.IDLE;
    private long awaitedClock;
    private long clock;

    ModelCut(final int jobId, final PartitionState partitionState)
    {
        this.jobId = jobId;
        this.partitionState = partitionState;
        sweep = new RowSweep(partitionState, false);
    }

    RowSweep sweep()
    {
        return sweep;
    }

    /**
     * Wait until every slot has finished so many iterations. What was asked before is given up.
     *
     * @param wantedClock iterations, or {@link #NOW}.
     * @return false if that is past, or the state is never that of so many iterations: nobody waits then.
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

    /** A record was applied whole. */
    void onApplied()
    {
        if (State.AWAITING_CLOCK == state && partitionState.minClock() >= awaitedClock &&
            partitionState.hasEndedItsClock())
        {
            begin();
        }
    }

    /** Wait no longer: nobody is there who could end an iteration. */
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
        sweep.allow(RowSweep.SWEEP_BYTES);
        final int workCount = sweep.doWork(sink);
        if (sweep.isDone())
        {
            // what changes from now on is not copied any more
            sweep.stop();
        }

        return workCount;
    }

    /** Does it wait for an iteration to end? */
    public boolean isAwaitingClock()
    {
        return State.AWAITING_CLOCK == state;
    }

    /** Has everything been handed to the sink? */
    public boolean isDone()
    {
        return State.WRITING == state && sweep.isDone();
    }

    /** Log position that the rows are of. */
    public long position()
    {
        return sweep.position();
    }

    /** Iterations that every slot had finished at that position; {@link #NOW} if the rows are of no iteration. */
    public long clock()
    {
        return clock;
    }

    /** Nobody wants it any more. */
    public void giveUp()
    {
        sweep.stop();
        state = State.IDLE;
    }

    private void begin()
    {
        clock = partitionState.isOfItsClock() ? partitionState.minClock() : NOW;
        sweep.begin(jobId);
        sweep.beginRows();
        state = State.WRITING;
    }
}
