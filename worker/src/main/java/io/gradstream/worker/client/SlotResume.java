// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.codecs.Consistency;
import io.gradstream.worker.session.PartitionSession;
import io.gradstream.worker.session.Welcome;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The position of a slot that this process takes over: the iterations that its process before has ended at any
 * partition, and the parts that it has left unfinished at others.
 */
final class SlotResume
{
    /** Begin at the iteration that the servers name for the slot. */
    static final long AS_SERVERS_SAY = -1;

    private final PartitionSession[] sessions;
    private final ClockBarrier barrier;
    /** By partition the last part of the process before that the first clock of this one ends, 0 if none. */
    private final long[] adopted;
    /** Iterations after which this process has begun. */
    private long told;
    private boolean areServersAsked;

    SlotResume(final PartitionSession[] sessions, final ClockBarrier barrier)
    {
        this.barrier = barrier;
        this.sessions = sessions;
        adopted = new long[sessions.length];
    }

    /** True if every partition has welcomed this process. */
    boolean isKnown()
    {
        boolean isKnown = true;
        for (final PartitionSession session : sessions)
        {
            isKnown &= session.epoch() >= 0;
        }

        return isKnown;
    }

    /**
     * Go on after the slot's iterations. Where partitions hold a clock that others have applied, end the clock with the
     * parts that they hold. Only once all partitions have welcomed this process.
     *
     * @param clock iterations that the caller says the slot has finished, or {@link #AS_SERVERS_SAY}.
     * @return the iterations that the slot has finished.
     * @throws IllegalStateException if the slot of a sequential job has finished more or less.
     */
    long goOnFrom(final long clock)
    {
        long most = 0;
        for (final PartitionSession session : sessions)
        {
            most = Math.max(most, session.heldBefore().clock());
        }
        final boolean isSequential = barrier.isSequential();
        areServersAsked = AS_SERVERS_SAY == clock;
        if (!areServersAsked && !isSequential)
        {
            told = clock;
            return clock;
        }
        if (!areServersAsked && clock != most)
        {
            throw new IllegalStateException("invalid initialClock=" + clock + ": the slot has " +
                "finished " + (Consistency.FINISHED == most ? "all" : most) + " iterations; begin there, or where the" +
                " servers say (CLOCK_OF_SLOT)");
        }
        told = most;
        for (int i = 0; isSequential && i < sessions.length; i++)
        {
            final PartitionSession session = sessions[i];
            if (session.heldBefore().clock() < most && session.heldBefore().sequence() > session.lastSequence())
            {
                adopted[i] = session.adopt();
            }
        }

        return most;
    }

    /**
     * Name the pushes that partitions lack, or may lack, of the iterations after which this process begins: they were
     * not acknowledged, or their servers died with the worker, and no process pushes them again.
     *
     * @return a sentence for people, or null if partitions have all of these iterations.
     */
    String doubt()
    {
        final String missing = areServersAsked && !barrier.isSequential() ? missing() : null;
        if (null != missing)
        {
            return missing;
        }
        for (final PartitionSession session : sessions)
        {
            final Welcome.HeldParts held = session.heldBefore();
            if (held.isSequential() && held.mayLack() && held.clock() < told)
            {
                return (Consistency.FINISHED == told ? "the last iteration" : "iteration " + (told - 1)) +
                    " of this slot has ended at other partitions, and partition=" +
                    session.partition() + " has had another primary since it began: what the process before has" +
                    " pushed there in it may be missing, and the parameters may differ from those of a run in which" +
                    " worker and primary had not died together";
            }
        }

        return null;
    }

    /**
     * The partitions that have ended fewer iterations. Where slots are not sequential, each partition has counted by
     * itself how far the slot is.
     */
    private String missing()
    {
        final List<String> behind = new ArrayList<>();
        for (final PartitionSession session : sessions)
        {
            final long clock = session.heldBefore().clock();
            if (clock < told)
            {
                behind.add("partition=" + session.partition() + " " +
                    (Consistency.FINISHED == told ? "at " + clock : "by " + (told - clock)));
            }
        }

        return behind.isEmpty() ? null : "this process continues after " +
            (Consistency.FINISHED == told ? "all" : told) + " iterations of its slot, and partitions have ended" +
            " fewer (" + String.join(", ", behind) + "): what the process before had not brought there, or what" +
            " their servers lost with it, stays out of the parameters";
    }

    /**
     * A partition is about to take pushes of this process.
     *
     * @throws IllegalStateException if the slot of a sequential job is further there than this process: its pushes
     *                               would count in iterations of the others that are over for this slot.
     */
    void check(final PartitionSession session)
    {
        if (session.heldBefore().isSequential() && session.heldBefore().clock() > told)
        {
            throw new IllegalStateException("this slot has finished " + session.heldBefore().clock() +
                " iterations at partition=" + session.partition() +
                ": continue after them, with initialClock(ClientContext.CLOCK_OF_SLOT)");
        }
    }

    /** Last part of the process before that the next clock at a partition ends, 0 if none. */
    long adopted(final PartitionSession session)
    {
        return adopted[session.partition()];
    }

    /** The slot is backed up: its sequences say to which clock a part belongs, however far the partition is. */
    void trustSequences()
    {
        told = Consistency.FINISHED;
    }

    /** The clock that ends the parts of the process before is written. */
    void onTold()
    {
        Arrays.fill(adopted, 0);
    }
}
