// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.SlotRole;

import java.util.function.LongSupplier;

/** The identity of a worker. */
public final class WorkerIdentity
{
    /** Slot of one that only pulls. */
    public static final int OBSERVER = -1;
    /** Largest step of {@link Numbering}. */
    public static final int MAX_STEP = 1 << 16;

    private static final int REQUEST_BITS = 20;
    private static final long MAX_FIRST_REQUEST = (1L << 50) - 1;

    private final int jobId;
    private final int slot;
    private final SlotRole role;
    private final Numbering numbering;
    private long incarnation;

    /**
     * Of a worker that numbers itself.
     *
     * @param jobId       it works for.
     * @param slot        its place in the job, or {@link #OBSERVER}.
     * @param incarnation which process holds the slot; grows with each.
     * @param role        that it has in the slot.
     * @param numbering   by which the incarnation is taken from a clock, or null if it is not.
     */
    public WorkerIdentity(
        final int jobId, final int slot, final long incarnation, final SlotRole role, final Numbering numbering)
    {
        this.jobId = jobId;
        this.slot = slot;
        this.incarnation = incarnation;
        this.role = role;
        this.numbering = numbering;
    }

    /** Of a worker whose number stays. */
    public WorkerIdentity(final int jobId, final int slot, final long incarnation, final SlotRole role)
    {
        this(jobId, slot, incarnation, role, null);
    }

    /** Of a worker that holds its slot alone, whose number stays. */
    public WorkerIdentity(final int jobId, final int slot, final long incarnation)
    {
        this(jobId, slot, incarnation, SlotRole.SOLE);
    }

    public int jobId()
    {
        return jobId;
    }

    public int slot()
    {
        return slot;
    }

    public long incarnation()
    {
        return incarnation;
    }

    public SlotRole role()
    {
        return role;
    }

    /**
     * A partition knows a newer process of the slot. If its number lies in the future of this process's clock, that
     * clock was set back, or another host's is ahead: then this process takes a number above it. A newer process that
     * was started by the same time has a number of the past, and keeps the slot.
     * <p>
     * Only for a process that no partition has welcomed: so each process takes the slot at most once, and one that was
     * replaced never takes it back. Steps differ, so that two processes that start at once do not take the same number.
     *
     * @param newest number of the slot's processes.
     * @return true if this process has another number now.
     */
    public boolean raiseAbove(final long newest)
    {
        if (null == numbering || newest <= numbering.epochMs().getAsLong())
        {
            return false;
        }
        final long raised = newest + numbering.step();
        incarnation = role.isSole() ? raised : role.isBackup() ? raised | 1 : raised + 1 & ~1L;

        return true;
    }

    /**
     * Where a process begins to number its requests: answers to those of an earlier process of the slot may still come
     * in where this one listens, and must not be taken for answers to its own.
     *
     * @return a number of at most 50 bits, far from that of another incarnation.
     */
    public long firstRequest()
    {
        return incarnation << REQUEST_BITS & MAX_FIRST_REQUEST;
    }

    /**
     * How incarnations are taken from a clock.
     *
     * @param epochMs the clock.
     * @param step    above a number that is in the clock's future, 1 to {@link #MAX_STEP}, by chance.
     */
    public record Numbering(LongSupplier epochMs, int step)
    {
    }
}
