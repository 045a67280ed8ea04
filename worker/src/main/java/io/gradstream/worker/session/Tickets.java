// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.Check;
import io.gradstream.codecs.Refusal;

/**
 * The outstanding tickets: each stands for one push over several parts, or one pull over several requests.
 * <p>
 * Ids grow from 1. A ticket's outcome can be asked until as many younger tickets as the ring holds have been opened;
 * after that it only says that it is done.
 */
public final class Tickets
{
    /** No ticket is free now. */
    public static final long NOT_NOW = -1;
    /** Ticket of a message that no caller waits for; always done. */
    public static final long NONE = 0;

    /** Staleness of a pull that no primary has answered. */
    private static final long UNREAD = -1;

    private final LatencyListener latencyListener;
    private final int mask;
    private final long[] startNs;
    private final int[] pending;
    private final int[] failedPartition;
    private final byte[] failure;
    private final boolean[] isPush;
    private final boolean[] isAsked;
    private final boolean[] isRefusalTold;
    private final long[] staleNs;
    private final long[] staleness;
    private final long[] heldNs;
    private long lastId;
    private int outstanding;
    private long refused;
    /** Refused pushes of which the caller has not been told, and the one of them that was made first. */
    private long untold;
    private Refusal firstUntold = Refusal.NONE;
    private int firstUntoldPartition = -1;
    private long firstUntoldTicket;
    private long toldThrough;
    private long cachedParts;
    private long maxStaleNs;
    private long reads;
    private long maxStaleness;
    private long stalenessSum;

    /** A ring of tickets of which so many, a power of two, may be outstanding. */
    public Tickets(final int maxOutstanding, final LatencyListener latencyListener)
    {
        Check.that(maxOutstanding >= 1 && 1 == Integer.bitCount(maxOutstanding), "maxTickets", maxOutstanding,
            "a power of two");
        this.latencyListener = latencyListener;
        mask = maxOutstanding - 1;
        startNs = new long[maxOutstanding];
        pending = new int[maxOutstanding];
        failedPartition = new int[maxOutstanding];
        failure = new byte[maxOutstanding];
        isPush = new boolean[maxOutstanding];
        isAsked = new boolean[maxOutstanding];
        isRefusalTold = new boolean[maxOutstanding];
        staleNs = new long[maxOutstanding];
        staleness = new long[maxOutstanding];
        heldNs = new long[maxOutstanding];
    }

    /** True if there is room for one more ticket, so that {@link #open} would succeed. */
    public boolean hasRoom()
    {
        return 0 == pending[(int)(lastId + 1) & mask];
    }

    /** True if there is room for two more tickets; in a ring of one, if there is room for that one. */
    public boolean hasRoomForTwo()
    {
        return hasRoom() && 0 == pending[(int)(lastId + 2) & mask];
    }

    /** True if a push that is not done takes the place of one of the next two tickets. */
    public boolean isRoomTakenByPush()
    {
        final int first = (int)(lastId + 1) & mask;
        final int second = (int)(lastId + 2) & mask;

        return pending[first] > 0 && isPush[first] || pending[second] > 0 && isPush[second];
    }

    /**
     * Open a ticket. It stays outstanding until it is sealed and all its parts are done.
     *
     * @param push true for a push or clock, false for a pull.
     * @return its id, or {@link #NOT_NOW} if the oldest ticket of a full ring is still outstanding.
     */
    public long open(final boolean push, final long nowNs)
    {
        if (!hasRoom())
        {
            return NOT_NOW;
        }
        final int index = (int)++lastId & mask;
        pending[index] = 1;
        startNs[index] = nowNs;
        failure[index] = 0;
        failedPartition[index] = -1;
        isPush[index] = push;
        isAsked[index] = false;
        isRefusalTold[index] = false;
        staleNs[index] = 0;
        staleness[index] = UNREAD;
        heldNs[index] = 0;
        outstanding++;

        return lastId;
    }

    public void addPart(final long ticket)
    {
        if (NONE != ticket)
        {
            final int index = index(ticket);
            pending[index]++;
            isAsked[index] = true;
        }
    }

    public void seal(final long ticket, final long nowNs)
    {
        onPartDone(ticket, Refusal.NONE, -1, nowNs);
    }

    /** One part is done; its refusal is {@link Refusal#NONE} if it was taken. */
    public void onPartDone(final long ticket, final Refusal refusal, final int partition, final long nowNs)
    {
        if (NONE == ticket)
        {
            return;
        }
        final int index = index(ticket);
        if (Refusal.NONE != refusal && 0 == failure[index])
        {
            failure[index] = (byte)refusal.code();
            failedPartition[index] = partition;
            refused++;
            countUntold(index, refusal, partition);
        }
        if (0 == --pending[index])
        {
            outstanding--;
            onDone(index, nowNs);
        }
    }

    /** A part of a pull was answered with rows pulled earlier. */
    void onCached(final long ticket, final long ageNs)
    {
        final int index = index(ticket);
        staleNs[index] = Math.max(staleNs[index], Math.max(1, ageNs));
        maxStaleNs = Math.max(maxStaleNs, staleNs[index]);
        cachedParts++;
    }

    /**
     * A part of a pull was answered by its primary.
     *
     * @param newStaleness iterations by which the slowest slot was behind; below 0 if it was ahead.
     * @param newHeldNs    how long the answer waited for slots that were behind.
     */
    void onRead(final long ticket, final long newStaleness, final long newHeldNs)
    {
        final int index = index(ticket);
        staleness[index] = Math.max(staleness[index], Math.max(0, newStaleness));
        heldNs[index] = Math.max(heldNs[index], newHeldNs);
    }

    /**
     * How long the answer to a pull waited at its servers for slots that were behind.
     *
     * @return nanoseconds, 0 if it did not or the ticket is too old.
     */
    public long heldNs(final long ticket)
    {
        return isKept(ticket) ? heldNs[index(ticket)] : 0;
    }

    /** Iterations by which the slowest slot was behind a pull; 0 if none was, or the ticket is too old. */
    public long staleness(final long ticket)
    {
        return isKept(ticket) ? Math.max(0, staleness[index(ticket)]) : 0;
    }

    /** The largest staleness of any pull, in iterations. */
    public long maxStaleness()
    {
        return maxStaleness;
    }

    /** The mean staleness of all pulls, in iterations; 0 before the first. */
    public double meanStaleness()
    {
        return 0 == reads ? 0 : (double)stalenessSum / reads;
    }

    /**
     * Age of the oldest row of a pull that was answered while a partition was out of reach.
     *
     * @return nanoseconds since the row was asked for, 0 if every row came from its primary or the ticket is too old.
     */
    public long staleNs(final long ticket)
    {
        return isKept(ticket) ? staleNs[index(ticket)] : 0;
    }

    /**
     * True if a ticket was opened for a push or clock.
     *
     * @param ticket from {@link #open}.
     * @return false for a pull, or if the ticket is too old to know.
     */
    public boolean isPush(final long ticket)
    {
        return isKept(ticket) && isPush[index(ticket)];
    }

    /**
     * True if a ticket is done, whether or not a part was refused: nothing of it is outstanding.
     *
     * @param ticket from {@link #open}.
     * @throws IllegalArgumentException if it was never opened.
     */
    public boolean isDone(final long ticket)
    {
        if (ticket < 0 || ticket > lastId)
        {
            throw new IllegalArgumentException("unknown ticket=" + ticket + ": the last one is " + lastId);
        }

        return ticket <= lastId - mask - 1 || NONE == ticket || 0 == pending[index(ticket)];
    }

    /** Why a ticket's first refused part was refused; {@link Refusal#NONE} if none was, or the ticket is too old. */
    public Refusal refusal(final long ticket)
    {
        return isKept(ticket) ? Refusal.of(failure[index(ticket)]) : Refusal.NONE;
    }

    /** The partition that refused, or -1. */
    public int refusedBy(final long ticket)
    {
        return isKept(ticket) ? failedPartition[index(ticket)] : -1;
    }

    public int outstanding()
    {
        return outstanding;
    }

    /** Tickets that are done, since the start. */
    public long doneCount()
    {
        return lastId - outstanding;
    }

    /** Parts of pulls that were answered with rows pulled earlier. */
    public long cachedParts()
    {
        return cachedParts;
    }

    /** Age in nanoseconds, since the row was asked for, of the oldest row that any pull was answered with. */
    public long maxStaleNs()
    {
        return maxStaleNs;
    }

    /** Tickets of which a part was refused, since the start. */
    public long refusedCount()
    {
        return refused;
    }

    /** Refused pushes of which the caller was not told, by {@link #tellRefusal} or {@link #tellAllRefusals}. */
    public long untoldRefusals()
    {
        return untold;
    }

    /** The reason for which the push of the {@link #untoldRefusals} that was made first was refused. */
    public Refusal firstUntold()
    {
        return firstUntold;
    }

    /** The partition that refused the push of the {@link #untoldRefusals} that was made first, or -1. */
    public int firstUntoldPartition()
    {
        return firstUntoldPartition;
    }

    /** The caller is told why this ticket was refused. */
    public void tellRefusal(final long ticket)
    {
        if (ticket > toldThrough && isPush(ticket) && 0 != failure[index(ticket)] && !isRefusalTold[index(ticket)])
        {
            isRefusalTold[index(ticket)] = true;
            untold--;
            if (ticket == firstUntoldTicket)
            {
                findFirstUntold(ticket);
            }
        }
    }

    private void findFirstUntold(final long toldTicket)
    {
        long ticket = Math.max(toldTicket, lastId - mask - 1) + 1;
        while (ticket <= lastId && !isUntold(ticket))
        {
            ticket++;
        }
        firstUntoldTicket = ticket;
        firstUntold = ticket > lastId ? Refusal.NONE : refusal(ticket);
        firstUntoldPartition = ticket > lastId ? -1 : failedPartition[index(ticket)];
    }

    private boolean isUntold(final long ticket)
    {
        final int index = index(ticket);

        return isPush[index] && 0 != failure[index] && !isRefusalTold[index];
    }

    /** The caller is told of all refusals so far. */
    public void tellAllRefusals()
    {
        toldThrough = lastId;
        untold = 0;
        firstUntold = Refusal.NONE;
        firstUntoldPartition = -1;
    }

    private void countUntold(final int index, final Refusal refusal, final int partition)
    {
        if (isPush[index])
        {
            final long ticket = lastId - (lastId - index & mask);
            // partitions refuse in any order: the search for the next one goes up from the first
            if (0 == untold || ticket < firstUntoldTicket)
            {
                firstUntold = refusal;
                firstUntoldPartition = partition;
                firstUntoldTicket = ticket;
            }
            untold++;
        }
    }

    private boolean isKept(final long ticket)
    {
        return ticket > 0 && ticket <= lastId && ticket > lastId - mask - 1;
    }

    private int index(final long ticket)
    {
        final int index = (int)ticket & mask;
        if (!isKept(ticket))
        {
            throw new IllegalStateException("ticket=" + ticket + " lastTicket=" + lastId);
        }

        return index;
    }

    private void onDone(final int index, final long nowNs)
    {
        if (0 != failure[index])
        {
            return;
        }
        if (isPush[index])
        {
            latencyListener.onPush(nowNs - startNs[index]);
            return;
        }
        if (UNREAD != staleness[index])
        {
            reads++;
            maxStaleness = Math.max(maxStaleness, staleness[index]);
            stalenessSum += staleness[index];
        }
        if (isAsked[index] && 0 == staleNs[index])
        {
            // a pull that no server was asked for says nothing of the time that servers take
            latencyListener.onPull(nowNs - startNs[index]);
        }
    }
}
