// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.PullRequests;
import io.gradstream.worker.session.Spool;
import io.gradstream.worker.session.SpoolPolicy;
import io.gradstream.worker.session.Tickets;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Turns pushes, pulls and clocks of the caller into messages of the partitions.
 * <p>
 * The polled forms do all or nothing. The blocking forms go on part by part as room appears. In a sequential job no
 * room appears before the clock ends: there a push is made whole or not at all.
 */
public final class Requests
{
    private static final String ORDER = "the end of the tickets that must be done before";

    private final ClientRights rights;
    private final PartitionSession[] sessions;
    private final PullRequests[] pulls;
    private final Spool.Memory memory;
    private final Tickets tickets;
    private final RowPlan plan;
    private final PushWriter pushWriter;
    private final PullWriter pullWriter;
    private final ClockGate gate;
    private final SlotClock slotClock;
    private final ClockNumbers numbers;
    private final RowSource source = new RowSource();
    private final Wait wait;
    private final Consumer<String> problemListener;
    private final SpoolPolicy spoolPolicy;
    private long clock;
    private long pullAhead;
    private boolean isFinished;
    private long clocksWritten;
    private long dropped;
    private long spoolWaits;
    /** True once everything is done that must come before the next request. */
    private BooleanSupplier order = () -> true;
    /** The same for the end of a clock, for which the earlier tickets may wait. */
    private BooleanSupplier clockOrder = () -> true;

    // what the conditions below look at; fields, so that waiting captures nothing
    private PartitionSession waitingSession;
    private TableSpec waitingSpec;
    private boolean isClockWaiting;
    private final BooleanSupplier isTicketFree;
    private final BooleanSupplier isSpoolFree = this::isSpoolFree;
    private final BooleanSupplier isWelcome;
    private final BooleanSupplier isPushWelcome = this::isPushWelcome;
    private final BooleanSupplier isPushTicketFree = this::hasTicket;
    private final BooleanSupplier isWholePushFree = this::isWholePushFree;
    private final BooleanSupplier isSettled = this::isSettled;
    private final BooleanSupplier arePullsAnswered = this::arePullsAnswered;
    private final BooleanSupplier isEmptyFree = this::isEmptyFree;

    Requests(
        final ClientSettings settings,
        final PartitionSession[] sessions,
        final PullRequests[] pulls,
        final Tickets tickets,
        final Wait wait)
    {
        rights = new ClientRights(settings.identity().slot());
        this.sessions = sessions;
        this.pulls = pulls;
        memory = sessions[0].spool().memory();
        this.tickets = tickets;
        this.wait = wait;
        problemListener = settings.problemListener();
        plan = new RowPlan(new PartitionFunction(sessions.length));
        final int maxPartLength = settings.limits().maxPartLength();
        numbers = new ClockNumbers(settings.identity().role(), settings.ackLevel(), sessions, pulls);
        pushWriter = new PushWriter(source,
            settings.identity().slot(), maxPartLength, settings.isAudited(), numbers.partsPerClock());
        pullWriter = new PullWriter(sessions, pulls, maxPartLength / Long.BYTES, wait);
        spoolPolicy = settings.spoolPolicy();
        clock = settings.initialClock();
        isTicketFree = tickets::hasRoom;
        gate = new ClockGate(sessions);
        slotClock = new SlotClock(sessions);
        isWelcome = slotClock::isKnown;
    }

    public ClientRights rights()
    {
        return rights;
    }

    /** The rows of the next push or pull, to be filled in before it. */
    public RowPlan plan()
    {
        return plan;
    }

    /** The gradients of the next push, to be filled in before it. */
    public RowSource source()
    {
        return source;
    }

    /**
     * Set a condition that must hold before anything is begun from here on: a blocking call waits for it, another
     * begins nothing.
     *
     * @param condition      looked at each time; it may throw, and then nothing is begun.
     * @param clockCondition as condition, for the end of a clock.
     */
    public void order(final BooleanSupplier condition, final BooleanSupplier clockCondition)
    {
        order = condition;
        clockOrder = clockCondition;
    }

    /** Push the rows of plan and source if there is room for all of them now. */
    public long tryPush(final TableSpec spec, final int rows, final long nowNs)
    {
        requirePush();
        source.check(spec, rows);

        return order.getAsBoolean() && hasPushRoom(spec) ? push(spec, true, nowNs) : Tickets.NOT_NOW;
    }

    /** Push the rows of plan and source, part by part as room appears. */
    public long pushBlocking(final TableSpec spec, final int rows, final long nowNs)
    {
        requirePush();
        source.check(spec, rows);
        awaitOrder();
        if (SpoolPolicy.DROP_NEWEST == spoolPolicy && !hasPushRoom(spec))
        {
            dropped++;
            return Tickets.NOT_NOW;
        }
        wait.until("a first welcome of the partitions pushed to", isPushWelcome);
        wait.until("a free ticket", isPushTicketFree);
        final boolean isWhole = slotClock.isSequential();
        if (isWhole)
        {
            awaitWholePush(spec);
        }

        return push(spec, isWhole, nowNs);
    }

    /** Pull the rows of the plan into one of two arrays if there is room now. */
    public long tryPull(final TableSpec spec, final float[] floats, final long[] longs, final long nowNs)
    {
        rights.requireOpen();
        if (!order.getAsBoolean() || !hasTicket() || !pullWriter.hasRoom(plan))
        {
            return Tickets.NOT_NOW;
        }

        return pull(spec, floats, longs, nowNs);
    }

    /** Pull the rows of the plan into one of two arrays, part by part as room appears. */
    public long pullBlocking(final TableSpec spec, final float[] floats, final long[] longs, final long nowNs)
    {
        rights.requireOpen();
        awaitOrder();
        wait.until("a free ticket", isPushTicketFree);

        return pull(spec, floats, longs, nowNs);
    }

    /** Pull rows of a system table at one partition. */
    public long pullSystem(
        final int partition, final TableSpec spec, final long[] keys, final long[] out, final long nowNs)
    {
        rights.requireOpen();
        awaitOrder();
        wait.until("a free ticket", isPushTicketFree);
        final long ticket = tickets.open(false, nowNs);
        pullWriter.writeSystem(partition, spec, keys, out, ticket);
        tickets.seal(ticket, nowNs);

        return ticket;
    }

    /** This slot has finished an iteration. */
    public long clock(final long nowNs)
    {
        requireClock();
        awaitPulls();
        if (numbers.isOn())
        {
            fillClock();
        }
        final long ticket = writeClock(clock + 1, nowNs);
        clock++;

        return ticket;
    }

    /** This slot will push no more: it holds no other slot back. */
    public long finish(final long nowNs)
    {
        requireClock();
        awaitPulls();
        final long ticket = writeClock(Consistency.FINISHED, nowNs);
        isFinished = true;

        return ticket;
    }

    /**
     * Tell the servers which clock the slot has from before, if any: others wait for it, and so does its own pull. If
     * the process before has ended that clock at some partitions only, the other partitions end it with the parts that
     * they hold.
     */
    public void tellInitialClock(final long nowNs)
    {
        if (clock != 0 || numbers.isOn())
        {
            requireClock();
            wait.until("a first welcome of each partition", isWelcome);
            clock = numbers.isOn() ? numbers.begin() : slotClock.goOnFrom(clock);
            isFinished = Consistency.FINISHED == clock;
            final String doubt = slotClock.doubt();
            if (null != doubt)
            {
                problemListener.accept(doubt);
            }
        }
        if (numbers.isOn())
        {
            slotClock.trustSequences();
        }
        else if (clock > 0)
        {
            writeClock(clock, nowNs);
            slotClock.onTold();
        }
    }

    /**
     * Go on after the iterations that are safe at all partitions, whichever process of the slot has pushed them.
     *
     * @return iterations that the slot has finished.
     */
    public long skipToSlot()
    {
        final long safe = numbers.isOn() && !isFinished ? numbers.clocksSafe() : 0;
        if (safe > clock)
        {
            wait.until("what this process has pushed is safe", isSettled);
            numbers.skipTo(safe);
            clock = safe;
        }

        return clock;
    }

    /** Push the missing parts of a clock, empty; or only its end, if the other process has pushed all of the clock. */
    private void fillClock()
    {
        if (numbers.isOvertaken(clock))
        {
            wait.until("what this process has pushed is safe", isSettled);
            numbers.skipToEnd(clock);
        }
        for (final PartitionSession session : sessions)
        {
            while (numbers.missing(session, clock) > 0)
            {
                waitingSession = session;
                wait.until("room in the spool for an empty part", isEmptyFree);
                waitingSession = null;
                pushWriter.writeEmpty(session, clock);
            }
        }
    }

    private boolean isEmptyFree()
    {
        return pushWriter.hasRoomForEmpty(waitingSession);
    }

    private boolean isSettled()
    {
        return gate.isOpen() && numbers.isSettled();
    }

    /**
     * One duty cycle: release ends of clocks, and seal the tickets of pushes that the other process of the slot has
     * made.
     */
    int doWork(final long nowNs)
    {
        return gate.doWork() + numbers.sealLeft(tickets, nowNs);
    }

    private void requireClock()
    {
        requirePush();
        wait.until(ORDER, clockOrder);
        wait.until("a free ticket", isTicketFree);
    }

    /**
     * Wait for pulls. In a sequential job a pull returns everything that all slots have pushed in the iterations before
     * its own, and nothing of its own: its answer must come before this slot ends that iteration. Servers do not wait
     * for other messages of this slot.
     */
    private void awaitPulls()
    {
        if (slotClock.isSequential())
        {
            wait.until("the answers to pulls of the iteration that ends", arePullsAnswered);
        }
    }

    private boolean arePullsAnswered()
    {
        for (final PullRequests partitionPulls : pulls)
        {
            if (partitionPulls.isOutstanding(clock))
            {
                return false;
            }
        }

        return true;
    }

    private void awaitOrder()
    {
        wait.until(ORDER, order);
    }

    private void requirePush()
    {
        rights.requirePush();
        if (isFinished)
        {
            throw new IllegalStateException("this slot has finished: it can pull, and push no more");
        }
    }

    private long writeClock(final long newClock, final long nowNs)
    {
        memory.beginRound();
        try
        {
            for (final PartitionSession session : sessions)
            {
                if (!pushWriter.hasRoomForClock(session))
                {
                    awaitSpool(session, true);
                }
                slotClock.check(session);
            }
        }
        finally
        {
            memory.endRound();
        }
        clocksWritten++;
        final long ticket = tickets.open(true, nowNs);
        // all of them at once: nothing is sent, nor takes any room, in between
        for (final PartitionSession session : sessions)
        {
            gate.close(session);
            pushWriter.writeClock(session, ticket, newClock, slotClock.adopted(session));
        }
        gate.onWritten();
        tickets.seal(ticket, nowNs);

        return ticket;
    }

    public long clocksDone()
    {
        return clock;
    }

    /**
     * Pulls from here on are for a later iteration than the one under way.
     *
     * @param iterations number of iterations after it.
     */
    public void pullAhead(final long iterations)
    {
        pullAhead = iterations;
    }

    /** Clocks that were sent to each partition. */
    public long clocksWritten()
    {
        return clocksWritten;
    }

    /** True if a request waits for room in the spool of a partition. */
    boolean isWaitingFor(final PartitionSession session)
    {
        return waitingSession == session;
    }

    /** Pushes that were not made because there was no room. */
    public long dropped()
    {
        return dropped;
    }

    public long spoolWaits()
    {
        return spoolWaits;
    }

    private long push(final TableSpec spec, final boolean isRoomKnown, final long nowNs)
    {
        pushWriter.begin(isRoomKnown);
        final boolean isOvertaken = numbers.isOvertaken(clock);
        for (int i = 0; numbers.isOn() && !isOvertaken && i < sessions.length; i++)
        {
            numbers.check(sessions[i], pushWriter.parts(spec, plan, i), clock);
        }
        final long ticket = tickets.open(true, nowNs);
        if (isOvertaken)
        {
            numbers.leave(ticket, clock);
            source.release();
            return ticket;
        }
        try
        {
            for (final PartitionSession session : sessions)
            {
                int index = plan.begin(session.partition());
                while (index < plan.end(session.partition()))
                {
                    final int next = pushWriter.write(spec, plan, index, session, ticket, clock);
                    if (Spool.NOT_NOW == next)
                    {
                        awaitSpool(session, false);
                    }
                    else
                    {
                        index = next;
                    }
                }
            }
        }
        finally
        {
            source.release();
            tickets.seal(ticket, nowNs);
        }

        return ticket;
    }

    private long pull(final TableSpec spec, final float[] floats, final long[] longs, final long nowNs)
    {
        final long ticket = tickets.open(false, nowNs);
        try
        {
            pullWriter.write(
                spec, plan, floats, longs, ticket, isFinished ? Consistency.FINISHED : clock + pullAhead);
        }
        finally
        {
            tickets.seal(ticket, nowNs);
        }

        return ticket;
    }

    private boolean hasPushRoom(final TableSpec spec)
    {
        if (!hasTicket() || !isPushWelcome())
        {
            return false;
        }
        memory.beginRound();
        try
        {
            for (final PartitionSession session : sessions)
            {
                if (!pushWriter.hasRoom(spec, plan, session))
                {
                    requireClockToEnd(session);
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

    /** Wait for a whole push. Its room may need a snapshot of the parts applied, though the spool is not half full. */
    private void awaitWholePush(final TableSpec spec)
    {
        waitingSpec = spec;
        try
        {
            wait.until("room for a whole push in the spools", isWholePushFree);
        }
        finally
        {
            for (final PartitionSession session : sessions)
            {
                session.spool().isRoomAwaited(false);
            }
        }
    }

    private boolean isWholePushFree()
    {
        if (hasPushRoom(waitingSpec))
        {
            return true;
        }
        for (final PartitionSession session : sessions)
        {
            session.spool().isRoomAwaited(!pushWriter.hasRoom(waitingSpec, plan, session));
        }

        return false;
    }

    /**
     * True if every partition that the push goes to has welcomed this process. In a sequential job all partitions must
     * have, so that nothing is pushed where the slot is further than this process knows.
     */
    private boolean isPushWelcome()
    {
        boolean isWelcomed = true;
        for (final PartitionSession session : sessions)
        {
            isWelcomed &= session.epoch() >= 0 || plan.begin(session.partition()) == plan.end(session.partition());
        }
        if (!isWelcomed || !slotClock.isSequential())
        {
            return isWelcomed;
        }
        for (final PartitionSession session : sessions)
        {
            slotClock.check(session);
        }

        return slotClock.isKnown();
    }

    private void awaitSpool(final PartitionSession session, final boolean isClock)
    {
        waitingSession = session;
        isClockWaiting = isClock;
        spoolWaits++;
        wait.until("room in the spool, or a first welcome", isSpoolFree);
        waitingSession = null;
    }

    private boolean isSpoolFree()
    {
        if (isClockWaiting)
        {
            final boolean hasRoom = pushWriter.hasRoomForClock(waitingSession);
            if (!hasRoom)
            {
                requireClockToEnd(waitingSession);
            }
            return hasRoom;
        }
        requireClockToEnd(waitingSession);
        return pushWriter.hasRoomForPart(waitingSession);
    }

    /**
     * Refuse a wait that cannot end. Room comes when pushes are applied: in a sequential job when all slots have ended
     * the clock.
     */
    private void requireClockToEnd(final PartitionSession session)
    {
        final boolean isMemoryShort = session.spool().isMemoryShort();
        if (session.awaitsOwnClock() || isMemoryShort && awaitOwnClock())
        {
            throw new IllegalStateException("no room in the spool of partition=" + session.partition() +
                ": it keeps what this slot has pushed since its last clock(), all of it in a sequential job; push" +
                " less, call clock() more often, or raise " + (isMemoryShort ?
                "spoolTotalBytes=" + memory.totalBytes() : "spoolBytesPerPartition and maxInFlight"));
        }
    }

    /**
     * True if pushes are outstanding, and no server applies any of them before this slot calls clock(). In a sequential
     * job they are all its pushes since the last clock().
     */
    public boolean awaitOwnClock()
    {
        boolean isHeld = false;
        for (final PartitionSession session : sessions)
        {
            if (session.awaitsOwnClock())
            {
                isHeld = true;
            }
            else if (!session.spool().isEmpty())
            {
                return false;
            }
        }

        return isHeld;
    }

    /**
     * True if a ticket is free. In a sequential job another one is reserved for the end of a clock, for which all
     * others may wait.
     */
    private boolean hasTicket()
    {
        final boolean hasRoom = slotClock.isSequential() ? tickets.hasRoomForTwo() : tickets.hasRoom();
        if (!hasRoom && tickets.isRoomTakenByPush() && awaitOwnClock())
        {
            throw new IllegalStateException("all maxTickets are in use, and wait for clock() in a sequential job:" +
                " push and pull less between two clocks, or raise maxTickets");
        }

        return hasRoom;
    }
}
