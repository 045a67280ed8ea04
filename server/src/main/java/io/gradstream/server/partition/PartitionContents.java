// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;

/** A view of a partition's contents: its tables in order of creation, the system's own first, and its slots. */
public final class PartitionContents
{
    /** Behind the last slot that a job can have. */
    public static final int END = PartitionState.MAX_SLOTS;

    private final PartitionState state;
    private final IterationAggregator clocks;

    PartitionContents(final PartitionState state, final IterationAggregator clocks)
    {
        this.state = state;
        this.clocks = clocks;
    }

    public int tableCount()
    {
        return state.tables().size();
    }

    /** A table, by its index from 0 to tableCount - 1. */
    public TableSpec tableSpec(final int index)
    {
        return state.tables().get(index).spec();
    }

    /** Rows of a table, by its index, that are kept: those that were ever updated. */
    public int rowsPresent(final int index)
    {
        return state.tables().get(index).store().size();
    }

    /**
     * Rows of a table that are kept and hold an infinity or NaN, in their values or their update function's state.
     *
     * @param index 0 to tableCount - 1.
     */
    public int rowsNotFinite(final int index)
    {
        return state.tables().get(index).rowsNotFinite();
    }

    /** The next slot that a process ever held: first itself or a later one, or {@link #END}. */
    public int nextSlot(final int first)
    {
        int slot = first;
        while (slot < END && null == state.slot(slot))
        {
            slot++;
        }

        return Math.min(slot, END);
    }

    /** True if a process holds a slot, or backs up the one that does. */
    public boolean isProcess(final int slot, final long incarnation)
    {
        final Slot known = state.slot(slot);
        return incarnation == known.incarnation || incarnation == known.backup;
    }

    /** Process that holds a slot from {@link #nextSlot}. */
    public long incarnation(final int slot)
    {
        return state.slot(slot).incarnation;
    }

    /** Iterations that a slot from {@link #nextSlot} has finished. */
    public long clock(final int slot)
    {
        return state.slot(slot).clock;
    }

    /**
     * Iterations that a slot has ended: those it has finished, and those that are held until all slots end them.
     *
     * @param slot from {@link #nextSlot}.
     */
    public long ended(final int slot)
    {
        return clocks.ended(slot);
    }

    /**
     * Iterations that every slot which holds others back has {@link #ended}.
     *
     * @return the least of their counts; {@link Consistency#FINISHED} if no slot holds others back.
     */
    public long slowestEnded()
    {
        long slowest = Consistency.FINISHED;
        for (int slot = 0, size = state.consistency().slots(); slot < size; slot++)
        {
            slowest = Math.min(slowest, clocks.ended(slot));
        }

        return slowest;
    }

    /** Last sequence of a slot from {@link #nextSlot} that is applied. */
    public long lastSequence(final int slot)
    {
        return state.lastSequence(slot);
    }
}
