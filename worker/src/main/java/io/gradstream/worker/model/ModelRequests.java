// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.model;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.Refusal;
import io.gradstream.model.ModelHandler;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.WorkerIdentity;
import org.agrona.DirectBuffer;

/**
 * An export of a model: it asks all partitions for the same iteration, and they send their rows at the same time. It
 * fails as a whole, and then starts over.
 */
public final class ModelRequests
{
    /** Sends the request for a model to a partition's primary. */
    @FunctionalInterface
    public interface Asker
    {
        /** Send the request; false if it cannot be sent now. */
        boolean takeModel(int partition, long epoch, long requestId, long clock);
    }

    /** The progress of an export. */
    public enum State
    {
        /** No model is exported. */
        IDLE,
        /** Partitions are asked, and send rows. */
        UNDER_WAY,
        /** All rows of all partitions are there, of the same iteration. */
        COMPLETE,
        /** An iteration further ahead must be asked for. */
        CLOCK_PASSED,
        /** Partitions sent different iterations, because no slot ends any, or a partition sent rows of no iteration. */
        CLOCKS_DIFFER,
        /** A primary was replaced or fell silent, or frames were lost: the export must start over. */
        INTERRUPTED,
        /** The handler has thrown: see {@link #failure()}. */
        FAILED
    }

    /** Outside the ids of other requests, so that an answer can never be taken for another request's. */
    private static final long FIRST_ID = Long.MIN_VALUE / 2;

    /** A partition that has begun to send and is silent for longer has given this client up. */
    private static final long SILENCE_NS = 12_000_000_000L;

    private static final class Request
    {
        long id;
        long epoch;
        long dueNs;
        boolean isSent;
        boolean isHeard;
        ModelFrames frames;
        long clock;
        long heardNs;
        boolean isNew;
    }

    private final long retryNs;
    private Request[] requests = new Request[0];
    private ModelTables tables;
    private State state = State.IDLE;
    private String reason = "";
    private RuntimeException failure;
    private long wantedClock;
    private long nextId;

    /** Requests before the first export; a partition that is busy is asked again after a time. */
    public ModelRequests(final WorkerIdentity identity, final long retryNs)
    {
        this.retryNs = retryNs;
        nextId = FIRST_ID + identity.firstRequest();
    }

    /** Begin an export at a clock that every slot has finished, or -1 for the rows as they are. */
    public void begin(final int partitions, final long clock, final ModelHandler handler)
    {
        tables = new ModelTables(handler);
        requests = new Request[partitions];
        for (int i = 0; i < partitions; i++)
        {
            requests[i] = new Request();
            requests[i].id = nextId++;
            requests[i].frames = new ModelFrames(tables);
        }
        wantedClock = clock;
        reason = "";
        state = State.UNDER_WAY;
    }

    /** The progress. */
    public State state()
    {
        return state;
    }

    /** The exception that the handler has thrown. */
    public RuntimeException failure()
    {
        return failure;
    }

    /** Why the export failed, or what it waits for. */
    public String reason()
    {
        return reason;
    }

    /** The partitions whose rows have not come yet, for errors. */
    public String missing()
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < requests.length; i++)
        {
            final Request request = requests[i];
            if (!request.frames.isComplete())
            {
                text.append(text.isEmpty() ? "" : ", ").append("partition=").append(i).append(
                    request.isHeard ? " sends rows" :
                    request.isSent ? " waits for its slots to end clock=" + wantedClock : " is not reached");
            }
        }

        return text + ("".equals(reason) ? "" : "; " + reason);
    }

    /** Iterations that every slot had finished, once the export is complete; -1 if the rows are as they were. */
    public long clock()
    {
        return wantedClock < 0 ? wantedClock : requests[0].clock;
    }

    /** Give the export up, or end it when it is done. */
    public void end()
    {
        requests = new Request[0];
        state = State.IDLE;
    }

    /** Send the requests that are due. */
    public int send(final PartitionSession[] sessions, final Asker asker, final long nowNs)
    {
        int sent = 0;
        for (int i = 0; State.UNDER_WAY == state && i < requests.length; i++)
        {
            final Request request = requests[i];
            final boolean isAttached = PartitionSession.State.ATTACHED == sessions[i].state();
            request.heardNs = request.isNew ? nowNs : request.heardNs;
            request.isNew = false;
            if (request.isHeard && !request.frames.isComplete() &&
                (!isAttached || sessions[i].epoch() != request.epoch))
            {
                fail(State.INTERRUPTED, "partition=" + i + " has another primary");
            }
            else if (request.isHeard && !request.frames.isComplete() && nowNs - request.heardNs > SILENCE_NS)
            {
                fail(State.INTERRUPTED, "partition=" + i + " no longer sends");
            }
            else if (isAttached && !request.frames.isComplete() && isDue(request, sessions[i].epoch(), nowNs) &&
                asker.takeModel(i, sessions[i].epoch(), request.id, wantedClock))
            {
                request.isSent = true;
                request.epoch = sessions[i].epoch();
                request.dueNs = nowNs + retryNs;
                sent++;
            }
        }

        return sent;
    }

    /** Take a frame. */
    public void onFrame(
        final int partition,
        final long requestId,
        final long clock,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final Request request = of(partition, requestId);
        if (null == request || request.frames.isComplete())
        {
            return;
        }
        request.isHeard = true;
        request.isNew = true;
        request.clock = clock;
        try
        {
            final String problem = request.frames.onFrame(buffer, offset, length);
            if (null != problem)
            {
                fail(State.INTERRUPTED, "partition=" + partition + " " + problem);
            }
            else if (isComplete())
            {
                complete();
            }
        }
        catch (final RuntimeException ex)
        {
            // thrown from here, it would only reach Aeron's error handler
            failure = ex;
            fail(State.FAILED, ex.toString());
        }
    }

    /** Take a partition's refusal; false if the partition was not asked. */
    public boolean onRefused(final int partition, final long requestId, final Refusal refusal)
    {
        final Request request = of(partition, requestId);
        if (null == request)
        {
            return false;
        }
        if (request.isHeard)
        {
            // of a repeated question
            return true;
        }
        request.isSent = true;
        reason = "partition=" + partition + ": " + refusal;
        if (Refusal.CLOCK_PASSED == refusal)
        {
            fail(State.CLOCK_PASSED, "partition=" + partition + (Consistency.FINISHED == wantedClock ?
                " takes pushes of slots that had finished" :
                " is past clock=" + wantedClock + ", or was when its bound was set to 0"));
        }

        return true;
    }

    /**
     * True if a partition is to be asked. A partition that was heard need not be asked again; one that was not gets the
     * same request again, and takes it only once.
     */
    private static boolean isDue(final Request request, final long epoch, final long nowNs)
    {
        return !request.isHeard && (!request.isSent || epoch != request.epoch || nowNs - request.dueNs >= 0);
    }

    private Request of(final int partition, final long requestId)
    {
        return State.UNDER_WAY == state && partition >= 0 && partition < requests.length &&
            requests[partition].id == requestId ? requests[partition] : null;
    }

    private boolean isComplete()
    {
        boolean isComplete = true;
        for (final Request request : requests)
        {
            isComplete &= request.frames.isComplete();
        }

        return isComplete;
    }

    private void complete()
    {
        for (int i = 0; wantedClock >= 0 && i < requests.length; i++)
        {
            if (requests[i].clock < 0)
            {
                fail(State.CLOCKS_DIFFER, "partition=" + i + " is of no iteration: slots were apart when its bound" +
                    " was set to 0, or push though they had finished");
                return;
            }
            if (requests[i].clock != requests[0].clock)
            {
                fail(State.CLOCKS_DIFFER, "partition=0 has ended clock=" + requests[0].clock + ", partition=" + i +
                    " clock=" + requests[i].clock);
                return;
            }
        }
        tables.complete();
        state = State.COMPLETE;
    }

    private void fail(final State newState, final String why)
    {
        state = newState;
        reason = why;
    }
}
