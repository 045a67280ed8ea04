// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.work;

import io.gradstream.coordinator.client.WorkAnswer;
import io.gradstream.coordinator.client.WorkPiece;
import io.gradstream.coordinator.client.WorkSpec;
import org.agrona.collections.LongArrayQueue;

import java.util.function.LongPredicate;

/**
 * A slot's part of the work that slots share: which batches the slot has been given, which of them its clock has
 * passed, which are acknowledged, and when to tell the coordinators.
 * <p>
 * The batch at a clock of the slot is number {@code clock - floorClock} of the pieces, laid end to end.
 * {@code floorClock <= ackedClock <= clock} after the first answer.
 */
public final class SlotWork
{
    /** Least time between two reports, and the time after which a report that was not answered is repeated. */
    static final long REPORT_INTERVAL_NS = 200_000_000L;
    /** The slot wants to hold batches for so long. */
    static final long AHEAD_NS = 2 * REPORT_INTERVAL_NS;

    private static final long UNKNOWN = -1;
    /** The mean time of a batch is of about so many of the last ones. */
    private static final int MEAN_OF = 8;

    /** The coordinators, as the work of one slot reaches them. */
    public interface Coordinators
    {
        /**
         * Report how far the slot is.
         *
         * @param clock       iterations that the slot has ended.
         * @param ackedClock  those of them whose pushes are acknowledged.
         * @param wanted      batches from there on that the slot wants to hold.
         * @param isLeaving   true if the slot gives back all others.
         * @param isFinishing true if the slot is about to finish for good.
         * @return false if not now.
         */
        boolean report(long clock, long ackedClock, int wanted, boolean isLeaving, boolean isFinishing);

        /** The newest answer to this process that was not polled, or null. */
        WorkAnswer poll();
    }

    private final WorkSpec spec;
    private final Coordinators coordinators;
    private final LongPredicate isDone;
    /** Tickets of the clocks from {@link #ackedClock} on. */
    private final LongArrayQueue tickets = new LongArrayQueue();
    private long clock;
    private long ackedClock;
    private WorkAnswer answer;
    /** The clock of the slot at which it has done all that it was given. */
    private long endClock;
    /** The clock before which batches are left to the process before. */
    private long beginClock;
    private long reportedNs;
    /** Time of the first report that was not answered. */
    private long askedNs;
    private boolean isAnswerAwaited;
    private boolean isLeaving;
    private boolean isFinishing;
    private boolean hasLeft;
    private boolean isOver;
    private WorkSpec replacedBy;
    private int adopt = WorkAnswer.NO_SLOT;
    private long clockNs = UNKNOWN;
    private long batchNs = UNKNOWN;

    /**
     * Work of which nothing is known yet.
     *
     * @param isDone true of a ticket whose push is acknowledged.
     * @param clock  of the slot; all iterations before it are acknowledged.
     */
    public SlotWork(
        final WorkSpec spec,
        final Coordinators coordinators,
        final LongPredicate isDone,
        final long clock,
        final long nowNs)
    {
        this.spec = spec;
        this.coordinators = coordinators;
        this.isDone = isDone;
        this.clock = clock;
        ackedClock = clock;
        endClock = clock;
        beginClock = clock;
        reportedNs = nowNs - REPORT_INTERVAL_NS;
    }

    /** The slot has ended an iteration, which is one batch. */
    public void onClock(final long ticket, final long nowNs)
    {
        clock++;
        tickets.addLong(ticket);
        if (UNKNOWN != clockNs)
        {
            batchNs = UNKNOWN == batchNs ? nowNs - clockNs : batchNs + (nowNs - clockNs - batchNs) / MEAN_OF;
        }
        // a time in which the slot has nothing to do is none of a batch
        clockNs = clock < endClock ? nowNs : UNKNOWN;
    }

    /** One duty cycle: see what is acknowledged, take an answer, and report if it is time. */
    public int doWork(final long nowNs)
    {
        while (!tickets.isEmpty() && isDone.test(tickets.peekLong()))
        {
            tickets.pollLong();
            ackedClock++;
        }
        int workCount = 0;
        final WorkAnswer newest = coordinators.poll();
        if (null != newest)
        {
            onAnswer(newest, nowNs);
            workCount++;
        }
        if (isReportDue(nowNs) && coordinators.report(clock, ackedClock, wanted(), isLeaving, isFinishing))
        {
            reportedNs = nowNs;
            askedNs = isAnswerAwaited ? askedNs : nowNs;
            isAnswerAwaited = true;
            workCount++;
        }

        return workCount;
    }

    /**
     * The batches from the slot's clock on that are of one unit; the first of them begins now.
     *
     * @return null if the slot has been given none, or the first answer has not come.
     */
    public WorkUnit next(final long nowNs)
    {
        long from = null == answer ? 0 : answer.floorClock();
        for (int i = 0; clock < endClock && i < answer.pieces().size(); i++)
        {
            final WorkPiece piece = answer.pieces().get(i);
            if (clock >= from && clock < from + piece.length())
            {
                clockNs = UNKNOWN == clockNs ? nowNs : clockNs;
                final int ended = (int)(clock - from);
                return new WorkUnit(spec.passOf(piece.unit()), piece.unit(),
                    spec.firstBatchOf(piece.unit()) + piece.fromBatch() + ended, piece.length() - ended);
            }
            from += piece.length();
        }

        return null;
    }

    /** True if the slot gets no more of the work, or has left it. */
    public boolean isOver()
    {
        return isOver || hasLeft;
    }

    /**
     * True if a process before this one was given batches that it has ended or may have begun, and this one has not
     * ended them: it ends them as they are.
     */
    public boolean isBegunBefore()
    {
        return clock < beginClock;
    }

    /** True if the coordinators know that this process has left the work, which it does not come back to. */
    public boolean hasLeft()
    {
        return hasLeft;
    }

    /**
     * Give back all batches that the slot has not ended: the next report says so.
     *
     * @param isForGood true if the slot is about to finish. In a bounded job it keeps its batches otherwise.
     */
    public void leave(final boolean isForGood)
    {
        isLeaving = true;
        isFinishing |= isForGood;
        // who has left has had an answer
        hasLeft = hasLeft && (!isFinishing || answer.pieces().isEmpty());
    }

    /** The newer work that began before this one was over, so that nobody does the rest; null if there is none. */
    public WorkSpec replacedBy()
    {
        return replacedBy;
    }

    /** True if this slot, which has nothing to do, is to take the work of another one. */
    public boolean isAdoptionAsked()
    {
        return WorkAnswer.NO_SLOT != adopt;
    }

    /** The slot of which this one, which has nothing to do, is to take the work, once; or NO_SLOT. */
    public int takeAdopted()
    {
        final int slot = adopt;
        adopt = WorkAnswer.NO_SLOT;

        return slot;
    }

    /** The newest answer, or null before the first. */
    public WorkAnswer answer()
    {
        return answer;
    }

    /** How long a report has waited for an answer. */
    public long silenceNs(final long nowNs)
    {
        return isAnswerAwaited ? nowNs - askedNs : 0;
    }

    private void onAnswer(final WorkAnswer newest, final long nowNs)
    {
        if (!newest.asked().equals(spec))
        {
            // to a report of this process that was sent twice, about the work before
            return;
        }
        isAnswerAwaited = false;
        if (!newest.isOver() && !newest.work().equals(spec))
        {
            throw new IllegalStateException("work " + spec.workId() + " cannot begin: work " +
                newest.work().workId() + " is under way with " + newest.work().difference(spec) + ", " +
                newest.batchesDone() + " of " + newest.batchesTotal() + " batches done; take part in it as it is, or" +
                " wait for its end and take a greater workId");
        }
        endClock = newest.floorClock() + newest.pieces().stream().mapToLong(WorkPiece::length).sum();
        if (null == answer)
        {
            beginClock = Math.max(clock, newest.floorClock());
            // what it wants, at once
            reportedNs = nowNs - REPORT_INTERVAL_NS;
        }
        answer = newest;
        isOver = newest.isOver() && clock >= endClock;
        replacedBy = newest.isReplaced() ? newest.work() : null;
        // the answer to an earlier report says nothing of the report with which the slot leaves
        hasLeft |= newest.hasLeft() && (!isFinishing || newest.pieces().isEmpty());
        adopt = newest.adopt();
    }

    private boolean isReportDue(final long nowNs)
    {
        return !isOver() && nowNs - reportedNs >= REPORT_INTERVAL_NS &&
            (isLeaving ? ackedClock == clock : null == answer || isAnswerAwaited || endClock - clock <= ahead() / 2);
    }

    /** Nothing at first: what the slot holds then was left by a process before this one. */
    private int wanted()
    {
        return null == answer || isLeaving ? 0 : (int)Math.min(Integer.MAX_VALUE, clock - ackedClock + ahead());
    }

    private long ahead()
    {
        return UNKNOWN == batchNs ? 1 : Math.max(1, AHEAD_NS / Math.max(1, batchNs));
    }
}
