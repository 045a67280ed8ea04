// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.coordinator;

import io.gradstream.codecs.coordinator.LeaveSlotDecoder;
import io.gradstream.codecs.coordinator.MessageHeaderDecoder;
import io.gradstream.codecs.coordinator.SnapshotSlotDecoder;
import io.gradstream.codecs.coordinator.SnapshotWorkDecoder;
import io.gradstream.codecs.coordinator.TakeSlotDecoder;
import io.gradstream.codecs.coordinator.WorkReportDecoder;
import io.gradstream.codecs.coordinator.WorkerReachDecoder;
import io.gradstream.coordinator.client.WorkCodec;
import io.gradstream.coordinator.client.WorkReport;
import io.gradstream.coordinator.client.WorkSpec;
import io.gradstream.coordinator.state.SlotLeases;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.World;
import org.agrona.DirectBuffer;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Checks what the coordinators know of slots and of work after each entry of their log: it must follow from what they
 * knew before. Each batch is in one list or in none, and leaves a list only when it is done, or when the newest process
 * of its slot leaves.
 */
public final class SlotChecks
{
    /** A slot as the coordinators know it, with the numbers of its batches. */
    private record Slot(
        long incarnation,
        long named,
        long requestId,
        boolean isHeld,
        boolean hasFinished,
        boolean hasLeft,
        long workIncarnation,
        long floorClock,
        List<Integer> batches)
    {
        private static final Slot NONE = new Slot(0, 0, 0, false, false, false, 0, 0, List.of());

        private long newest()
        {
            return Math.max(incarnation, named);
        }
    }

    private final WorkSpec spec;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final SnapshotSlotDecoder slotDecoder = new SnapshotSlotDecoder();
    private final SnapshotWorkDecoder workDecoder = new SnapshotWorkDecoder();
    private final WorkerReachDecoder reach = new WorkerReachDecoder();
    private final WorkCodec works = new WorkCodec();
    private final Map<Integer, Slot> slots = new TreeMap<>();
    private final Map<Integer, Slot> read = new TreeMap<>();
    /** By slot, when the log has last shown that its process lives, or that nobody could show it. */
    private final Map<Integer, Long> heardMs = new HashMap<>();
    private final List<Integer> again = new ArrayList<>();
    /** Batches of which partitions may have a part, as processes have found that took slots over. */
    private final BitSet leftOut = new BitSet();
    private CoordinatorEntry entry;
    private long next;
    private long batchesDone;
    private long batchesDropped;
    private long batchesLeftOut;
    private boolean isBegun;
    private int givenAgain;
    private int adopted;

    SlotChecks(final World world)
    {
        spec = world.config().work().spec();
    }

    /** True if a batch was left out where a process took a slot over: partitions may have a part of it. */
    public boolean isLeftOut(final int batch)
    {
        return leftOut.get(batch);
    }

    /** Batches that slots have given back to be done again. */
    public int givenAgain()
    {
        return givenAgain;
    }

    /** How often a process has taken the batches of another one's slot away. */
    public int adopted()
    {
        return adopted;
    }

    /** Returns the number of the process that has a slot, 0 if there was none. */
    public long incarnation(final int slot)
    {
        return slots.getOrDefault(slot, Slot.NONE).incarnation;
    }

    /** Returns the greatest number that was named for a process of a slot. */
    public long newest(final int slot)
    {
        return slots.getOrDefault(slot, Slot.NONE).newest();
    }

    /** True if a process is newer than the one that has reported of a slot's work last. */
    boolean isTakeover(final int slot, final long incarnation)
    {
        final Slot now = slots.getOrDefault(slot, Slot.NONE);

        return 0 != now.workIncarnation && incarnation > now.workIncarnation;
    }

    /** Returns the clock at which the list of a slot begins. */
    long floorClock(final int slot)
    {
        return slots.getOrDefault(slot, Slot.NONE).floorClock;
    }

    /** True if a slot below a number is free now, by what the log says. */
    public boolean isAnyFree(final int most, final long nowMs)
    {
        boolean isAny = false;
        for (int slot = 0; slot < most; slot++)
        {
            final Slot now = slots.getOrDefault(slot, Slot.NONE);
            isAny |= !now.hasFinished && !(now.isHeld && isLeased(slot, nowMs));
        }

        return isAny;
    }

    private boolean isLeased(final int slot, final long nowMs)
    {
        return nowMs - heardMs.getOrDefault(slot, 0L) < SlotLeases.LEASE_MS;
    }

    /** An entry is about to be taken for the first time. */
    void before(final CoordinatorEntry newEntry)
    {
        entry = newEntry;
        read.clear();
        again.clear();
    }

    /** Reads a message of the state after that entry. */
    void onState(final DirectBuffer buffer, final int offset, final int length)
    {
        switch (header.wrap(buffer, offset).templateId())
        {
            case SnapshotWorkDecoder.TEMPLATE_ID ->
            {
                workDecoder.wrapAndApplyHeader(buffer, offset, header);
                Violation.check(WorkCodec.decode(workDecoder.work()).equals(spec), Violation.Kind.DECISION_WRONG,
                    "another work than that which processes have named");
                onWork();
            }
            case SnapshotSlotDecoder.TEMPLATE_ID ->
            {
                slotDecoder.wrapAndApplyHeader(buffer, offset, header);
                final List<Integer> batches = new ArrayList<>();
                final Slot slot = new Slot(slotDecoder.incarnation(), slotDecoder.named(), slotDecoder.requestId(),
                    0 != slotDecoder.isHeld(), 0 != slotDecoder.hasFinished(), 0 != slotDecoder.hasLeftWork(),
                    slotDecoder.workIncarnation(), slotDecoder.floorClock(), batches);
                slotDecoder.pieces().forEach((piece) ->
                    add(piece.unit(), piece.fromBatch(), piece.length(), batches));
                read.put(slotDecoder.slot(), slot);
            }
            default ->
            {
                // of nodes and partitions
            }
        }
    }

    private void onWork()
    {
        final long done = workDecoder.batchesDone();
        Violation.check(done >= batchesDone && workDecoder.batchesDropped() >= batchesDropped &&
            workDecoder.next() >= next, Violation.Kind.DECISION_WRONG, "work went back: done, before", done,
            batchesDone);
        isBegun = true;
        batchesDone = done;
        batchesDropped = workDecoder.batchesDropped();
        batchesLeftOut = workDecoder.batchesLeftOut();
        next = workDecoder.next();
        adopted = (int)workDecoder.slotsAdopted();
        givenAgain = (int)workDecoder.unitsReissued();
        workDecoder.durations().forEach((duration) -> duration.batchUs());
        workDecoder.again().forEach((piece) -> add(piece.unit(), piece.fromBatch(), piece.length(), again));
    }

    private void add(final long unit, final int fromBatch, final int length, final List<Integer> to)
    {
        Violation.check(unit >= 0 && unit < spec.units() && fromBatch >= 0 && length > 0 &&
            fromBatch + length <= spec.lengthOf(unit), Violation.Kind.DECISION_WRONG,
            "a piece that is no part of the work: unit, from, length", unit, fromBatch, length);
        for (int i = 0; i < length; i++)
        {
            to.add((int)(spec.passOf(unit) * spec.batchesPerPass() + spec.firstBatchOf(unit)) + fromBatch + i);
        }
    }

    /** All of the state was read. */
    void after()
    {
        checkSums();
        for (final Map.Entry<Integer, Slot> each : read.entrySet())
        {
            checkSlot(each.getKey(), slots.getOrDefault(each.getKey(), Slot.NONE), each.getValue());
        }
        onHeard();
        slots.clear();
        slots.putAll(read);
    }

    /** Each batch is done, dropped, in one list, or was not given yet. */
    private void checkSums()
    {
        final BitSet listed = new BitSet();
        int count = again.size();
        again.forEach(listed::set);
        for (final Slot slot : read.values())
        {
            slot.batches.forEach(listed::set);
            count += slot.batches.size();
        }
        Violation.check(listed.cardinality() == count, Violation.Kind.DECISION_WRONG, "a batch in two lists", count);
        long ungiven = 0;
        for (long unit = next; unit < spec.units(); unit++)
        {
            ungiven += spec.lengthOf(unit);
        }
        Violation.check(!isBegun || batchesDone + batchesDropped + batchesLeftOut + count + ungiven == spec.batches(),
            Violation.Kind.DECISION_WRONG, "done, dropped, left out, in lists, not given", batchesDone,
            batchesDropped, batchesLeftOut, count, ungiven);
    }

    private void checkSlot(final int slot, final Slot before, final Slot now)
    {
        Violation.check(now.incarnation >= before.incarnation && now.named >= before.named &&
            now.workIncarnation >= before.workIncarnation, Violation.Kind.DECISION_WRONG,
            "an older process has a slot: slot, named, before", slot, now.named, before.named);
        Violation.check(now.named == before.named || now.named > before.newest(), Violation.Kind.DECISION_WRONG,
            "a number that is not newer was named: slot, named, before", slot, now.named, before.newest());
        if (is(TakeSlotDecoder.TEMPLATE_ID) && now.incarnation != before.incarnation)
        {
            Violation.check(!before.isHeld || !isLeased(slot, entry.timestampMs()), Violation.Kind.DECISION_WRONG,
                "a slot was given away from a process that may live: slot, heard before ms", slot,
                entry.timestampMs() - heardMs.getOrDefault(slot, 0L));
            Violation.check(!before.hasFinished, Violation.Kind.DECISION_WRONG, "a finished slot was given", slot);
        }
        Violation.check(now.isHeld || !before.isHeld || is(LeaveSlotDecoder.TEMPLATE_ID), Violation.Kind.DECISION_WRONG,
            "who holds a slot was forgotten: slot", slot);
        checkList(slot, before, now);
    }

    /** Batches go from a list in its order, as they are done; all others only when the newest process leaves. */
    private void checkList(final int slot, final Slot before, final Slot now)
    {
        final WorkReport report = report();
        final boolean isOwn = null != report && slot == report.slot() &&
            report.incarnation() == now.workIncarnation && report.incarnation() == now.incarnation;
        final boolean isTakeover = isOwn && report.incarnation() > before.workIncarnation;
        if (isTakeover)
        {
            onTakeover(before, report.found());
        }
        final boolean isKept = now.batches.containsAll(before.batches);
        final boolean isFinished = now.hasFinished && !before.hasFinished;
        Violation.check(isKept || isOwn || isFinished, Violation.Kind.DECISION_WRONG,
            "batches were taken from a slot whose process has not reported: slot", slot);
        final long gone = !isOwn ? 0 : !isTakeover && before.hasLeft ? 0 :
            Math.max(report.ackedClock(), isTakeover ? report.found().beginClock() : 0);
        final long done = Math.max(0, gone - before.floorClock);
        for (int i = 0; i < before.batches.size(); i++)
        {
            final boolean isThere = now.batches.contains(before.batches.get(i));
            Violation.check(isThere ? i >= done : i < done || isFinished || isOwn && report.isLeaving(),
                Violation.Kind.DECISION_WRONG, "slot, batch, in its list, done", slot, before.batches.get(i),
                isThere ? 1 : 0, done);
            Violation.check(isThere || i < done || !spec.isGivenAgain() || again.contains(before.batches.get(i)),
                Violation.Kind.DECISION_WRONG, "a batch is not given again: slot, batch", slot, before.batches.get(i));
        }
    }

    /** Batches that every partition has are done, those that only some may have are left out. */
    private void onTakeover(final Slot before, final WorkReport.Found found)
    {
        final boolean isWholeKnown = found.predecessor() <= before.workIncarnation && !before.hasLeft;
        for (int i = 0; i < before.batches.size() && before.floorClock + i < found.beginClock(); i++)
        {
            if (!isWholeKnown || before.floorClock + i >= found.wholeClock())
            {
                leftOut.set(before.batches.get(i));
            }
        }
    }

    private boolean is(final int templateId)
    {
        return CoordinatorEntry.Kind.MESSAGE == entry.kind() &&
            templateId == header.wrap(entry.bytes(), 0).templateId();
    }

    private WorkReport report()
    {
        return is(WorkReportDecoder.TEMPLATE_ID) ? works.decodeReport(entry.bytes(), 0) : null;
    }

    private void onHeard()
    {
        final long nowMs = entry.timestampMs();
        final WorkReport report = report();
        if (CoordinatorEntry.Kind.TERM == entry.kind())
        {
            read.keySet().forEach((slot) -> heardMs.put(slot, nowMs));
        }
        else if (null != report)
        {
            onHeard(report.slot(), report.incarnation());
        }
        else if (is(WorkerReachDecoder.TEMPLATE_ID))
        {
            reach.wrapAndApplyHeader(entry.bytes(), 0, header);
            onHeard(reach.slot(), reach.incarnation());
        }
        else if (is(TakeSlotDecoder.TEMPLATE_ID))
        {
            final long requestId =
                new TakeSlotDecoder().wrapAndApplyHeader(entry.bytes(), 0, header).requestId();
            read.forEach((slot, now) ->
            {
                if (now.isHeld && requestId == now.requestId)
                {
                    heardMs.put(slot, nowMs);
                }
            });
        }
    }

    private void onHeard(final int slot, final long incarnation)
    {
        final Slot now = read.getOrDefault(slot, Slot.NONE);
        if (now.isHeld && incarnation == now.incarnation)
        {
            heardMs.put(slot, entry.timestampMs());
        }
    }
}
