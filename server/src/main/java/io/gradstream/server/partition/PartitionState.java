// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.LogRecords;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.log.LogCursor;
import io.gradstream.server.function.UpdateFunctions;
import io.gradstream.server.table.PartitionKeys;
import io.gradstream.server.table.RowObserver;
import io.gradstream.server.table.RowStore;
import io.gradstream.server.table.RowTable;
import org.agrona.collections.Int2ObjectHashMap;

import java.util.ArrayList;
import java.util.List;

/**
 * The replicated state of a partition: tables with their rows, slots, and where each epoch began. Only
 * {@link RecordApplier} and the snapshot loader change it.
 */
final class PartitionState
{
    /** Most slots of a job. */
    static final int MAX_SLOTS = Consistency.MAX_SLOTS;
    /**
     * Refusals of all slots that workers may not know yet, but for the {@link Slot#LEAST_REFUSALS} of each: a snapshot
     * queues nine bytes of each.
     */
    static final int MAX_REFUSALS = 1024 * 1024;
    /** Incarnation of a slot that no process has held yet. */
    static final long NOBODY = Long.MIN_VALUE;

    private static final long UNKNOWN = -1;

    final int partition;
    final PartitionKeys ownKeys;
    final LogCursor cursor = new LogCursor();
    final EpochHistory epochs = new EpochHistory();

    private final RowStore.Factory stores;
    private final UpdateFunctions functions;
    private final Int2ObjectHashMap<RowTable> tableById = new Int2ObjectHashMap<>();
    private final List<RowTable> tables = new ArrayList<>();
    /** Tables whose rate changes. */
    private final List<RowTable> scheduled = new ArrayList<>();
    private final Slot[] slots = new Slot[MAX_SLOTS];
    /** Valid until a clock, the slots or the bound change; {@link #UNKNOWN} then. */
    private long minClock = UNKNOWN;
    /** No slot from here on was ever seen. */
    private int slotsEnd;
    /** How far slots may run apart, as the log says. */
    private Consistency consistency = Consistency.EVENTUAL;
    /** Where the bound is 0: with fewer iterations of every slot the rows may hold later iterations of some slots. */
    private long exactFrom;
    /** The least iteration that the newest record has ended for a slot; {@link Consistency#FINISHED} if none. */
    private long endedByRecord = Consistency.FINISHED;

    /** A state whose tables have Gradstream's own functions only. */
    PartitionState(final int partition, final PartitionFunction placement, final RowStore.Factory stores)
    {
        this(partition, placement, stores, UpdateFunctions.BUILT_IN);
    }

    PartitionState(
        final int partition,
        final PartitionFunction placement,
        final RowStore.Factory stores,
        final UpdateFunctions functions)
    {
        this.partition = partition;
        ownKeys = new PartitionKeys(placement, partition);
        this.stores = stores;
        this.functions = functions;
        reset();
    }

    void reset()
    {
        close();
        tables.clear();
        scheduled.clear();
        tableById.clear();
        epochs.clear();
        java.util.Arrays.fill(slots, null);
        slotsEnd = 0;
        cursor.set(0, 0, 0, LogRecords.EMPTY_CHAIN_HASH);
        consistency(Consistency.EVENTUAL);
        exactFrom = 0;
        beginRecord();
        addTable(TableSpec.AUDIT);
    }

    RowTable table(final int tableId)
    {
        return tableById.get(tableId);
    }

    List<RowTable> tables()
    {
        return tables;
    }

    /** Tables whose rate changes as training goes on. */
    List<RowTable> scheduled()
    {
        return scheduled;
    }

    /**
     * Step of a table's schedule at which its next update is. Where slots are bound, it is the iterations that every
     * slot has finished, and the steps by which the schedule was ahead of them when the bound was set. It never goes
     * back, and stays as it is once every slot has finished. Where slots are not bound, it is the updates of the table
     * here.
     */
    long rateStep(final RowTable table)
    {
        final long clock = consistency.isBounded() ? minClock() : Consistency.FINISHED;

        return Consistency.FINISHED == clock ? table.rateStep() :
            Math.max(clock + table.rateStepsAhead(), table.rateStep());
    }

    /** Update rows of a table by the current section of a record. */
    void update(final Sections sections, final RowObserver observer, final long position)
    {
        final RowTable table = tableById.get(sections.tableId());
        table.update(sections, observer, position);
        // whole rows that take the place of others are no step
        if (null != table.schedule() && !sections.isRows())
        {
            countRateStep(table, position);
        }
    }

    private void countRateStep(final RowTable table, final long position)
    {
        if (consistency.isBounded())
        {
            table.rateStep(rateStep(table));
        }
        else
        {
            table.countRateStep(position);
        }
    }

    /** Bytes of the rows that a part changes, for the snapshot under way. */
    long rowBytes(final Sections part)
    {
        long bytes = 0;
        part.rewind();
        while (part.next())
        {
            bytes += (long)part.rowCount() * RowScan.sideBytes(table(part.tableId()));
        }

        return bytes;
    }

    /** Keep room for the rows that a part adds when it is applied. */
    void holdRows(final Sections part)
    {
        part.rewind();
        while (part.next())
        {
            table(part.tableId()).holdRows(part);
        }
    }

    /** Keep no room for rows any longer. */
    void releaseRows()
    {
        for (int i = 0; i < tables.size(); i++)
        {
            tables.get(i).releaseRows();
        }
    }

    RowTable addTable(final TableSpec spec)
    {
        final RowTable table = new RowTable(partition, spec, stores, functions);
        tableById.put(spec.tableId(), table);
        tables.add(table);
        if (null != table.schedule())
        {
            scheduled.add(table);
        }

        return table;
    }

    /** Functions that tables may name. */
    UpdateFunctions functions()
    {
        return functions;
    }

    static boolean isSlot(final int slot)
    {
        return slot >= 0 && slot < MAX_SLOTS;
    }

    /** The slot, or null if it has never been seen. */
    Slot slot(final int slot)
    {
        return slots[slot];
    }

    Slot slotOrNew(final int slot)
    {
        if (null == slots[slot])
        {
            slots[slot] = new Slot(slot);
            slotsEnd = Math.max(slotsEnd, slot + 1);
            minClock = UNKNOWN;
        }

        return slots[slot];
    }

    /** Which process holds the slot, or {@link #NOBODY}. */
    long incarnation(final int slot)
    {
        return isSlot(slot) && null != slots[slot] ? slots[slot].incarnation : NOBODY;
    }

    long lastSequence(final int slot)
    {
        return isSlot(slot) && null != slots[slot] ? slots[slot].last : 0;
    }

    Consistency consistency()
    {
        return consistency;
    }

    private void consistency(final Consistency newConsistency)
    {
        consistency = newConsistency;
        minClock = UNKNOWN;
    }

    /**
     * Load from a snapshot how far slots may run apart; the slots are loaded.
     *
     * @param newExactFrom as {@link #exactFrom()}, or negative if it does not say: then all slots that have not
     *                     finished are at the same iteration, or the one that is furthest may have begun another.
     */
    void loadConsistency(final Consistency newConsistency, final long newExactFrom)
    {
        consistency(newConsistency);
        exactFrom = newExactFrom >= 0 ? newExactFrom :
            Math.max(fastestUnderWay() == minClock() ? fastestUnderWay() : fastestUnderWay() + 1, fastestFinished());
    }

    /**
     * Change how far slots may run apart from here on, as the log says. Schedules of rates go on from where they are.
     */
    void changeConsistency(final Consistency newConsistency)
    {
        for (int i = 0; i < scheduled.size(); i++)
        {
            scheduled.get(i).rateStep(rateStep(scheduled.get(i)));
        }
        takeConsistency(newConsistency);
        for (int i = 0; Consistency.FINISHED != minClock() && i < scheduled.size(); i++)
        {
            scheduled.get(i).rateStepsAhead(scheduled.get(i).rateStep() - minClock());
        }
    }

    /**
     * As {@link #changeConsistency(Consistency)}, as logs before version 7 mean it.
     *
     * @param goOn true if schedules go on where slots were not bound, as from version 6 of the log on.
     */
    void changeConsistencyOld(final Consistency newConsistency, final boolean goOn)
    {
        for (int i = 0; goOn && i < scheduled.size(); i++)
        {
            scheduled.get(i).rateStep(rateStep(scheduled.get(i)));
        }
        final boolean isCountedByClocks = consistency.isBounded() && Consistency.FINISHED != minClock();
        takeConsistency(newConsistency);
        for (int i = 0; goOn && !isCountedByClocks && i < scheduled.size(); i++)
        {
            final RowTable table = scheduled.get(i);
            table.rateStepsAhead(Math.max(0, table.rateStep() - minClock()));
        }
    }

    /**
     * Take another bound. A slot that is ahead may have begun one iteration more than it has ended, unless it has
     * finished: the rows hold nothing later once every slot has ended that iteration.
     */
    private void takeConsistency(final Consistency newConsistency)
    {
        consistency(newConsistency);
        exactFrom = Math.max(fastestUnderWay() + 1, fastestFinished());
    }

    /**
     * Iterations of the slot that has ended most, among the slots that hold others back, have pushed something, and
     * have not finished for good; -1 while there is none.
     */
    private long fastestUnderWay()
    {
        long fastest = -1;
        for (int i = 0, end = Math.min(consistency.slots(), slotsEnd); i < end; i++)
        {
            final boolean isUnderWay =
                null != slots[i] && slots[i].last > 0 && Consistency.FINISHED != slots[i].clock;
            fastest = isUnderWay ? Math.max(fastest, slots[i].clock) : fastest;
        }

        return fastest;
    }

    /** The same among the slots that have finished for good. */
    private long fastestFinished()
    {
        long fastest = 0;
        for (int i = 0, end = Math.min(consistency.slots(), slotsEnd); i < end; i++)
        {
            final boolean isFinished = null != slots[i] && Consistency.FINISHED == slots[i].clock;
            fastest = isFinished ? Math.max(fastest, slots[i].ended) : fastest;
        }

        return fastest;
    }

    /** Where the bound is 0: with fewer iterations of every slot the rows may hold later iterations of some slots. */
    long exactFrom()
    {
        return exactFrom;
    }

    /**
     * True if the state may be called that of {@link #minClock()} iterations. False where the bound was set to 0 and
     * the state holds updates of slots that were ahead. False, too, where slots have pushed since they have finished,
     * or, without a bound of 0, since all slots have.
     */
    boolean isOfItsClock()
    {
        return Consistency.FINISHED == minClock() ? !hasGoneOn() :
            !consistency.isSequential() || minClock() >= exactFrom && !hasGoneOn();
    }

    /** True if a slot that counts has pushed since it finished. */
    private boolean hasGoneOn()
    {
        final int counted = consistency.slots() > 0 ? Math.min(consistency.slots(), slotsEnd) : slotsEnd;
        boolean hasGoneOn = false;
        for (int i = 0; i < counted && !hasGoneOn; i++)
        {
            hasGoneOn = null != slots[i] && slots[i].hasGoneOn;
        }

        return hasGoneOn;
    }

    /** The next record is about to be applied. */
    void beginRecord()
    {
        endedByRecord = Consistency.FINISHED;
    }

    /**
     * True if the newest record has ended, for the last slot, the iteration that all have finished now: it holds no
     * later ones but those of slots that are ahead.
     */
    boolean hasEndedItsClock()
    {
        return endedByRecord == minClock();
    }

    /** A slot has come to a clock, now or earlier. */
    void raiseClock(final Slot slot, final long clock)
    {
        slot.hasGoneOn &= Consistency.FINISHED != clock;
        final boolean isCounted = 0 == consistency.slots() || slot.id < consistency.slots();
        endedByRecord = isCounted && clock > slot.clock ? Math.min(endedByRecord, clock) : endedByRecord;
        slot.clock = Math.max(slot.clock, clock);
        slot.ended = Consistency.FINISHED == clock ? slot.ended : Math.max(slot.ended, clock);
        minClock = UNKNOWN;
    }

    /**
     * Iterations that every slot has finished: every slot that holds others back, or every slot ever seen if none does.
     */
    long minClock()
    {
        if (UNKNOWN == minClock)
        {
            minClock = computeMinClock();
        }

        return minClock;
    }

    private long computeMinClock()
    {
        final int counted = consistency.slots();
        if (counted > slotsEnd || 0 == slotsEnd)
        {
            return 0;
        }
        long min = Consistency.FINISHED;
        for (int i = 0, end = counted > 0 ? counted : slotsEnd; i < end; i++)
        {
            if (null != slots[i])
            {
                min = Math.min(min, slots[i].clock);
            }
            else if (counted > 0)
            {
                return 0;
            }
        }

        return min;
    }

    /**
     * True if one more part of a slot may be refused, whose worker knows all outcomes up to a sequence. Outcomes that
     * the worker knows are forgotten then.
     */
    boolean hasRoomForRefusal(final int slot, final long acknowledgedThrough)
    {
        if (null == slots[slot])
        {
            return true;
        }
        int count = 0;
        for (final Slot other : slots)
        {
            count += null == other ? 0 : other.refusals.size();
        }

        // whatever other slots have left, which may be gone for good, each has a share
        return slots[slot].refusals.size() < Slot.MAX_REFUSALS && count < MAX_REFUSALS ||
            slots[slot].refusalsBehind(acknowledgedThrough) < Math.max(Slot.LEAST_REFUSALS,
            Math.min(Slot.MAX_REFUSALS, MAX_REFUSALS - count + slots[slot].refusals.size()));
    }

    /**
     * A hash of the whole state: of rows by (table, key, values), of slots by last sequence, clock and lost parts, and
     * of how far slots may run apart.
     */
    long hash()
    {
        long sum = 0;
        for (final RowTable table : tables)
        {
            sum += table.hash();
        }
        for (final Slot slot : slots)
        {
            if (null != slot)
            {
                sum += PartitionFunction.mix(
                    PartitionFunction.mix(slot.id + 1) ^ slot.last * 31 + slot.clock + slot.jumped * 961);
            }
        }

        for (final RowTable table : scheduled)
        {
            sum += PartitionFunction.mix(PartitionFunction.mix(table.spec().tableId() + 1) ^
                table.rateStep() * 31 + Float.floatToRawIntBits(table.rateFactor()));
        }

        return Consistency.EVENTUAL.equals(consistency) ? sum : sum + PartitionFunction.mix(
            PartitionFunction.mix(consistency.slots()) ^ consistency.staleness());
    }

    /** Bytes of all rows, with their versions and their update functions' state. */
    long bytes()
    {
        long bytes = 0;
        for (int i = 0; i < tables.size(); i++)
        {
            final RowTable table = tables.get(i);
            bytes += (long)table.store().size() * table.rowLength();
        }

        return bytes;
    }

    void close()
    {
        tables.forEach(RowTable::close);
    }
}
