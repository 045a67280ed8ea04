// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.worker.request.PushRequest;
import io.gradstream.worker.request.PushWriter;
import io.gradstream.worker.request.RowPlan;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.PullRequests;
import io.gradstream.worker.session.Spool;
import io.gradstream.worker.session.Tickets;

import java.util.function.BooleanSupplier;

/**
 * Conditions that a request waits for: the tickets before it, a ticket of its own, the first welcome of its partitions,
 * and room in their spools. A wait that cannot end is refused.
 */
final class Room
{
    private static final String ORDER = "the end of the tickets that must be done before";
    private static final String SPOOL = "room in the spool, or a first welcome";

    private final PartitionSession[] sessions;
    private final Spool.Memory memory;
    private final Tickets tickets;
    private final ClockBarrier barrier;
    private final SlotResume resume;
    private final PushWriter writer;
    private final Wait wait;
    private BooleanSupplier order = () -> true;
    private BooleanSupplier endOrder = () -> true;
    /** The session in whose spool room is awaited now, or null. */
    private PartitionSession awaited;
    private long spoolWaits;

    Room(
        final PartitionSession[] sessions,
        final Tickets tickets,
        final ClockBarrier barrier,
        final SlotResume resume,
        final PushWriter writer,
        final Wait wait)
    {
        this.sessions = sessions;
        this.tickets = tickets;
        this.barrier = barrier;
        this.resume = resume;
        this.writer = writer;
        this.wait = wait;
        memory = sessions[0].spool().memory();
    }

    /** Set what must hold before a request is begun, and before the end of an iteration is. Either may throw. */
    void order(final BooleanSupplier condition, final BooleanSupplier endCondition)
    {
        order = condition;
        endOrder = endCondition;
    }

    boolean isInOrder()
    {
        return order.getAsBoolean();
    }

    void awaitOrder()
    {
        wait.until(ORDER, order);
    }

    /** Wait until an iteration may end: it may before earlier pushes are done, and takes the last ticket. */
    void awaitEndOrder()
    {
        wait.until(ORDER, endOrder);
        if (!tickets.hasRoom())
        {
            wait.until("a free ticket", tickets::hasRoom);
        }
    }

    /**
     * True if a ticket is free. In a sequential job another one is reserved for the end of an iteration, for which all
     * others may wait.
     */
    boolean hasTicket()
    {
        final boolean hasRoom = barrier.isSequential() ? tickets.hasRoomForTwo() : tickets.hasRoom();
        if (!hasRoom && tickets.isRoomTakenByPush() && barrier.isEndAwaited())
        {
            throw new IllegalStateException("all maxTickets are in use, and wait for clock() in a sequential job:" +
                " push and pull less between two clocks, or raise maxTickets");
        }

        return hasRoom;
    }

    void awaitTicket()
    {
        if (!hasTicket())
        {
            wait.until("a free ticket", this::hasTicket);
        }
    }

    void awaitWelcome(final RowPlan plan)
    {
        if (!isWelcome(plan))
        {
            wait.until("a first welcome of the partitions pushed to", () -> isWelcome(plan));
        }
    }

    /** True if all of a push can be made now. */
    boolean isFor(final PushRequest request)
    {
        if (!hasTicket() || !isWelcome(request.plan()))
        {
            return false;
        }
        memory.beginRound();
        try
        {
            for (final PartitionSession session : sessions)
            {
                if (!writer.hasRoom(request, session))
                {
                    requireEnd(session);
                    requireMemory(session);
                    return false;
                }
            }
        }
        finally
        {
            memory.endRound();
        }

        return true;
    }

    /** Wait for a whole push. Its room may need a snapshot of the parts applied, though the spool is not half full. */
    void awaitWhole(final PushRequest request)
    {
        if (isFor(request))
        {
            return;
        }
        try
        {
            wait.until("room for a whole push in the spools", () -> isForOrSays(request));
        }
        finally
        {
            for (final PartitionSession session : sessions)
            {
                session.spool().isRoomAwaited(false);
            }
        }
    }

    /** Wait until the part of a push that was measured last fits. */
    void awaitPart(final PartitionSession session)
    {
        await(session, () ->
        {
            requireEnd(session);
            return writer.hasRoomForPart(session);
        });
    }

    void awaitEmptyPart(final PartitionSession session)
    {
        if (!writer.hasRoomForEmpty(session))
        {
            await(session, () -> writer.hasRoomForEmpty(session));
        }
    }

    void awaitEnd(final PartitionSession session)
    {
        if (!writer.hasRoomForClock(session))
        {
            await(session, () ->
            {
                final boolean hasRoom = writer.hasRoomForClock(session);
                if (!hasRoom)
                {
                    requireEnd(session);
                }
                return hasRoom;
            });
        }
    }

    void awaitPull(final PullRequests pulls)
    {
        wait.until("an earlier pull's answer", () -> pulls.room() > 0);
    }

    /** True if a request waits for room in the spool of a partition. */
    boolean isAwaitedOf(final PartitionSession session)
    {
        return awaited == session;
    }

    long spoolWaits()
    {
        return spoolWaits;
    }

    private void await(final PartitionSession session, final BooleanSupplier condition)
    {
        spoolWaits++;
        awaited = session;
        try
        {
            wait.until(SPOOL, condition);
        }
        finally
        {
            awaited = null;
        }
    }

    /** As {@link #isFor}; if not, it tells the spools which of them are short. */
    private boolean isForOrSays(final PushRequest request)
    {
        final boolean isRoom = isFor(request);
        for (int i = 0; !isRoom && i < sessions.length; i++)
        {
            sessions[i].spool().isRoomAwaited(!writer.hasRoom(request, sessions[i]));
        }

        return isRoom;
    }

    /**
     * True if every partition that a push goes to has welcomed this process. In a sequential job all partitions must
     * have, so that nothing is pushed where the slot is further than this process knows.
     */
    private boolean isWelcome(final RowPlan plan)
    {
        boolean isWelcome = true;
        for (final PartitionSession session : sessions)
        {
            isWelcome &= session.epoch() >= 0 || plan.begin(session.partition()) == plan.end(session.partition());
        }
        if (!isWelcome || !barrier.isSequential())
        {
            return isWelcome;
        }
        for (final PartitionSession session : sessions)
        {
            resume.check(session);
        }

        return resume.isKnown();
    }

    /**
     * Refuse a push that never fits. The parts of a push to each partition fit its spool: together they must fit the
     * memory of all spools, too.
     */
    private void requireMemory(final PartitionSession session)
    {
        boolean isNothingKept = session.spool().isMemoryShort();
        for (final PartitionSession other : sessions)
        {
            isNothingKept &= other.spool().isEmpty();
        }
        if (isNothingKept)
        {
            throw new IllegalArgumentException("push to " + sessions.length + " partitions never fits their spools" +
                " at once, with spoolTotalBytes=" + memory.totalBytes() +
                ": push fewer rows, or raise spoolTotalBytes");
        }
    }

    /**
     * Refuse a wait that only the end of this slot's iteration ends. Room comes when pushes are applied: in a
     * sequential job when all slots have ended the iteration.
     */
    private void requireEnd(final PartitionSession session)
    {
        final boolean isMemoryShort = session.spool().isMemoryShort();
        if (session.awaitsOwnClock() || isMemoryShort && barrier.isEndAwaited())
        {
            throw new IllegalStateException("no room in the spool of partition=" + session.partition() +
                ": it keeps what this slot has pushed since its last clock(), all of it in a sequential job; push" +
                " less, call clock() more often, or raise " + (isMemoryShort ?
                "spoolTotalBytes=" + memory.totalBytes() : "spoolBytesPerPartition and maxInFlight"));
        }
    }
}
