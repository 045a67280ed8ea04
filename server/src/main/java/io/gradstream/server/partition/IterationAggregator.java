// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;

import java.util.BitSet;
import java.util.function.BiPredicate;

/**
 * Holds the entries that the slots of a sequential job have sent for clocks that not all slots have finished. Once all
 * have, one sum of them goes into the log, so that the result depends neither on which slot came first nor on what was
 * lost on the way. Only a primary holds anything.
 */
final class IterationAggregator implements PushGate
{
    /** Most entries that are appended in one duty cycle once their slots are no longer bound. */
    static final int MAX_RECORDS = AggregatedGradient.MAX_RECORDS;

    private final PartitionState state;
    private final CopyOnWriteRows copies;
    private final LogAtOnce atOnce;
    private final BufferedUpdates[] held = new BufferedUpdates[PartitionState.MAX_SLOTS];
    private final AggregatedGradient sum;
    private final Sections sections = new Sections();
    private final PushPartHeader released = new PushPartHeader();
    /** Slots whose clock was added up since this node became primary. */
    private final BitSet endedHere = new BitSet();
    /** Most bytes that all slots together hold here; 0 where nothing is held. */
    private long maxHeldBytes;
    /** No slot from here on ever held anything. */
    private int heldEnd;
    /** Ends of clocks that are held. */
    private int clocks;
    /** Entries that are held. */
    private int entries;
    /** True if room is kept for rows of parts that were dropped. */
    private boolean isRoomStale;
    private Refusal refusal = Refusal.NONE;

    IterationAggregator(final PartitionState state, final CopyOnWriteRows copies, final LogAtOnce atOnce)
    {
        this.state = state;
        this.copies = copies;
        this.atOnce = atOnce;
        sum = new AggregatedGradient(state);
    }

    /**
     * Hold and add up from now on. Without this call, each part of a sequential job, too, is applied as it comes.
     *
     * @param newMaxHeldBytes of all slots together: each slot that counts has the same share.
     */
    void turnOn(final long newMaxHeldBytes)
    {
        maxHeldBytes = newMaxHeldBytes;
    }

    /** Most bytes that one slot holds here. */
    private long maxBytesPerSlot()
    {
        return maxHeldBytes / Math.max(1, state.consistency().slots());
    }

    /** Forget everything: a new epoch begins, or the state is replaced. */
    void clear()
    {
        for (final BufferedUpdates slot : held)
        {
            if (null != slot)
            {
                slot.clear();
            }
        }
        sum.clear();
        clocks = 0;
        entries = 0;
        isRoomStale = false;
        endedHere.clear();
        state.releaseRows();
    }

    boolean isOn()
    {
        return maxHeldBytes > 0;
    }

    /**
     * True if pulls of a slot wait for clocks alone, and not for its pushes since the last clock. A slot that has
     * finished is no longer bound.
     */
    boolean isSequential(final int slot)
    {
        return isSummed(slot) && Consistency.FINISHED != clockOf(slot);
    }

    /** True if the pushes of a slot were added up with those of all others, until it had finished if it has. */
    boolean isSummed(final int slot)
    {
        final Consistency consistency = state.consistency();
        return maxHeldBytes > 0 && consistency.isSequential() && slot >= 0 && slot < consistency.slots();
    }

    /** True if it holds nothing at all, and everything that it held is in the log. */
    boolean isIdle()
    {
        return 0 == entries && !sum.isPending();
    }

    /**
     * True if nothing that is held would be lost with this primary: no sum is half in the log, and the process that has
     * sent the first entry of each slot is there and sends all of them again.
     *
     * @param isThere true for a slot and a process of it that was heard lately.
     */
    boolean isHeldBySenders(final BiPredicate<Integer, Long> isThere)
    {
        boolean isHeld = !sum.isPending();
        for (int i = 0; entries > 0 && isHeld && i < heldEnd; i++)
        {
            isHeld = null == held[i] || held[i].isEmpty() || isThere.test(i, held[i].firstIncarnation());
        }

        return isHeld;
    }

    /**
     * True if a part is the end of a clock that the slot has ended before, which the slot's next process sends first.
     */
    private boolean isRepeated(final PushPartHeader part)
    {
        return part.clock <= clockOf(part.slot) && lastTaken(part.slot) == state.lastSequence(part.slot);
    }

    /** True if entries of a slot are held, or at least have to wait for those that are. */
    private boolean holds(final int slot)
    {
        return isSequential(slot) || lastTaken(slot) > state.lastSequence(slot);
    }

    @Override
    public long lastTaken(final int slot)
    {
        final long last = state.lastSequence(slot);
        if (entries > 0 && null != held[slot] && !held[slot].isEmpty() && !held[slot].isOrphan())
        {
            return held[slot].last();
        }

        return Math.max(last, sum.lastSequence(slot));
    }

    /** Iterations that a slot has ended, in the log or not; 0 for one that was never seen. */
    long ended(final int slot)
    {
        final BufferedUpdates known = held[slot];
        final long notAdded = null == known || 0 == known.clocks() ? 0 : known.lastClock();

        return Math.max(clockOf(slot), Math.max(notAdded, sum.clock(slot)));
    }

    /**
     * True if a slot holds the end of a clock that all have ended and that is not added up yet. No newer process may
     * then take the slot over, because that process would take the clock for unfinished.
     */
    boolean isDue(final int slot)
    {
        return clocks > 0 && null != held[slot] && held[slot].clocks() > 0 && isClockComplete();
    }

    /**
     * A newer process holds the slot: the pushes of its clock under way are kept until that process decides what
     * becomes of them.
     */
    void orphan(final int slot)
    {
        final BufferedUpdates known = held[slot];
        if (null != known)
        {
            entries -= known.entries();
            clocks -= known.clocks();
            known.orphan();
            entries += known.entries();
            onDropped();
        }
    }

    /**
     * True if a clock of a slot was added up since this node became primary, so that all of the next clock came to it.
     */
    boolean hasEndedHere(final int slot)
    {
        return endedHere.get(slot);
    }

    /** Last sequence that is held of a slot whose process was replaced, 0 if none is. */
    long orphaned(final int slot)
    {
        return null != held[slot] && held[slot].isOrphan() ? held[slot].last() : 0;
    }

    /**
     * The end of a clock may end everything that the process before has pushed, all of which is held, and nothing of
     * its own yet. The new process then goes on after those entries.
     */
    void adoptIfEnded(final PushPartHeader part)
    {
        if (part.adopted > 0 && PartitionState.isSlot(part.slot) &&
            part.incarnation == state.incarnation(part.slot) && part.adopted == orphaned(part.slot) &&
            part.sequence == part.adopted + 1 &&
            held[part.slot].firstSequence() == state.lastSequence(part.slot) + 1)
        {
            held[part.slot].adopt();
        }
    }

    /**
     * A part leaves a gap. If it comes right after the entries of the process before and does not end them, no process
     * will: they are dropped. A later part says nothing of them.
     */
    void onGap(final PushPartHeader part)
    {
        if (0 == part.adopted && part.sequence == orphaned(part.slot) + 1)
        {
            dropOrphan(part.slot);
        }
    }

    /**
     * The new process of a slot begins after the last part in the log; entries that are held of the process before are
     * dropped.
     */
    void dropOrphan(final int slot)
    {
        if (orphaned(slot) > 0)
        {
            discard(held[slot]);
        }
    }

    private void discard(final BufferedUpdates slot)
    {
        entries -= slot.entries();
        clocks -= slot.clocks();
        slot.clear();
        onDropped();
    }

    private void onDropped()
    {
        isRoomStale = true;
        if (!sum.isPending())
        {
            releaseRows();
        }
    }

    /** Logs no rates for a part that is held: they are logged when it is applied. */
    @Override
    public boolean prepare(final PushPartHeader part, final RecordWriter writer)
    {
        final boolean isReady = holds(part.slot) || writer.appendRateFactors();
        if (isReady)
        {
            dropOrphan(part.slot);
        }

        return isReady;
    }

    @Override
    public Outcome onPart(final PushPartHeader part, final Sections pushed, final RecordWriter writer)
    {
        if (!holds(part.slot))
        {
            return atOnce.onPart(part, pushed, writer);
        }
        int rowCount = 0;
        pushed.rewind();
        while (pushed.next())
        {
            rowCount += pushed.rowCount();
        }
        final BufferedUpdates slot = slot(part.slot);
        if (!slot.hasRoomFor(pushed.length(), rowCount, maxBytesPerSlot()))
        {
            return noRoom(part.slot, slot);
        }
        slot.addPart(part, rowCount, pushed.buffer(), pushed.offset(), pushed.length());
        entries++;
        state.holdRows(pushed);

        return Outcome.APPENDED;
    }

    @Override
    public Outcome onRefused(final PushPartHeader part, final Refusal why, final RecordWriter writer)
    {
        if (!holds(part.slot))
        {
            return atOnce.onRefused(part, why, writer);
        }
        final BufferedUpdates slot = slot(part.slot);
        if (!slot.hasRoomFor(0, 0, maxBytesPerSlot()))
        {
            return noRoom(part.slot, slot);
        }
        slot.addRefused(part, why);
        entries++;

        return Outcome.APPENDED;
    }

    /** Hold the end of a clock; the first always finds room. */
    @Override
    public Outcome onClock(final PushPartHeader part, final RecordWriter writer)
    {
        dropOrphan(part.slot);
        if (!holds(part.slot) || isRepeated(part))
        {
            return atOnce.onClock(part, writer);
        }
        final BufferedUpdates slot = slot(part.slot);
        if (!slot.hasRoomFor(0, 0, maxBytesPerSlot()) && slot.clocks() > 0)
        {
            return noRoom(part.slot, slot);
        }
        slot.addClock(part);
        entries++;
        clocks++;

        return Outcome.APPENDED;
    }

    @Override
    public Refusal refusal()
    {
        return refusal;
    }

    /** One clock must fit; a slot that has run ahead waits, and so does a slot whose parts are being appended. */
    private Outcome noRoom(final int id, final BufferedUpdates slot)
    {
        refusal = slot.clocks() > 0 || !isSequential(id) ? Refusal.BUSY : Refusal.CLOCK_TOO_LARGE;
        return Outcome.REFUSED;
    }

    private BufferedUpdates slot(final int slot)
    {
        if (null == held[slot])
        {
            held[slot] = new BufferedUpdates();
            heldEnd = Math.max(heldEnd, slot + 1);
        }

        return held[slot];
    }

    /** Append the sum or the parts that are due. */
    @Override
    public int doWork(final RecordWriter writer, final long nowNs)
    {
        if (!sum.isPending())
        {
            final int released = entries > 0 ? release(writer, nowNs) : 0;
            if (released > 0 || 0 == clocks || !isClockComplete())
            {
                return released;
            }
            addUp();
        }

        return append(writer);
    }

    /** True if all slots have finished the clock that the last of them are at. */
    private boolean isClockComplete()
    {
        final long clock = state.minClock();
        if (Consistency.FINISHED == clock || !state.consistency().isSequential())
        {
            return false;
        }
        for (int i = 0, size = state.consistency().slots(); i < size; i++)
        {
            if (clockOf(i) == clock && (null == held[i] || 0 == held[i].clocks()))
            {
                return false;
            }
        }

        return true;
    }

    private void addUp()
    {
        final long clock = state.minClock();
        for (int i = 0, size = state.consistency().slots(); i < size; i++)
        {
            if (clockOf(i) == clock)
            {
                entries -= held[i].entries();
                sum.add(i, held[i]);
                entries += held[i].entries();
                clocks--;
                endedHere.set(i);
            }
        }
        sum.complete();
    }

    private long clockOf(final int slot)
    {
        return null == state.slot(slot) ? 0 : state.slot(slot).clock;
    }

    private int append(final RecordWriter writer)
    {
        if (!copies.hasRoomFor(sum.rowBytes()) || !writer.appendRateFactors())
        {
            return 0;
        }
        final int records = sum.append(writer.appender());
        if (!sum.isPending())
        {
            sum.clear();
            releaseRows();
        }

        return records;
    }

    /** Keep room for the rows that held parts will add, and no more. */
    private void releaseRows()
    {
        boolean isRoomKept = false;
        for (int i = 0; i < state.tables().size(); i++)
        {
            isRoomKept |= state.tables().get(i).rowsHeld() > 0;
            if (0 == entries || isRoomStale)
            {
                state.tables().get(i).releaseRows();
            }
            else
            {
                state.tables().get(i).releaseRowsThere();
            }
        }
        for (int i = 0; isRoomKept && isRoomStale && i < heldEnd; i++)
        {
            if (null != held[i])
            {
                held[i].forEachPart((buffer, offset, length) ->
                    state.holdRows(sections.wrap(buffer, offset, length)));
            }
        }
        isRoomStale = false;
    }

    /** Append the parts of slots that are no longer bound, each part by itself. */
    private int release(final RecordWriter writer, final long nowNs)
    {
        int records = 0;
        for (int i = 0; i < heldEnd; i++)
        {
            // parts of a replaced process wait for the decision of the next process, which may go on after them
            if (orphaned(i) > 0 && !isSequential(i) && held[i].isAbandoned(nowNs))
            {
                dropOrphan(i);
            }
            while (null != held[i] && !held[i].isEmpty() && !held[i].isOrphan() && !isSequential(i))
            {
                if (records == MAX_RECORDS || !release(i, held[i], writer))
                {
                    return records;
                }
                records++;
            }
        }
        if (records > 0)
        {
            releaseRows();
        }

        return records;
    }

    private boolean release(final int id, final BufferedUpdates slot, final RecordWriter writer)
    {
        final BufferedUpdates.Kind kind = slot.firstKind();
        released.set(id, slot.firstIncarnation(), writer.appender().epoch(), slot.firstSequence(),
            slot.firstAcknowledgedThrough(), slot.firstValue());
        final Outcome outcome = switch (kind)
        {
            case PART -> atOnce.prepare(released, writer) ?
                atOnce.onPart(released, sections.wrap(slot.buffer(), slot.firstOffset(), slot.firstLength()), writer) :
                Outcome.NOT_NOW;
            case REFUSED -> atOnce.onRefused(released, Refusal.of((int)slot.firstValue()), writer);
            case CLOCK -> atOnce.onClock(released, writer);
        };
        if (Outcome.APPENDED == outcome)
        {
            slot.removeFirst();
            entries--;
            clocks -= BufferedUpdates.Kind.CLOCK == kind ? 1 : 0;
        }

        return Outcome.APPENDED == outcome;
    }
}
