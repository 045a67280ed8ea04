// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.worker.client.Client;
import io.gradstream.worker.client.Iteration;
import io.gradstream.worker.session.SnapshotRequests;
import io.gradstream.worker.session.Tickets;

/**
 * The tickets that must be done before the client begins anything else; {@link #areDone()} is true once they are. It
 * forgets them when all are done, and when one of them is refused, so that the caller can go on.
 */
final class TicketOrder
{
    /** Most tickets that are waited for at once; tickets that are done do not count. */
    static final int MAX_TICKETS = 64;

    private final BlockingCalls calls;
    private final Tickets tickets;
    private final SnapshotRequests snapshots;
    private final Iteration iteration;
    private final long[] earlier = new long[MAX_TICKETS];
    private int count;
    /** True while servers are asked for snapshots: a push that is waited for may need one to be done. */
    private boolean isPushAwaited;

    TicketOrder(final BlockingCalls calls, final Client client)
    {
        this.calls = calls;
        tickets = client.tickets();
        snapshots = client.snapshots();
        iteration = client.iteration();
    }

    /**
     * Add a ticket that must be done first.
     *
     * @throws IllegalArgumentException if the ticket was never opened.
     * @throws IllegalStateException    if too many are waited for.
     */
    void add(final long ticket)
    {
        if (isOver(ticket))
        {
            return;
        }
        removeOver();
        for (int i = 0; i < count; i++)
        {
            if (earlier[i] == ticket)
            {
                return;
            }
        }
        if (MAX_TICKETS == count)
        {
            throw new IllegalStateException("after ticket=" + ticket + ": " + MAX_TICKETS + " tickets are waited for," +
                " which is the limit; await(ticket) waits for any, awaitAll() for all");
        }
        earlier[count++] = ticket;
        if (!isPushAwaited && tickets.isPush(ticket))
        {
            isPushAwaited = true;
            snapshots.isAwaited(true);
        }
    }

    /**
     * True if all tickets are done, and none was refused.
     *
     * @throws PushRefusedException  if one was refused.
     * @throws IllegalStateException if one is a push that no server applies before this slot ends its iteration.
     */
    boolean areDone()
    {
        if (0 == count)
        {
            return true;
        }
        boolean isKept = false;
        try
        {
            isKept = !takeDone();
        }
        finally
        {
            if (!isKept)
            {
                forget();
            }
        }

        return !isKept;
    }

    /**
     * True if this slot may end its iteration: all tickets are done, or all others are pushes that no server applies
     * before.
     *
     * @throws PushRefusedException if one was refused.
     */
    boolean mayEndClock()
    {
        if (count > 0 && isPushAwaited && iteration.isEndAwaited())
        {
            for (int i = 0; i < count; i++)
            {
                if (!tickets.isDone(earlier[i]) && !tickets.isPush(earlier[i]))
                {
                    return false;
                }
            }
            return true;
        }

        return areDone();
    }

    /** Take the tickets that are done, the youngest first: it is the last to be done, as a rule. */
    private boolean takeDone()
    {
        while (count > 0)
        {
            final long ticket = earlier[count - 1];
            if (!calls.isDone(ticket))
            {
                return false;
            }
            count--;
            calls.requireTaken(ticket);
        }

        return true;
    }

    private boolean isOver(final long ticket)
    {
        return tickets.isDone(ticket) && -1 == tickets.refusedBy(ticket);
    }

    private void removeOver()
    {
        int kept = 0;
        for (int i = 0; i < count; i++)
        {
            earlier[kept] = earlier[i];
            kept += isOver(earlier[i]) ? 0 : 1;
        }
        count = kept;
    }

    private void forget()
    {
        count = 0;
        if (isPushAwaited)
        {
            isPushAwaited = false;
            snapshots.isAwaited(false);
        }
    }
}
