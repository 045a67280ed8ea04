// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker;

import io.gradstream.codecs.Consistency;
import io.gradstream.coordinator.client.WorkAnswer;
import io.gradstream.coordinator.client.WorkReport;
import io.gradstream.coordinator.client.WorkSpec;
import io.gradstream.worker.client.Client;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.WorkerIdentity;
import io.gradstream.worker.work.SlotWork;
import io.gradstream.worker.work.WorkUnit;

import java.util.function.Function;

/**
 * The units of work that the coordinators give to this slot, one after the other. A unit whose slot has died or is slow
 * is given to another slot, after its process was fenced and without the batches that have ended.
 * <p>
 * No batch counts twice. A batch is one clock: call {@link GradstreamClient#clock()} once for each batch of a unit, and
 * for nothing else.
 */
public final class Units
{
    private final GradstreamClient client;
    private final ClientContext context;
    private final Client core;
    private final BlockingCalls calls;
    private final WorkSpec spec;
    private final WorkReport.Found found;
    private final SlotWork work;
    private final Function<WorkAnswer, GradstreamClient> adopter;
    private long pushesEnded;
    private WorkUnit unit;
    private long unitEnd;
    private WorkUnit awaited;

    Units(
        final GradstreamClient client,
        final ClientContext context,
        final Client core,
        final BlockingCalls calls,
        final WorkSpec spec,
        final Function<WorkAnswer, GradstreamClient> adopter)
    {
        this.client = client;
        this.context = context;
        this.core = core;
        this.calls = calls;
        this.spec = spec;
        this.adopter = adopter;
        calls.until("a first welcome of each partition", this::isKnown);
        calls.settled("what was pushed before the work");
        pushesEnded = pushesMade();
        final long clock = Math.min(client.clocksDone(), WorkReport.MAX_CLOCK);
        found = found(clock);
        work = new SlotWork(spec, new Coordinators(), core.tickets()::isDone, clock, calls.nowNs());
    }

    /**
     * The next unit of this slot. Waits until there is one or the work is over, however long that takes: units of
     * another slot may have to be given again.
     *
     * @return null if this slot gets no more: all batches of all slots are done or, in a job with a staleness bound,
     *         none is left to give.
     * @throws IllegalStateException     if the unit before has not as many clocks as batches, or another work is under
     *                                   way in the cluster.
     * @throws GradstreamException       if a work with a greater number began before this one was over, which it may
     *                                   once all processes of this one have left or are silent; it names that work.
     *                                   This slot gets no more units then.
     * @throws OperationTimeoutException if the coordinators do not answer for as long as the operation timeout.
     */
    public WorkUnit next()
    {
        awaited = tryNext();
        while (null == awaited && !isOver())
        {
            calls.await("a unit of work", this::isWaitOver, calls.deadlineNs(context.operationTimeoutNs));
            adopt();
        }
        requireNotReplaced();

        return awaited;
    }

    /**
     * As {@link #next()}, but without waiting: call {@link #adopt()} and {@link GradstreamClient#poll()}, and then this
     * again.
     *
     * @return null if there is none now, or this slot gets no more, as {@link #isOver()} says.
     */
    public WorkUnit tryNext()
    {
        requireEnded();
        requireAnswered();
        if (null == work.answer())
        {
            return null;
        }
        while (work.isBegunBefore())
        {
            client.clock();
        }
        requireNotReplaced();
        unit = isOver() ? null : work.next(calls.nowNs());
        unitEnd = null == unit ? 0 : client.clocksDone() + unit.batches();

        return unit;
    }

    /**
     * Adopt the slot of a process that has died or is slow, if the coordinators ask for that because this slot has
     * nothing to do: fence that process, and have what it has not ended given again. A batch of which it may have
     * pushed a part is not given again.
     */
    public void adopt()
    {
        final int slot = work.takeAdopted();
        if (WorkAnswer.NO_SLOT == slot)
        {
            return;
        }
        try (GradstreamClient other = adopter.apply(work.answer()))
        {
            other.units(spec).leave();
        }
        catch (final SlotFencedException | OperationTimeoutException ex)
        {
            context.errorHandler.onError(new GradstreamException("slot=" + slot + " was not adopted; that is tried" +
                " again if it stays silent or slow", ex));
        }
    }

    /** True if this slot gets no more units, whether or not the work is done: {@link #next()} says so if it is not. */
    public boolean isOver()
    {
        return work.isOver();
    }

    /** Batches of the work that are known to be done, by all slots. */
    public long batchesDone()
    {
        return null == work.answer() ? 0 : work.answer().batchesDone();
    }

    /** Batches of the work. */
    public long batchesTotal()
    {
        return spec.batches();
    }

    /**
     * Give back the batches that this slot has not ended, and take no more; waits until its pushes are acknowledged and
     * the coordinators know it. A batch that has begun is ended as it is. {@link GradstreamClient#finish()} does this.
     * This client takes part in this work no more; another one may do so, in the same slot or in any.
     *
     * @throws OperationTimeoutException if that takes longer than the operation timeout.
     */
    public void leave()
    {
        leave(false);
    }

    /** Leave, for good if the slot is about to finish. */
    void leave(final boolean isForGood)
    {
        if (isOver() && !(isForGood && work.hasLeft()))
        {
            return;
        }
        final boolean hasBegun = pushesEnded != pushesMade();
        client.pushHeld();
        if (hasBegun)
        {
            client.clock();
        }
        unit = null;
        calls.settled("what was pushed before this slot leaves the work");
        work.leave(isForGood);
        calls.until("the coordinators to take the work back", this::isOver);
    }

    /** True if this process has left a work, which it does not come back to. */
    boolean hasLeft(final long workId)
    {
        return work.hasLeft() && spec.workId() == workId;
    }

    /** True if the batch under way is the last one of its unit. */
    boolean isLastOfUnit()
    {
        return null != unit && client.clocksDone() + 1 == unitEnd;
    }

    void onClock(final long ticket)
    {
        pushesEnded = pushesMade();
        work.onClock(ticket, calls.nowNs());
    }

    int doWork(final long nowNs)
    {
        return work.doWork(nowNs);
    }

    /** A number that each push changes, also one that filters hold back; what they held back does not change it. */
    private long pushesMade()
    {
        return client.pushesSent() + client.pushesFiltered();
    }

    private boolean isWaitOver()
    {
        awaited = null == awaited ? tryNext() : awaited;
        return null != awaited || isOver() || work.isAdoptionAsked();
    }

    private void requireEnded()
    {
        if (null != unit && client.clocksDone() != unitEnd)
        {
            throw new IllegalStateException(unit + ": clock() was called " +
                (client.clocksDone() - unitEnd + unit.batches()) + " times: call it once for each of its " +
                unit.batches() + " batches before the next unit");
        }
        unit = null;
    }

    private void requireAnswered()
    {
        final long silenceNs = work.silenceNs(calls.nowNs());
        if (silenceNs > context.operationTimeoutNs)
        {
            throw new OperationTimeoutException("waited " + silenceNs / 1_000_000 +
                " ms in vain for an answer of the coordinators about work: " + core.coordinators());
        }
    }

    private void requireNotReplaced()
    {
        final WorkSpec newer = work.replacedBy();
        if (null != newer)
        {
            throw new GradstreamException("work " + newer.workId() + " has begun before work " + spec.workId() +
                " was over, of which nobody does the rest: all its processes had left, or were silent for 10 s; take" +
                " part in work " + newer.workId() + ", or do what is left as a work of a greater workId");
        }
    }

    private boolean isKnown()
    {
        boolean isKnown = true;
        for (int partition = 0; partition < client.partitionCount(); partition++)
        {
            isKnown &= client.session(partition).epoch() >= 0;
        }

        return isKnown;
    }

    /** The slot as servers have shown it to this process, which stands at a clock. */
    private WorkReport.Found found(final long clock)
    {
        long predecessor = 0;
        long wholeClock = clock;
        boolean isTakenOver = false;
        for (int partition = 0; partition < client.partitionCount(); partition++)
        {
            final PartitionSession session = client.session(partition);
            if (session.heldBefore().clock() > client.clocksDone())
            {
                throw new IllegalStateException("this slot has ended " + session.heldBefore().clock() +
                    " iterations at partition=" + partition + ", and this process " + client.clocksDone() +
                    ": units of work need initialClock(ClientContext.CLOCK_OF_SLOT) or anySlot()");
            }
            predecessor = Math.max(predecessor, session.incarnationBefore());
            // a slot that has finished does not say which iterations it has ended
            wholeClock = Math.min(wholeClock,
                Consistency.FINISHED == client.clocksDone() ? 0 : session.heldBefore().clock());
            isTakenOver |= session.othersThrough() > 0;
        }

        // the process before may have pushed a part of the next batch
        return new WorkReport.Found(
            predecessor, wholeClock, Math.min(WorkReport.MAX_CLOCK, clock + (isTakenOver ? 1 : 0)));
    }

    static void requireAllowed(final ClientContext context, final Consistency consistency)
    {
        if (consistency.isSequential())
        {
            throw new IllegalStateException("units of work need a staleness bound other than 0: with 0 every slot" +
                " does its own part of each iteration");
        }
        if (context.isBackedUp || context.isBackup)
        {
            throw new IllegalStateException("units of work are for slots with one process, and this one is backed up");
        }
    }

    /** The coordinators, as this client reaches them. */
    private final class Coordinators implements SlotWork.Coordinators
    {
        private final WorkerIdentity identity = context.settings.identity();

        @Override
        public boolean report(
            final long clock,
            final long ackedClock,
            final int wanted,
            final boolean isLeaving,
            final boolean isFinishing)
        {
            return core.coordinators().reportWork(context.clusterId, new WorkReport(identity.slot(),
                identity.incarnation(), spec, found, clock, ackedClock, wanted, isLeaving, isFinishing));
        }

        @Override
        public WorkAnswer poll()
        {
            final WorkAnswer answer = core.coordinators().pollWork(identity.slot(), identity.incarnation());
            final boolean isReplaced = null != answer && answer.incarnation() > identity.incarnation();
            if (isReplaced && !isOver())
            {
                throw new SlotFencedException("slot=" + identity.slot() + " has another process, incarnation=" +
                    answer.incarnation() + ", and this one, " + identity.incarnation() + ", gets no more units there:" +
                    " the coordinators had not heard it for a while, or it was slow; connect anew, with anySlot() in" +
                    " any slot that is free");
            }
            return isReplaced ? null : answer;
        }
    }
}
