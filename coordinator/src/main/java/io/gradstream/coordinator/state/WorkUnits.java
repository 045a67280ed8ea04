// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.gradstream.codecs.Consistency;
import io.gradstream.coordinator.client.WorkAnswer;
import io.gradstream.coordinator.client.WorkPiece;
import io.gradstream.coordinator.client.WorkReport;
import io.gradstream.coordinator.client.WorkSpec;

/**
 * Gives the batches of a work to slots, each batch to one slot at a time. The clock of a slot, which the servers keep,
 * is the index into the list of what the slot has been given. A process that takes a slot over therefore knows what of
 * the list is done, and so does a process that takes the list away: it connects in the slot, which fences the earlier
 * process, and reads the clock.
 * <p>
 * In a bounded job a slot keeps its list until it finishes, since the slot holds others back until a process goes on
 * there.
 */
public final class WorkUnits
{
    /** Most pieces that a slot holds. */
    public static final int MAX_PIECES = 64;
    /** A slot is slow if the batches of its first piece take so many times as long as those of most last pieces. */
    static final int SLOW_FACTOR = 4;
    /** A slot whose first piece is not older is never slow. */
    static final long LEAST_SLOW_MS = 5_000;
    /** A slot is slow after so long although no other one has ended a piece by then. */
    static final long LONE_SLOW_MS = 60_000;
    /** Another adopter is named after so long. */
    static final long ADOPT_MS = 10_000;

    final TreeMap<Integer, SlotWork> slots = new TreeMap<>();
    /** Pieces that slots have given back, in the order in which they are given again. */
    final ArrayDeque<WorkPiece> again = new ArrayDeque<>();
    final PieceDurations durations = new PieceDurations();
    WorkSpec spec;
    /** First unit that was never given. */
    long next;
    long batchesDone;
    long batchesDropped;
    long batchesLeftOut;
    long unitsReissued;
    long slotsAdopted;
    /** Time at which any slot has ended a piece last, 0 if none has. */
    long endedMs;
    /** Greatest id of a work that was not over when the next one began, 0 if there was none. */
    long replacedId;
    private final JobState job;

    WorkUnits(final JobState job)
    {
        this.job = job;
    }

    /**
     * Take a report of a slot: count what is done, and give the slot what it wants.
     *
     * @param report of a slot.
     * @param nowMs  time of the message.
     * @return the answer; null if there is no work, because no job is defined or the slot cannot be.
     */
    public WorkAnswer onReport(final WorkReport report, final long nowMs)
    {
        final boolean isHeard = job.slots.onHeard(report.slot(), report.incarnation(), nowMs);
        if (isHeard && (null == spec ||
            report.spec().workId() > spec.workId() && (isOver() || isAbandoned(nowMs))))
        {
            replacedId = null == spec || isOver() ? replacedId : spec.workId();
            begin(report.spec());
        }
        if (isHeard && report.spec().equals(spec))
        {
            return onHolder(report, nowMs);
        }

        return null == spec ? null : answer(report, new SlotWork(), WorkAnswer.NO_SLOT);
    }

    /** A slot has finished for good: nothing more of its list can be done there. */
    void onFinished(final int slot)
    {
        final SlotWork work = slots.get(slot);
        if (null != work)
        {
            giveBack(work);
        }
    }

    /** The newest work; null if there was none. */
    public WorkSpec spec()
    {
        return spec;
    }

    /** The number of batches that slots have done, at every partition. */
    public long batchesDone()
    {
        return batchesDone;
    }

    /** The number of batches that slots have left undone and no other one does. */
    public long batchesDropped()
    {
        return batchesDropped;
    }

    /** The number of batches of which partitions may lack parts, since their process has died or was fenced. */
    public long batchesLeftOut()
    {
        return batchesLeftOut;
    }

    /** The number of units, and parts of them, that were given again. */
    public long unitsReissued()
    {
        return unitsReissued;
    }

    /** The number of times that a process has taken the work of another one's slot away. */
    public long slotsAdopted()
    {
        return slotsAdopted;
    }

    /** The number of batches that a slot has been given and has not done. */
    public int openBatches(final int slot)
    {
        final SlotWork work = slots.get(slot);

        return null == work ? 0 : work.openBatches();
    }

    boolean hasOpenPieces(final int slot)
    {
        final SlotWork work = slots.get(slot);

        return null != work && !work.pieces.isEmpty();
    }

    /** True if every batch is done, dropped or left out. */
    boolean isOver()
    {
        return null != spec && batchesDone + batchesDropped + batchesLeftOut == spec.batches();
    }

    /** Nobody could report while nobody led, and the new leader's clock may show less. */
    void onNewLeader(final long nowMs)
    {
        for (final SlotWork work : slots.values())
        {
            work.time(nowMs);
            work.adoptMs = nowMs;
            work.endedMs = Math.min(work.endedMs, nowMs);
        }
        endedMs = Math.min(endedMs, nowMs);
    }

    /** True if each process that has reported has left, is silent, or was replaced by one that has not reported. */
    private boolean isAbandoned(final long nowMs)
    {
        return slots.entrySet().stream().allMatch((entry) -> entry.getValue().hasLeft ||
            !job.slots.isHeld(entry.getKey(), nowMs) ||
            job.slots.incarnation(entry.getKey()) != entry.getValue().incarnation);
    }

    private void begin(final WorkSpec newSpec)
    {
        slots.clear();
        again.clear();
        durations.clear();
        spec = newSpec;
        next = 0;
        batchesDone = 0;
        batchesDropped = 0;
        batchesLeftOut = 0;
        unitsReissued = 0;
        slotsAdopted = 0;
        endedMs = 0;
    }

    private WorkAnswer onHolder(final WorkReport report, final long nowMs)
    {
        final SlotWork work = slots.computeIfAbsent(report.slot(), (unknown) -> new SlotWork());
        final boolean isNew = report.incarnation() > work.incarnation;
        if (isNew)
        {
            slotsAdopted += report.isLeaving() && 0 != work.incarnation ? 1 : 0;
            takeOver(work, report, nowMs);
        }
        final int before = work.openBatches();
        // what a process does in the slot after it has left is none of the work
        final int ended = work.hasLeft ? 0 : work.removeUntil(report.ackedClock());
        batchesDone += before - work.openBatches();
        if (ended > 0)
        {
            onEnded(work, ended, nowMs);
        }
        work.hasLeft |= report.isLeaving();
        if (work.hasLeft && (report.isFinishing() || !isBinding(report.slot())))
        {
            giveBack(work);
        }
        if (!work.hasLeft)
        {
            give(work, report, nowMs);
        }
        final boolean isIdle = !work.hasLeft && work.pieces.isEmpty() && report.wanted() > 0;

        return answer(report, work, isIdle ? adoptable(report.slot(), nowMs) : WorkAnswer.NO_SLOT);
    }

    /**
     * A newer process goes on in a slot. What every partition has is done. What only some have is left out: it is
     * neither done nor given again.
     */
    private void takeOver(final SlotWork work, final WorkReport report, final long nowMs)
    {
        // a process between, which has pushed and not reported, may have told partitions more than they had; and the
        // clocks of a process that has left are none of the work
        final boolean isWholeKnown = report.found().predecessor() <= work.incarnation && !work.hasLeft;
        // it first ends the iteration that may be done in part: what is left of the list begins after that
        work.takeOver(report.incarnation(), Math.max(report.clock(), report.found().beginClock()), nowMs);
        final int before = work.openBatches();
        work.removeUntil(isWholeKnown ? report.found().wholeClock() : 0);
        final int partial = work.openBatches();
        work.removeUntil(report.found().beginClock());
        batchesDone += before - partial;
        batchesLeftOut += partial - work.openBatches();
        // what the process before has done tells nothing of the time that it took
        work.time(nowMs);
    }

    /** A slot has ended pieces. If none has for long, no slot could: a server was away, and nobody is slow for that. */
    private void onEnded(final SlotWork work, final int pieces, final long nowMs)
    {
        final long batches = work.floorClock - work.sinceClock;
        final long silentMs = nowMs - endedMs;
        final boolean wasStalled = !durations.isEmpty() && silentMs >= LEAST_SLOW_MS / 2 &&
            silentMs >= SLOW_FACTOR / 2 * durations.usualMs(batches);
        durations.add(nowMs - work.sinceMs, batches, pieces);
        work.endedMs = nowMs;
        endedMs = nowMs;
        work.time(nowMs);
        if (wasStalled)
        {
            slots.values().forEach((other) -> other.time(nowMs));
        }
    }

    private void give(final SlotWork work, final WorkReport report, final long nowMs)
    {
        if (work.pieces.isEmpty())
        {
            work.floorClock = Math.max(work.floorClock, report.clock());
            work.time(nowMs);
        }
        // a process that is beyond its list has ended iterations without work, and would take new pieces for done
        if (report.clock() > work.endClock())
        {
            return;
        }
        while (work.openBatches() < report.wanted() && work.pieces.size() < MAX_PIECES && isAnyLeft())
        {
            unitsReissued += again.isEmpty() ? 0 : 1;
            work.pieces.add(again.isEmpty() ? new WorkPiece(next, 0, spec.lengthOf(next++)) : again.remove());
        }
    }

    private boolean isAnyLeft()
    {
        return !again.isEmpty() || next < spec.units();
    }

    private void giveBack(final SlotWork work)
    {
        if (spec.isGivenAgain())
        {
            again.addAll(work.pieces);
        }
        else
        {
            batchesDropped += work.openBatches();
        }
        work.pieces.clear();
    }

    /** True if a slot holds others back. */
    private boolean isBinding(final int slot)
    {
        final Consistency consistency = job.consistency();

        return consistency.isBounded() && slot < consistency.slots();
    }

    /** The slot whose work the process of another one should take away: the one named before, or the first. */
    private int adoptable(final int adopter, final long nowMs)
    {
        int first = WorkAnswer.NO_SLOT;
        for (final Map.Entry<Integer, SlotWork> entry : slots.entrySet())
        {
            final int slot = entry.getKey();
            final SlotWork work = entry.getValue();
            final boolean isDue = slot != adopter && !work.pieces.isEmpty() && !isBinding(slot) &&
                job.slots.canBeNamed(slot) &&
                (!job.slots.isHeld(slot, nowMs) || areFencesKept() && isSlow(slot, work, nowMs));
            final boolean isNamed = 0 != work.adoptIncarnation && nowMs - work.adoptMs < ADOPT_MS;
            if (isDue && isNamed && adopter == work.adopter)
            {
                return slot;
            }
            first = isDue && !isNamed && WorkAnswer.NO_SLOT == first ? slot : first;
        }
        if (WorkAnswer.NO_SLOT != first)
        {
            final SlotWork work = slots.get(first);
            work.adopter = adopter;
            work.adoptMs = nowMs;
            work.adoptIncarnation = job.slots.name(first, nowMs);
        }

        return first;
    }

    /** True if servers that are started again know which process has each slot: one that lives may push otherwise. */
    private boolean areFencesKept()
    {
        return job.spec.mode().keepsLog();
    }

    /** True if a slot takes long for its first piece while another one ends pieces, which servers therefore take. */
    private boolean isSlow(final int slot, final SlotWork work, final long nowMs)
    {
        if (durations.isEmpty())
        {
            return false;
        }
        final long slowMs =
            work.sinceMs + Math.max(LEAST_SLOW_MS, SLOW_FACTOR * durations.usualMs(work.timedBatches()));

        return nowMs >= Math.max(slowMs, work.sinceMs + LONE_SLOW_MS) ||
            endedMs >= slowMs && slots.entrySet().stream()
            .anyMatch((other) -> slot != other.getKey() && other.getValue().endedMs >= slowMs);
    }

    private WorkAnswer answer(final WorkReport report, final SlotWork work, final int adopt)
    {
        final boolean isMine = report.spec().equals(spec);
        final boolean isOfProcess = work.incarnation == report.incarnation();
        final boolean isBefore = report.spec().workId() < spec.workId();
        // a slot that has nothing to do must not hold back those that have
        final boolean isOver = isBefore || isMine && (isOver() ||
            isBinding(report.slot()) && isOfProcess && work.pieces.isEmpty() && !isAnyLeft());

        return new WorkAnswer(
            report.slot(),
            job.slots.incarnation(report.slot()),
            report.spec(),
            spec,
            work.floorClock,
            isOver,
            isBefore && report.spec().workId() <= replacedId,
            isOfProcess && work.hasLeft,
            batchesDone,
            adopt,
            WorkAnswer.NO_SLOT == adopt ? 0 : slots.get(adopt).adoptIncarnation,
            List.copyOf(work.pieces));
    }
}
