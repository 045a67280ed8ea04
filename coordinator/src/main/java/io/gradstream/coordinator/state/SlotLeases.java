// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;

import io.gradstream.codecs.Consistency;
import io.gradstream.coordinator.client.SlotAnswer;

/**
 * Tells workers which slots are free, and remembers which process holds which slot and when it was last heard. This is
 * advice: the servers keep two processes of one slot apart, by their incarnations.
 */
public final class SlotLeases
{
    /** A slot whose process has been silent for so long is free. */
    public static final long LEASE_MS = 10_000;
    /** Most slots. */
    static final int MAX_SLOTS = Consistency.MAX_SLOTS;

    /** The facts that the coordinator knows of one slot. */
    static final class Lease
    {
        /** Newest process that was heard. */
        long incarnation;
        /** Greatest incarnation that was named for a process of the slot. */
        long named;
        /** The request that the process was given the slot for, 0 if it chose the slot. */
        long requestId;
        /** Cluster time of the last sign of life of that process. */
        long heardMs;
        /** False once the process has left. */
        boolean isHeld;
        /** True if a process has finished the slot: no other one is given it. */
        boolean hasFinished;

        private long newest()
        {
            return Math.max(incarnation, named);
        }
    }

    final TreeMap<Integer, Lease> leases = new TreeMap<>();
    private final JobState job;

    SlotLeases(final JobState job)
    {
        this.job = job;
    }

    /**
     * Give a slot to a process that asks for any: first one whose process died with work, then the lowest that is free.
     *
     * @param requestId of the question; one that is asked again gets the same slot.
     * @param nowMs     time of the message.
     * @return the slot and the incarnation of the process in it, or {@link SlotAnswer#NONE_FREE}.
     */
    public SlotAnswer take(final long requestId, final long nowMs)
    {
        int slot = slotOf(requestId);
        if (SlotAnswer.NONE_FREE == slot)
        {
            slot = firstFree(nowMs, job.work::hasOpenPieces);
            slot = SlotAnswer.NONE_FREE == slot ? firstFree(nowMs, (any) -> true) : slot;
            if (SlotAnswer.NONE_FREE == slot)
            {
                return new SlotAnswer(requestId, slot, 0, slots());
            }
            final long incarnation = name(slot, nowMs);
            final Lease lease = leases.get(slot);
            lease.incarnation = incarnation;
            lease.requestId = requestId;
            lease.isHeld = true;
        }
        final Lease lease = leases.get(slot);
        lease.heardMs = nowMs;

        return new SlotAnswer(requestId, slot, lease.incarnation, slots());
    }

    /**
     * A process shows life in a slot. If it is newer than the one that held the slot, it holds the slot from now on.
     *
     * @param slot        of the process.
     * @param incarnation of the process.
     * @param nowMs       time of the message.
     * @return false if a newer process has the slot, or if this one has left it.
     */
    public boolean onHeard(final int slot, final long incarnation, final long nowMs)
    {
        if (null == job.spec || slot < 0 || slot >= MAX_SLOTS || incarnation <= 0)
        {
            return false;
        }
        final Lease lease = leases.computeIfAbsent(slot, (unknown) -> new Lease());
        if (incarnation > lease.incarnation)
        {
            lease.incarnation = incarnation;
            lease.requestId = 0;
            lease.isHeld = true;
        }
        final boolean isHolder = lease.isHeld && incarnation == lease.incarnation;
        lease.heardMs = isHolder ? nowMs : lease.heardMs;

        return isHolder;
    }

    /**
     * A process that says which nodes it reaches shows life in a slot. One that was named to adopt the slot's work does
     * not hold the slot so: it may die before servers have fenced the process whose work it is to take.
     *
     * @param slot        of the process.
     * @param incarnation of the process.
     * @param nowMs       time of the message.
     */
    public void onReach(final int slot, final long incarnation, final long nowMs)
    {
        final Lease lease = leases.get(slot);
        final boolean isAdopter = null != lease && incarnation > lease.incarnation && incarnation <= lease.named &&
            job.work.hasOpenPieces(slot);
        if (!isAdopter)
        {
            onHeard(slot, incarnation, nowMs);
        }
    }

    /**
     * A process has left its slot.
     *
     * @param slot        that is left.
     * @param incarnation of the process; one that does not hold the slot is not heard.
     * @param hasFinished true if the slot has finished for good.
     * @return true if the slot was held by that process.
     */
    public boolean leave(final int slot, final long incarnation, final boolean hasFinished)
    {
        final Lease lease = leases.get(slot);
        final boolean isHolder = null != lease && lease.isHeld && incarnation == lease.incarnation;
        if (isHolder)
        {
            lease.isHeld = false;
            lease.hasFinished |= hasFinished;
        }
        if (isHolder && hasFinished)
        {
            job.work.onFinished(slot);
        }

        return isHolder;
    }

    /** The slot that the process holds which asked with this number, or {@link SlotAnswer#NONE_FREE}. */
    public int slotOf(final long requestId)
    {
        for (final Map.Entry<Integer, Lease> entry : leases.entrySet())
        {
            if (entry.getValue().isHeld && requestId == entry.getValue().requestId)
            {
                return entry.getKey();
            }
        }

        return SlotAnswer.NONE_FREE;
    }

    /** The slots for which a process was ever heard or named, in order. */
    public Set<Integer> known()
    {
        return Collections.unmodifiableSet(leases.keySet());
    }

    /** The newest process that was heard in a slot, 0 if none. */
    public long incarnation(final int slot)
    {
        final Lease lease = leases.get(slot);

        return null == lease ? 0 : lease.incarnation;
    }

    /** The time at which the process of a slot was last heard, in milliseconds; the slot is one of the known ones. */
    public long heardMs(final int slot)
    {
        return leases.get(slot).heardMs;
    }

    /** True if the process of a slot has not left it, and was heard of late. */
    public boolean isHeld(final int slot, final long nowMs)
    {
        final Lease lease = leases.get(slot);

        return null != lease && lease.isHeld && nowMs - lease.heardMs < LEASE_MS;
    }

    /** True if there is an incarnation left for a process that is to have the slot next. */
    boolean canBeNamed(final int slot)
    {
        final Lease lease = leases.get(slot);

        return null == lease || lease.newest() < Long.MAX_VALUE;
    }

    /** An incarnation above that of each process of a slot, whether it was heard or only named. */
    long name(final int slot, final long nowMs)
    {
        final Lease lease = leases.computeIfAbsent(slot, (unknown) -> new Lease());
        lease.named = Math.max(nowMs, lease.newest() + 1);

        return lease.named;
    }

    /** No process could show life while nobody led: each has its whole time again. */
    void onNewLeader(final long nowMs)
    {
        leases.values().forEach((lease) -> lease.heardMs = nowMs);
    }

    private int slots()
    {
        return job.consistency().isBounded() ? job.consistency().slots() : MAX_SLOTS;
    }

    private int firstFree(final long nowMs, final IntPredicate isWanted)
    {
        for (int slot = 0; slot < slots(); slot++)
        {
            final Lease lease = leases.get(slot);
            final boolean hasFinished = null != lease && lease.hasFinished;
            if (!hasFinished && !isHeld(slot, nowMs) && canBeNamed(slot) && isWanted.test(slot))
            {
                return slot;
            }
        }

        return SlotAnswer.NONE_FREE;
    }
}
