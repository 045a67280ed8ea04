// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import org.agrona.collections.LongLongConsumer;

/** How far each slot's parts and clocks have come in a partition, and which of its parts were refused. */
public final class SlotProgress
{
    private final PartitionState state;
    private final IterationAggregator clocks;

    SlotProgress(final PartitionState state, final IterationAggregator clocks)
    {
        this.state = state;
        this.clocks = clocks;
    }

    /**
     * Last sequence of a slot that is taken, where parts are held until all slots have ended the clock; 0 elsewhere.
     */
    public long heldSequence(final int slot)
    {
        return PartitionState.isSlot(slot) && clocks.isSequential(slot) ? clocks.lastTaken(slot) : 0;
    }

    /** Last sequence of a slot that is recorded, 0 if none. */
    public long recordedSequence(final int slot)
    {
        final Slot known = slotOrNull(slot);
        return null == known ? 0 : known.recorded;
    }

    /** Last sequence of a slot that is in the oldest kept snapshot, 0 if none. */
    public long snapshottedSequence(final int slot)
    {
        final Slot known = slotOrNull(slot);
        return null == known ? 0 : known.snapshotted;
    }

    /** Last sequence of a slot that every replica in sync has applied, 0 if none. */
    public long replicatedSequence(final int slot)
    {
        final Slot known = slotOrNull(slot);
        return null == known ? 0 : known.replicated;
    }

    /**
     * The chain has come so far: move a slot's watermarks on.
     *
     * @param snapshottedPosition of the older kept snapshot of every replica in sync.
     */
    public void onPositions(
        final int slot, final long replicatedPosition, final long recordedPosition, final long snapshottedPosition)
    {
        final Slot known = slotOrNull(slot);
        if (null != known)
        {
            known.onPositions(replicatedPosition, recordedPosition, snapshottedPosition);
        }
    }

    /** Refusals of a slot that its worker may not know yet: sequence and code. */
    public void forEachRefusal(final int slot, final LongLongConsumer consumer)
    {
        final Slot known = slotOrNull(slot);
        if (null != known && !known.refusals.isEmpty())
        {
            known.refusals.forEachLong(consumer);
        }
    }

    /**
     * Last sequence of a slot that is held, including those of the process before, whose clock the new process may end;
     * the last in the log if none is held.
     */
    public long lastHeld(final int slot)
    {
        return PartitionState.isSlot(slot) ? Math.max(clocks.lastTaken(slot), clocks.orphaned(slot)) : 0;
    }

    /** Iterations that a slot has finished. */
    public long clock(final int slot)
    {
        final Slot known = slotOrNull(slot);
        return null == known ? 0 : known.clock;
    }

    /**
     * Iterations of a slot that are in the rows, if the last of them was added up with those of all other slots. All
     * partitions then have had the slot's pushes of each of them. {@link Consistency#FINISHED} once the slot has
     * finished; 0 elsewhere, and where it had finished before the bound was 0.
     */
    public long summedClock(final int slot)
    {
        final Slot known = slotOrNull(slot);
        final boolean isAddedUp = null != known && clocks.isSummed(slot) && (Consistency.FINISHED == known.clock ?
            known.ended > state.exactFrom() : known.clock >= state.exactFrom());

        return isAddedUp ? known.clock : 0;
    }

    /** True if pushes of a slot are held until all slots have ended the clock. */
    public boolean isSequential(final int slot)
    {
        return clocks.isSequential(slot);
    }

    /**
     * True if an earlier primary may have held parts of the slot's current clock that this one has lost. The slot's
     * process sends them again, but a process that takes the slot over cannot.
     */
    public boolean mayLack(final int slot)
    {
        return clocks.isSequential(slot) && state.epochs.size() > 1 && !clocks.hasEndedHere(slot);
    }

    /** Count of a slot's parts, clocks among them, that are lost because they came after the last snapshot. */
    public long jumpedSequences(final int slot)
    {
        final Slot known = slotOrNull(slot);
        return null == known ? 0 : known.jumped;
    }

    private Slot slotOrNull(final int slot)
    {
        return PartitionState.isSlot(slot) ? state.slot(slot) : null;
    }
}
