// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Consistency;
import io.gradstream.worker.request.PushRequest;
import io.gradstream.worker.request.PushWriter;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.PullRequests;
import io.gradstream.worker.session.Spool;
import io.gradstream.worker.session.Tickets;

import java.util.function.Consumer;

/**
 * The iterations of this process's slot: how many are finished, the end of each, and where the slot goes on after a
 * process before this one, or beside another.
 */
public final class Iteration
{
    private final ClientRights rights;
    private final PartitionSession[] sessions;
    private final PullRequests[] pulls;
    private final Tickets tickets;
    private final PushWriter writer;
    private final Wait wait;
    private final Consumer<String> problemListener;
    private final ClockBarrier barrier;
    private final SlotResume resume;
    private final DeterministicSequences sequences;
    private final Room room;
    private long done;
    private long ahead;
    private long endsWritten;
    private boolean isFinished;

    Iteration(
        final ClientSettings settings,
        final ClientRights rights,
        final PartitionSession[] sessions,
        final PullRequests[] pulls,
        final Tickets tickets,
        final PushWriter writer,
        final Wait wait)
    {
        this.rights = rights;
        this.sessions = sessions;
        this.pulls = pulls;
        this.tickets = tickets;
        this.writer = writer;
        this.wait = wait;
        problemListener = settings.problemListener();
        barrier = new ClockBarrier(sessions);
        resume = new SlotResume(sessions, barrier);
        sequences = new DeterministicSequences(settings.identity().role(), settings.ackLevel(), sessions, pulls);
        room = new Room(sessions, tickets, barrier, resume, writer, wait);
        done = settings.initialClock();
    }

    /** This slot has finished an iteration. */
    public long end(final long nowNs)
    {
        awaitEnd();
        if (sequences.isOn())
        {
            fill();
        }
        final long ticket = writeEnd(done + 1, nowNs);
        done++;

        return ticket;
    }

    /** This slot will push no more: it holds no other slot back. */
    public long finish(final long nowNs)
    {
        awaitEnd();
        final long ticket = writeEnd(Consistency.FINISHED, nowNs);
        isFinished = true;

        return ticket;
    }

    /**
     * Tell the servers how many iterations the slot has finished before, if any: others wait for it, and so does its
     * own pull. If the process before has ended an iteration at some partitions only, the other partitions end it with
     * the parts that they hold.
     */
    public void resume(final long nowNs)
    {
        if (done != 0 || sequences.isOn())
        {
            requireUnderWay();
            room.awaitEndOrder();
            wait.until("a first welcome of each partition", resume::isKnown);
            done = sequences.isOn() ? sequences.begin() : resume.goOnFrom(done);
            isFinished = Consistency.FINISHED == done;
            tellDoubt();
        }
        if (sequences.isOn())
        {
            resume.trustSequences();
        }
        else if (done > 0)
        {
            writeEnd(done, nowNs);
            resume.onTold();
        }
    }

    /**
     * Fence the process before this one, and stand where it has stood. Servers are not told so: a process that goes on
     * in the slot begins where they say.
     */
    public void fence()
    {
        requireUnderWay();
        wait.until("a first welcome of each partition", resume::isKnown);
        done = resume.goOnFrom(SlotResume.AS_SERVERS_SAY);
        isFinished = Consistency.FINISHED == done;
        tellDoubt();
    }

    private void tellDoubt()
    {
        final String doubt = resume.doubt();
        if (null != doubt)
        {
            problemListener.accept(doubt);
        }
    }

    /**
     * Go on after the iterations that are safe at all partitions, whichever process of the slot has pushed them.
     *
     * @return iterations that the slot has finished.
     */
    public long skipToSlot()
    {
        final long safe = sequences.isOn() && !isFinished ? sequences.clocksSafe() : 0;
        if (safe > done)
        {
            awaitSettled();
            sequences.skipTo(safe);
            done = safe;
        }

        return done;
    }

    /** Pulls from here on are for so many iterations after the one under way. */
    public void prefetch(final long iterations)
    {
        ahead = iterations;
    }

    /** Iterations that the slot has finished. */
    public long done()
    {
        return done;
    }

    /** True if this slot will push no more. */
    public boolean isFinished()
    {
        return isFinished;
    }

    /** Ends of iterations that were sent to each partition. */
    public long endsWritten()
    {
        return endsWritten;
    }

    /**
     * True if pushes are outstanding, and no server applies any of them before this slot ends its iteration. In a
     * sequential job they are all its pushes since the last end.
     */
    public boolean isEndAwaited()
    {
        return barrier.isEndAwaited();
    }

    /** One duty cycle: release ends, and seal the tickets of pushes that the other process of the slot has made. */
    int doWork(final long nowNs)
    {
        return barrier.doWork() + sequences.doWork(tickets, nowNs);
    }

    Room room()
    {
        return room;
    }

    /** True if a server has said that the job is sequential. */
    public boolean isSequential()
    {
        return barrier.isSequential();
    }

    /** Iterations before the one that a pull is for. */
    long pulled()
    {
        return isFinished ? Consistency.FINISHED : done + ahead;
    }

    void requireUnderWay()
    {
        rights.requirePush();
        if (isFinished)
        {
            throw new IllegalStateException("this slot has finished: it can still pull, but no longer push");
        }
    }

    /** True if the other process of the slot has pushed all of this iteration, so that a push is left to it. */
    boolean isOvertaken()
    {
        return sequences.isOvertaken(done);
    }

    /** Leave a push to the other process of the slot: its ticket is done once that one's push is safe. */
    void leave(final long ticket)
    {
        sequences.leave(ticket, done);
    }

    /**
     * Check that the iteration has a sequence for each part of a push.
     *
     * @throws IllegalStateException if it has not.
     */
    void check(final PushRequest request)
    {
        for (int i = 0; sequences.isOn() && i < sessions.length; i++)
        {
            sequences.check(sessions[i], writer.parts(request, i), done);
        }
    }

    /**
     * Wait until the iteration may end. In a sequential job a pull returns everything that all slots have pushed in the
     * iterations before its own, and nothing of its own: its answer must come before this slot ends that iteration.
     * Servers do not wait for other messages of this slot.
     */
    private void awaitEnd()
    {
        requireUnderWay();
        room.awaitEndOrder();
        if (barrier.isSequential() && !arePullsAnswered())
        {
            wait.until("the answers to pulls of the iteration that ends", this::arePullsAnswered);
        }
    }

    private boolean arePullsAnswered()
    {
        for (final PullRequests partitionPulls : pulls)
        {
            if (partitionPulls.isOutstanding(done))
            {
                return false;
            }
        }

        return true;
    }

    private void awaitSettled()
    {
        wait.until("what this process has pushed is safe", () -> barrier.isOpen() && sequences.isSettled());
    }

    /**
     * Push the missing parts, empty; or none, if a push of the iteration was left to the other process, which has
     * pushed all of it. A process that has left none continues with the end at once. If the other process has died, and
     * its end has not reached every partition, what this process has pushed is safe only after it has sent that end.
     */
    private void fill()
    {
        if (sequences.hasLeft(done) && isAnyMissing())
        {
            awaitSettled();
            sequences.skipToEnd(done);
        }
        for (final PartitionSession session : sessions)
        {
            while (sequences.missing(session, done) > 0)
            {
                room.awaitEmptyPart(session);
                writer.writeEmpty(session, done);
            }
        }
    }

    private boolean isAnyMissing()
    {
        boolean isAny = false;
        for (final PartitionSession session : sessions)
        {
            isAny |= sequences.missing(session, done) > 0;
        }

        return isAny;
    }

    private long writeEnd(final long clock, final long nowNs)
    {
        final Spool.Memory memory = sessions[0].spool().memory();
        memory.beginRound();
        try
        {
            for (final PartitionSession session : sessions)
            {
                room.awaitEnd(session);
                resume.check(session);
            }
        }
        finally
        {
            memory.endRound();
        }
        endsWritten++;
        final long ticket = tickets.open(true, nowNs);
        // all of them at once: nothing is sent, nor takes any room, in between
        for (final PartitionSession session : sessions)
        {
            barrier.close(session);
            writer.writeClock(session, ticket, clock, resume.adopted(session));
        }
        barrier.onWritten();
        tickets.seal(ticket, nowNs);

        return ticket;
    }
}
