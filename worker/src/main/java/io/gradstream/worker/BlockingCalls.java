// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.client.TableRequests;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.Tickets;

import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/** Waits on the caller's thread for tickets, and for other results that do not come at once. */
final class BlockingCalls
{
    private final ClientContext context;
    private final Client client;
    private final Tickets tickets;
    private final IntSupplier poll;
    private final boolean isSnapshotLevel;
    // what the condition below looks at; a field, so that waiting captures nothing
    private long awaitedTicket;
    private final BooleanSupplier isAwaitedDone = this::isAwaitedDone;
    private final BooleanSupplier isAllDone = this::isAllDone;

    /** For one client, with its duty cycle. */
    BlockingCalls(final ClientContext context, final Client client, final IntSupplier poll)
    {
        this.context = context;
        this.client = client;
        this.poll = poll;
        tickets = client.tickets();
        isSnapshotLevel = AckLevel.SNAPSHOTTED == context.ackLevel;
    }

    /** Wait for a ticket, and throw if it was refused. */
    void ticket(final long ticket, final long timeoutNs)
    {
        awaitedTicket = ticket;
        if (isSnapshotLevel && tickets.isPush(ticket))
        {
            untilSnapshotted("the end of a ticket", isAwaitedDone, timeoutNs);
        }
        else
        {
            until("the end of a ticket", isAwaitedDone, timeoutNs);
        }
        requireTaken(ticket);
    }

    /**
     * Wait until no ticket is outstanding.
     *
     * @throws PushRefusedException if a push was refused and the caller has not been told.
     */
    void all()
    {
        untilSnapshotted("the end of all tickets", isAllDone, context.operationTimeoutNs);
        final long refused = tickets.untoldRefusals();
        if (refused > 0)
        {
            final PushRefusedException untold =
                new PushRefusedException(refused, tickets.firstUntold(), tickets.firstUntoldPartition());
            tickets.tellAllRefusals();
            throw untold;
        }
    }

    /** Wait until no ticket is outstanding, whether or not a push was refused. */
    void settled(final String what)
    {
        untilSnapshotted(what, isAllDone, context.operationTimeoutNs);
    }

    /** Wait until every partition has said that it has a table. */
    void tableCreated(final TableSpec spec)
    {
        final TableRequests tables = client.tables();
        final boolean isAnswered = await("a table",
            () -> tables.hasFailed() || !tables.isPending(spec.tableId()), deadlineNs(context.operationTimeoutNs));
        final TableRequests.Failure failure = tables.takeFailure();
        if (null != failure)
        {
            tables.forget(spec.tableId());
            throw new TableException(failure.detail(), failure.refusal());
        }
        if (!isAnswered)
        {
            throw new OperationTimeoutException("createTable '" + spec.name() + "': no answer from partitions " +
                tables.pendingPartitions(spec.tableId()) + client.describe(nowNs()));
        }
    }

    /**
     * Wait, as long as the operation timeout, until a condition holds. During an outage the wait counts as blocked
     * time.
     */
    void until(final String what, final BooleanSupplier condition)
    {
        until(what, condition, context.operationTimeoutNs);
    }

    /**
     * True if a condition holds in time: every wait ends here.
     *
     * @param what       is waited for, for the error.
     * @param deadlineNs time at which the wait is over.
     * @throws GradstreamException if the thread is interrupted before.
     */
    boolean await(final String what, final BooleanSupplier condition, final long deadlineNs)
    {
        final boolean isHeld = context.waitStrategy.await(condition, deadlineNs, poll);
        if (!isHeld && Thread.currentThread().isInterrupted())
        {
            throw new GradstreamException("interrupted while waiting for " + what);
        }

        return isHeld;
    }

    long nowNs()
    {
        return context.nanoClock.nanoTime();
    }

    /** The time at which a wait is over that begins now. */
    long deadlineNs(final long timeoutNs)
    {
        return nowNs() + timeoutNs;
    }

    /**
     * True if a ticket is done, whether or not a part was refused.
     *
     * @throws IllegalStateException if it is a push that no server applies before this slot ends its iteration.
     */
    boolean isDone(final long ticket)
    {
        return tickets.isDone(ticket) || isOwnClockAwaited(tickets.isPush(ticket));
    }

    /**
     * Require that no part of a ticket that is done was refused.
     *
     * @throws PushRefusedException if a part was refused.
     */
    void requireTaken(final long ticket)
    {
        final Refusal refusal = tickets.refusal(ticket);
        if (Refusal.NONE != refusal)
        {
            tickets.tellRefusal(ticket);
            throw new PushRefusedException(refusal, tickets.refusedBy(ticket));
        }
    }

    private boolean isAwaitedDone()
    {
        return isDone(awaitedTicket);
    }

    private boolean isAllDone()
    {
        return 0 == tickets.outstanding() || isOwnClockAwaited(true);
    }

    private boolean isOwnClockAwaited(final boolean isPush)
    {
        if (isPush && client.iteration().isEndAwaited())
        {
            throw new IllegalStateException("waits for a push that a sequential job applies when this slot has ended" +
                " its iteration: call clock() or finish() first");
        }

        return false;
    }

    private void untilSnapshotted(final String what, final BooleanSupplier condition, final long timeoutNs)
    {
        client.snapshots().isAwaited(true);
        try
        {
            polling(what, condition, timeoutNs);
        }
        finally
        {
            client.snapshots().isAwaited(false);
        }
    }

    private void until(final String what, final BooleanSupplier condition, final long timeoutNs)
    {
        if (condition.getAsBoolean())
        {
            return;
        }
        client.outageMeter().onBlocked(true, nowNs());
        try
        {
            polling(what, condition, timeoutNs);
        }
        finally
        {
            client.outageMeter().onBlocked(false, nowNs());
        }
    }

    private void polling(final String what, final BooleanSupplier condition, final long timeoutNs)
    {
        if (!await(what, condition, deadlineNs(timeoutNs)))
        {
            throw new OperationTimeoutException("waited " + timeoutNs / 1_000_000 + " ms in vain for " + what +
                client.describe(nowNs()));
        }
    }
}
