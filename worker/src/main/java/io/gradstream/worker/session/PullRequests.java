// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.values.ValueEncoding;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;

import java.util.ArrayDeque;

/**
 * The outstanding pulls of one worker at one partition: which are to be sent, which are answered in part, and where
 * their rows go.
 * <p>
 * Reads never go back: an answer that begins at an older (epoch, position) than one already seen, or is of an older
 * epoch than the one asked, is ignored and asked for again.
 */
public final class PullRequests
{
    private static final int LOOKS_PER_STALL = 4;

    private final int partition;
    private final int maxOutstanding;
    private final WorkerIdentity identity;
    private final Tickets tickets;
    private final SessionTiming timing;
    private final RowCache cache;
    private final Long2ObjectHashMap<PullMessage> byId = new Long2ObjectHashMap<>();
    private final ArrayDeque<PullMessage> free = new ArrayDeque<>();
    private final ArrayDeque<PullMessage> queue = new ArrayDeque<>();
    private final ArrayDeque<PullMessage> cached = new ArrayDeque<>();
    // made <= maxOutstanding
    private int made;
    private long lastId;
    private long seenEpoch = -1;
    private long seenPosition;
    private boolean isPaused;
    private long pausedUntilNs;
    private long lookedNs;
    private long overtaken = -1;

    /** No pulls yet; the cache remembers rows for outages, or is null. */
    public PullRequests(
        final int partition,
        final WorkerIdentity identity,
        final int maxOutstanding,
        final Tickets tickets,
        final SessionTiming timing,
        final RowCache cache)
    {
        this.partition = partition;
        this.identity = identity;
        this.maxOutstanding = maxOutstanding;
        this.tickets = tickets;
        this.timing = timing;
        this.cache = cache;
        lastId = identity.firstRequest();
    }

    public int room()
    {
        return free.size() + maxOutstanding - made;
    }

    /** Take a request to fill in; {@link #submit} it then. Null if as many as the limit are outstanding. */
    public PullMessage take()
    {
        if (free.isEmpty() && made < maxOutstanding)
        {
            free.add(new PullMessage());
            made++;
        }
        final PullMessage request = free.poll();
        if (null != request)
        {
            // unique over all partitions, so that an answer can never be taken for another's
            request.begin(++lastId << 12 | partition, partition);
        }

        return request;
    }

    /** Send a request from {@link #take} when the partition is attached. */
    public void submit(final PullMessage request, final long ticket)
    {
        request.ticket(ticket);
        tickets.addPart(ticket);
        byId.put(request.id(), request);
        enqueue(request);
    }

    /** The caller of a pull does not wait any longer: its array is the caller's again, whatever comes later. */
    public void giveBack(final long ticket)
    {
        for (final PullMessage request : byId.values())
        {
            if (ticket == request.ticket())
            {
                request.giveBack();
            }
        }
    }

    /** The partition attached this worker: everything without an answer is asked again. */
    public void onAttached()
    {
        isPaused = false;
        for (final PullMessage request : byId.values())
        {
            request.isUncached(false);
            enqueue(request);
        }
    }

    public int send(final Outbound outbound, final long epoch, final long nowNs)
    {
        askAgain(nowNs);
        if (queue.isEmpty() || (isPaused && nowNs - pausedUntilNs < 0))
        {
            return 0;
        }
        isPaused = false;
        int sent = 0;
        while (!queue.isEmpty())
        {
            final PullMessage request = queue.peek();
            request.stamp(epoch, identity, nowNs);
            if (!outbound.offer(partition, request.message(), 0, request.messageLength()))
            {
                break;
            }
            request.isQueued(false);
            queue.poll();
            sent++;
        }

        return sent;
    }

    /** A question or its answer may have died with an image that came back: what is not answered is asked again. */
    private void askAgain(final long nowNs)
    {
        if (!byId.isEmpty() && nowNs - lookedNs >= timing.stallNs() / LOOKS_PER_STALL)
        {
            lookedNs = nowNs;
            for (final PullMessage request : byId.values())
            {
                if (nowNs - request.progressNs() >= timing.stallNs())
                {
                    enqueue(request);
                }
            }
        }
    }

    /** A chunk of an answer. */
    public void onRows(
        final long epoch, final long position, final long requestId, final RowsChunk chunk, final long nowNs)
    {
        final PullMessage request = byId.get(requestId);
        if (null == request || request.isQueued())
        {
            return;
        }
        if (!accept(request, epoch, position, chunk))
        {
            enqueue(request);
        }
        else if (!chunk.isLast())
        {
            request.onProgress(nowNs);
        }
        else
        {
            if (null != cache)
            {
                request.remember(cache);
            }
            request.cacheRows();
            if (request.isOfIteration())
            {
                tickets.onRead(request.ticket(), request.staleness(), chunk.heldNs());
            }
            finish(request, Refusal.NONE, nowNs);
        }
    }

    /** Rows of a pull were answered from the process cache, the oldest of them with this staleness. */
    public void onCachedRows(final long ticket, final long staleness)
    {
        tickets.onRead(ticket, staleness, 0);
    }

    /**
     * The partition cannot be reached: answer what can be answered with rows pulled earlier. A pull of which one row is
     * not known waits for all of them.
     */
    public int answerFromCache(final long nowNs)
    {
        for (final PullMessage request : byId.values())
        {
            if (!request.isUncached())
            {
                final long trueNs = request.takeFrom(cache);
                if (RowCache.UNKNOWN == trueNs)
                {
                    request.isUncached(true);
                }
                else
                {
                    tickets.onCached(request.ticket(), nowNs - trueNs);
                    cached.add(request);
                }
            }
        }
        final int answered = cached.size();
        while (!cached.isEmpty())
        {
            finish(cached.poll(), Refusal.NONE, nowNs);
        }

        return answered;
    }

    /** A pull was refused. False if there is no such pull. */
    public boolean onRefused(final long requestId, final Refusal refusal, final long nowNs)
    {
        final PullMessage request = byId.get(requestId);
        if (null == request)
        {
            return false;
        }
        switch (refusal)
        {
            // it is sent again with its keys
            case KEYS_UNKNOWN -> enqueue(request);
            case NOT_PRIMARY, NOT_CONNECTED, FENCED, BUSY, NO_SUCH_TABLE ->
            {
                enqueue(request);
                isPaused = true;
                pausedUntilNs = nowNs +
                    (Refusal.BUSY == refusal ? timing.busyRetryNs() : timing.helloRetryNs());
            }
            default -> finish(request, refusal, nowNs);
        }

        return true;
    }

    public int outstanding()
    {
        return byId.size();
    }

    /** True if a pull is outstanding that is for an iteration up to the one after so many. */
    public boolean isOutstanding(final long clock)
    {
        for (final PullMessage request : byId.values())
        {
            if (request.isOfIteration() && request.clock() <= clock)
            {
                return true;
            }
        }

        return false;
    }

    /**
     * Pulls that wait for their partition since they name rows that were never pulled here. Counted while it is away.
     */
    public int waitingForRows()
    {
        int count = 0;
        for (final PullMessage request : byId.values())
        {
            count += request.isUncached() ? 1 : 0;
        }

        return count;
    }

    /** Last iteration for which rows came that have this slot's own pushes of it in them already; -1: none. */
    public long overtaken()
    {
        return overtaken;
    }

    public int maxOutstanding()
    {
        return maxOutstanding;
    }

    private boolean accept(
        final PullMessage request, final long epoch, final long position, final RowsChunk chunk)
    {
        // also within an answer: of two to the same question the older one must not go on with the younger one
        if (epoch < request.askedEpoch() || epoch < seenEpoch || (epoch == seenEpoch && position < seenPosition))
        {
            return false;
        }
        seenEpoch = epoch;
        seenPosition = position;
        if (request.isOfIteration() && chunk.slotClock() > request.clock())
        {
            overtaken = Math.max(overtaken, request.clock());
        }
        if (0 == chunk.rowOffset())
        {
            request.restart(epoch, chunk.minClock());
        }

        return request.take(epoch, chunk);
    }

    private void enqueue(final PullMessage request)
    {
        if (!request.isQueued())
        {
            request.isQueued(true);
            queue.add(request);
        }
    }

    private void finish(final PullMessage request, final Refusal refusal, final long nowNs)
    {
        byId.remove(request.id());
        if (request.isQueued())
        {
            // else it would never be sent when it is used again
            request.isQueued(false);
            queue.remove(request);
        }
        final long ticket = request.ticket();
        request.end();
        free.add(request);
        tickets.onPartDone(ticket, refusal, partition, nowNs);
    }

    /** Rows and values of a chunk of an answer. */
    public interface RowsChunk
    {
        int rowOffset();

        int rowCount();

        boolean isLast();

        /** Iterations that every slot had finished. */
        long minClock();

        /**
         * Iterations of this slot that are in the values, where the bound is 0 and the slot counts; else 0. A server of
         * an older version tells nothing, which is less.
         */
        long slotClock();

        /** How long the answer waited for slots that were behind. */
        long heldNs();

        /** How floats are encoded. */
        default ValueEncoding encoding()
        {
            return ValueEncoding.RAW;
        }

        DirectBuffer values();

        int valuesOffset();

        int valuesLength();
    }
}
