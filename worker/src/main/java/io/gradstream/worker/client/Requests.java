// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.cache.CachedRows;
import io.gradstream.worker.cache.OwnPushes;
import io.gradstream.worker.cache.ProcessCache;
import io.gradstream.worker.request.PullRequest;
import io.gradstream.worker.request.PullWriter;
import io.gradstream.worker.request.PushRequest;
import io.gradstream.worker.request.PushWriter;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.PullRequests;
import io.gradstream.worker.session.Spool;
import io.gradstream.worker.session.SpoolPolicy;
import io.gradstream.worker.session.Tickets;

import java.util.function.BooleanSupplier;

/**
 * Turns pushes and pulls of the caller into messages of the partitions.
 * <p>
 * The polled forms do all or nothing. The blocking forms go on part by part as room appears. In a sequential job no
 * room appears before the iteration ends: there a push is made whole or not at all.
 */
public final class Requests
{
    private final ClientRights rights;
    private final PartitionSession[] sessions;
    private final PullRequests[] pulls;
    private final Tickets tickets;
    private final PushWriter pushWriter;
    private final PullWriter pullWriter;
    private final Iteration iteration;
    private final Room room;
    private final SpoolPolicy spoolPolicy;
    private final ProcessCache cache;
    private final boolean isSole;
    private long dropped;

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
        this.tickets = tickets;
        final int maxPartLength = settings.limits().maxPartLength();
        pushWriter = new PushWriter(settings.identity().slot(), maxPartLength, settings.isAudited(),
            settings.identity().role().partsPerClock());
        cache = new ProcessCache(sessions.length);
        isSole = settings.identity().role().isSole();
        pullWriter = new PullWriter(sessions, pulls, cache, maxPartLength / Long.BYTES, pushWriter);
        iteration = new Iteration(settings, rights, sessions, pulls, tickets, pushWriter, wait);
        room = iteration.room();
        spoolPolicy = settings.spoolPolicy();
    }

    public ClientRights rights()
    {
        return rights;
    }

    /** The iterations of the slot. */
    public Iteration iteration()
    {
        return iteration;
    }

    /** The rows that answer pulls within the staleness bound. */
    public ProcessCache cache()
    {
        return cache;
    }

    /**
     * Cache the rows of a table.
     *
     * @param maxBytes    of its rows.
     * @param ownPushes   when cached rows show what this worker pushes.
     * @param consistency of the job.
     * @throws IllegalStateException if the job has no staleness bound of 1 or more, or the client is an observer or has
     *                               a slot that is backed up.
     */
    public void cacheRows(
        final TableSpec spec, final long maxBytes, final OwnPushes ownPushes, final Consistency consistency)
    {
        rights.requirePush();
        cache.consistency(consistency);
        if (!cache.isBounded())
        {
            throw new IllegalStateException("table '" + spec.name() + "' cannot be cached: rows are kept within a" +
                " staleness bound of 1 or more, and the job has staleness=" + consistency.label() +
                (consistency.isSequential() ? ", where pulls return exactly the iterations before their own" :
                ", where nothing says how old they may be") + ": set a bound with 'job set --staleness N'");
        }
        if (!isSole)
        {
            throw new IllegalStateException("the slot is backed up: its other process pushes what this one does, so" +
                " that own pushes cannot be told in cached rows; do not cache table '" + spec.name() + "'");
        }
        cache.add(spec, maxBytes, ownPushes);
    }

    /**
     * Require that filters may decide which rows are pushed, and when.
     *
     * @param isHeldBack     true if a row may be pushed later.
     * @param isOfOwnProcess true if that depends on what this process has pulled or pushed before.
     * @throws IllegalStateException if the client is an observer, or rows would be lost or differ without notice.
     */
    public void requireFilter(final String filter, final boolean isHeldBack, final boolean isOfOwnProcess)
    {
        rights.requirePush();
        if (isHeldBack && SpoolPolicy.DROP_NEWEST == spoolPolicy)
        {
            throw new IllegalStateException("filter " + filter + " contradicts spoolPolicy=" + spoolPolicy +
                ": what it holds back would be dropped when it is pushed at last; use BLOCK");
        }
        if (isOfOwnProcess && !isSole)
        {
            throw new IllegalStateException("the slot is backed up, and both of its processes must push the same:" +
                " what filter " + filter + " leaves out depends on what a process has pulled and pushed before");
        }
    }

    /**
     * Require that this slot may push.
     *
     * @throws IllegalStateException if the client is closed or an observer, or the slot has finished.
     */
    public void requireUnderWay()
    {
        iteration.requireUnderWay();
    }

    /**
     * Set a condition that must hold before anything is begun from here on: a blocking call waits for it, another
     * begins nothing.
     *
     * @param condition    looked at each time; it may throw, and then nothing is begun.
     * @param endCondition as condition, for the end of an iteration, for which the earlier tickets may wait.
     */
    public void order(final BooleanSupplier condition, final BooleanSupplier endCondition)
    {
        room.order(condition, endCondition);
    }

    /** Push if there is room for all of it now. */
    public long tryPush(final PushRequest request, final long nowNs)
    {
        iteration.requireUnderWay();
        return room.isInOrder() && room.isFor(request) ? write(request, true, nowNs) : Tickets.NOT_NOW;
    }

    /** Push, part by part as room appears. */
    public long push(final PushRequest request, final long nowNs)
    {
        iteration.requireUnderWay();
        room.awaitOrder();
        if (SpoolPolicy.DROP_NEWEST == spoolPolicy && !room.isFor(request))
        {
            dropped++;
            return Tickets.NOT_NOW;
        }
        room.awaitWelcome(request.plan());
        room.awaitTicket();
        final boolean isWhole = iteration.isSequential();
        if (isWhole)
        {
            room.awaitWhole(request);
        }

        return write(request, isWhole, nowNs);
    }

    /** Pull if there is room for all of it now. */
    public long tryPull(final PullRequest request, final long nowNs)
    {
        rights.requireOpen();
        return room.isInOrder() && room.hasTicket() && pullWriter.hasRoom(request) ?
            write(request, nowNs) : Tickets.NOT_NOW;
    }

    /** Pull, part by part as room appears. */
    public long pull(final PullRequest request, final long nowNs)
    {
        rights.requireOpen();
        room.awaitOrder();
        room.awaitTicket();

        return write(request, nowNs);
    }

    /** The caller of a pull has given it up: nothing is written to its array any more. */
    public void giveBack(final long ticket)
    {
        for (final PullRequests ofPartition : pulls)
        {
            ofPartition.giveBack(ticket);
        }
    }

    /** Pull rows of a system table at one partition. */
    public long pullSystem(
        final int partition, final TableSpec spec, final long[] keys, final long[] out, final long nowNs)
    {
        rights.requireOpen();
        room.awaitOrder();
        room.awaitTicket();
        final long ticket = tickets.open(false, nowNs);
        while (!pullWriter.writeSystem(partition, spec, keys, out, ticket))
        {
            room.awaitPull(pulls[partition]);
        }
        tickets.seal(ticket, nowNs);

        return ticket;
    }

    /** Pushes that were not made because there was no room. */
    public long dropped()
    {
        return dropped;
    }

    /** Times that a request had to wait for room in a spool. */
    public long spoolWaits()
    {
        return room.spoolWaits();
    }

    private long write(final PushRequest request, final boolean isRoomKnown, final long nowNs)
    {
        pushWriter.begin(isRoomKnown);
        final boolean isLeft = iteration.isOvertaken();
        if (!isLeft)
        {
            iteration.check(request);
        }
        final long ticket = tickets.open(true, nowNs);
        if (isLeft)
        {
            iteration.leave(ticket);
            request.release();
            return ticket;
        }
        try
        {
            for (final PartitionSession session : sessions)
            {
                write(request, session, ticket);
            }
        }
        finally
        {
            request.release();
            tickets.seal(ticket, nowNs);
        }

        return ticket;
    }

    private void write(final PushRequest request, final PartitionSession session, final long ticket)
    {
        final CachedRows cached = cache.of(request.tableId());
        int index = request.plan().begin(session.partition());
        while (index < request.plan().end(session.partition()))
        {
            final int next = pushWriter.write(request, index, session, ticket, iteration.done());
            if (Spool.NOT_NOW == next)
            {
                room.awaitPart(session);
            }
            else
            {
                if (null != cached)
                {
                    request.cache(cached, index, next);
                }
                index = next;
                request.onWritten(next);
            }
        }
    }

    private long write(final PullRequest request, final long nowNs)
    {
        final long ticket = tickets.open(false, nowNs);
        boolean isWhole = false;
        try
        {
            for (int partition = 0; partition < pulls.length; partition++)
            {
                write(request, partition, ticket);
            }
            isWhole = true;
        }
        finally
        {
            tickets.seal(ticket, nowNs);
            if (!isWhole)
            {
                giveBack(ticket);
            }
        }

        return ticket;
    }

    private void write(final PullRequest request, final int partition, final long ticket)
    {
        int index = request.plan().begin(partition);
        while (index < request.plan().end(partition))
        {
            final int next = pullWriter.write(request, index, partition, ticket, iteration.pulled());
            if (Spool.NOT_NOW == next)
            {
                room.awaitPull(pulls[partition]);
            }
            else
            {
                index = next;
            }
        }
    }
}
