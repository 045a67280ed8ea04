// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.Refusal;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.client.ClientRights;
import io.gradstream.worker.session.Tickets;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Futures of tickets, for callers that ask for them: {@link #poll(long)} completes each once its ticket is done or its
 * time is over. Costs nothing while there is none.
 */
final class TicketFutures
{
    private record Open(long ticket, boolean isPush, long deadlineNs, CompletableFuture<Void> future)
    {
    }

    private final Client client;
    private final Tickets tickets;
    private final ClientRights rights;
    private final long timeoutNs;
    private final int maxOpen;
    /** Open futures in the order of their requests, which is that of their deadlines. */
    private final List<Open> open = new ArrayList<>();
    /** Tickets that were done when the futures were last looked through. */
    private long doneCount;

    /**
     * For one client.
     *
     * @param timeoutNs after which a future fails whose ticket is not done.
     * @param maxOpen   most futures that are not completed.
     */
    TicketFutures(final Client client, final long timeoutNs, final int maxOpen)
    {
        this.client = client;
        this.timeoutNs = timeoutNs;
        this.maxOpen = maxOpen;
        tickets = client.tickets();
        rights = client.requests().rights();
    }

    /**
     * A future of a ticket.
     *
     * @throws IllegalArgumentException if the ticket was never opened.
     * @throws IllegalStateException    if the client is closed, or as many futures are open as may be.
     */
    CompletableFuture<Void> of(final long ticket, final long nowNs)
    {
        rights.requireOpen();
        final Open entry = new Open(ticket, tickets.isPush(ticket), nowNs + timeoutNs, new CompletableFuture<>());
        if (tickets.isDone(ticket))
        {
            complete(entry);
        }
        else if (open.size() >= maxOpen)
        {
            throw new IllegalStateException("future of ticket=" + ticket + ": " + maxOpen + " futures are open, and" +
                " that is the limit: poll() until some are done, or raise maxTickets");
        }
        else
        {
            open.add(entry);
            awaitSnapshot(entry, true);
        }

        return entry.future();
    }

    /** Complete the futures that are due; returns the count of these. */
    int poll(final long nowNs)
    {
        if (open.isEmpty() || tickets.doneCount() == doneCount && nowNs - open.get(0).deadlineNs() < 0)
        {
            return 0;
        }
        doneCount = tickets.doneCount();
        final List<Open> ended = new ArrayList<>();
        open.removeIf((entry) -> isEnded(entry, nowNs) && ended.add(entry));
        rights.isCompleting(true);
        try
        {
            ended.forEach((entry) -> end(entry, nowNs));
        }
        finally
        {
            rights.isCompleting(false);
        }

        return ended.size();
    }

    /** Complete all: with the results of their tickets, or exceptionally. */
    void close()
    {
        final List<Open> ended = List.copyOf(open);
        open.clear();
        for (final Open entry : ended)
        {
            awaitSnapshot(entry, false);
            if (tickets.isDone(entry.ticket()))
            {
                complete(entry);
            }
            else
            {
                entry.future().completeExceptionally(
                    new GradstreamException("the client was closed before ticket=" + entry.ticket() + " was done"));
            }
        }
    }

    /**
     * True if a future is due. Also a future that other code completed, such as by cancelling it: it is no longer
     * looked at.
     */
    private boolean isEnded(final Open entry, final long nowNs)
    {
        return tickets.isDone(entry.ticket()) || nowNs - entry.deadlineNs() >= 0 || entry.future().isDone();
    }

    private void end(final Open entry, final long nowNs)
    {
        awaitSnapshot(entry, false);
        if (tickets.isDone(entry.ticket()))
        {
            complete(entry);
        }
        else
        {
            entry.future().completeExceptionally(new OperationTimeoutException("waited " + timeoutNs / 1_000_000 +
                " ms in vain for the end of ticket=" + entry.ticket() + ownClockText(entry) + client.describe(nowNs)));
        }
    }

    private String ownClockText(final Open entry)
    {
        return entry.isPush() && client.iteration().isEndAwaited() ? ": a push of a sequential job is done only after" +
            " clock() or finish(), and this slot has called neither since" : "";
    }

    private void complete(final Open entry)
    {
        final Refusal refusal = tickets.refusal(entry.ticket());
        if (Refusal.NONE == refusal)
        {
            entry.future().complete(null);
        }
        else
        {
            tickets.tellRefusal(entry.ticket());
            entry.future().completeExceptionally(
                new PushRefusedException(refusal, tickets.refusedBy(entry.ticket())));
        }
    }

    /** Ask servers for snapshots while a push is waited for, because it may need a snapshot to be done. */
    private void awaitSnapshot(final Open entry, final boolean isAwaited)
    {
        if (entry.isPush())
        {
            client.snapshots().isAwaited(isAwaited);
        }
    }
}
