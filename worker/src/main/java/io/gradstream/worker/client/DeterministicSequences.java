// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.SlotRole;
import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.PullRequests;
import io.gradstream.worker.session.Tickets;
import org.agrona.collections.LongArrayList;

/**
 * Numbers the parts of a slot that is backed up. The iteration alone determines the sequences, so that both processes
 * of the slot give the same part the same sequence. An iteration has a fixed number of parts at each partition, some of
 * them empty if need be, and then its end.
 */
final class DeterministicSequences
{
    private final PartitionSession[] sessions;
    private final PullRequests[] pulls;
    private final AckLevel ackLevel;
    private final int partsPerClock;
    /** Pushes that were left to the other process, and the clock of each. */
    private final LongArrayList leftTickets = new LongArrayList();
    private final LongArrayList leftClocks = new LongArrayList();
    /** Last clock of which a push was left to the other process; -1: none. */
    private long lastLeft = -1;

    DeterministicSequences(
        final SlotRole role, final AckLevel ackLevel, final PartitionSession[] sessions, final PullRequests[] pulls)
    {
        this.ackLevel = ackLevel;
        this.sessions = sessions;
        this.pulls = pulls;
        partsPerClock = role.partsPerClock();
    }

    /** True if the slot is backed up. */
    boolean isOn()
    {
        return partsPerClock > 0;
    }

    /**
     * Begin at the first clock of which anything may be missing at any partition. Only once all have welcomed this
     * process.
     *
     * @return iterations that the slot has finished, all of them safe, and so the end of all.
     */
    long begin()
    {
        long least = Consistency.FINISHED;
        boolean isFinished = true;
        for (final PartitionSession session : sessions)
        {
            least = Math.min(least, session.lastSequence() / length());
            // parts that are not safe may be lost with the other process and a primary: the slot would be unfinished
            isFinished &= Consistency.FINISHED == session.heldBefore().clock() &&
                session.heldBefore().sequence() <= session.lastSequence();
        }
        if (isFinished)
        {
            return Consistency.FINISHED;
        }
        skipTo(least);

        return least;
    }

    /**
     * Check that so many more parts may be pushed to a partition in a clock.
     *
     * @throws IllegalStateException if they may not.
     */
    void check(final PartitionSession session, final int parts, final long clock)
    {
        if (parts > 0 && session.lastSequence() + parts >= end(clock))
        {
            throw new IllegalStateException("iteration " + clock + " has more than partsPerClock=" + partsPerClock +
                " parts at partition=" + session.partition() + ": a slot that is backed up pushes a fixed number of" +
                " them; raise partsPerClock in both its processes, push once between two clocks, or raise" +
                " maxPartLength");
        }
    }

    /** Parts that are missing at a partition until the end of a clock. */
    long missing(final PartitionSession session, final long clock)
    {
        return end(clock) - session.lastSequence() - 1;
    }

    /**
     * True if this process's work in a clock is worth nothing: a pull for the clock has shown rows that have this
     * slot's pushes of the clock in them already. This happens only where clocks are summed, and only after the other
     * process has pushed all of the clock. It stays so when partitions no longer sum clocks of this slot, because the
     * other process has finished the slot.
     */
    boolean isOvertaken(final long clock)
    {
        boolean isOvertaken = false;
        for (final PullRequests ofPartition : pulls)
        {
            isOvertaken |= isOn() && ofPartition.overtaken() >= clock;
        }

        return isOvertaken;
    }

    /** True if this process has left a push of a clock to the other one. An empty part must not stand for it. */
    boolean hasLeft(final long clock)
    {
        return lastLeft == clock;
    }

    /** Leave a push to the other process: its ticket, not sealed, is done once its clock's end is safe. */
    void leave(final long ticket, final long clock)
    {
        leftTickets.addLong(ticket);
        leftClocks.addLong(clock);
        lastLeft = clock;
    }

    /** One duty cycle: seal the tickets of pushes that were left to the other process, and are safe. */
    int doWork(final Tickets tickets, final long nowNs)
    {
        if (leftClocks.isEmpty())
        {
            return 0;
        }
        final long safe = clocksSafe();
        int sealed = 0;
        for (int i = leftClocks.size() - 1; i >= 0; i--)
        {
            if (leftClocks.getLong(i) < safe)
            {
                tickets.seal(leftTickets.getLong(i), nowNs);
                leftTickets.removeAt(i);
                leftClocks.removeAt(i);
                sealed++;
            }
        }

        return sealed;
    }

    /** True if all pushes are safe, so that sequences may be skipped. */
    boolean isSettled()
    {
        for (final PartitionSession session : sessions)
        {
            if (!session.spool().isEmpty())
            {
                return false;
            }
        }

        return true;
    }

    /** Iterations whose ends are safe at all partitions, whichever process has pushed them. */
    long clocksSafe()
    {
        long least = Consistency.FINISHED;
        for (final PartitionSession session : sessions)
        {
            least = Math.min(least, session.watermarks().of(ackLevel) / length());
        }

        return least;
    }

    /** Go on after so many iterations. Only while all is settled. */
    void skipTo(final long clocks)
    {
        for (final PartitionSession session : sessions)
        {
            session.skipTo(clocks * length() + 1);
        }
    }

    /** Leave the parts of a clock to the other process, and go on with the clock's end. Only while all is settled. */
    void skipToEnd(final long clock)
    {
        for (final PartitionSession session : sessions)
        {
            session.skipTo(end(clock));
        }
    }

    /** Sequence of the end of a clock. */
    private long end(final long clock)
    {
        return (clock + 1) * length();
    }

    private int length()
    {
        return partsPerClock + 1;
    }
}
