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
 * Where a slot stands that this process takes over: the iterations that its process before has ended at any partition,
 * and what it has left unfinished at others.
 */
final class SlotClock
{
    /** Begin where the servers say that the slot is. */
    static final long AS_SERVERS_SAY = -1;

    private final PartitionSession[] sessions;
    /** By partition the last part of the process before that the first clock of this one ends, 0 if none. */
    private final long[] adopted;
    /** Iterations that this process has begun behind. */
    private long told;
    private boolean areServersAsked;

    SlotClock(final PartitionSession[] sessions)
    {
        this.sessions = sessions;
        adopted = new long[sessions.length];
    }

    /** Has every partition welcomed this process? */
    boolean isKnown()
    {
        boolean isKnown = true;
        for (final PartitionSession session : sessions)
        {
            isKnown &= session.epoch() >= 0;
        }

        return isKnown;
    }

    /** Does any partition hold what this slot pushes until all slots have ended the clock? */
    boolean isSequential()
    {
        for (final PartitionSession session : sessions)
        {
            if (session.isSequential())
            {
                return true;
            }
        }

        return false;
    }

    /**
     * Where partitions hold a clock that others have applied, end it with what they hold. Once all are welcome.
     *
     * @param clock iterations that the caller says the slot has finished, or {@link #AS_SERVERS_SAY}.
     * @return the iterations that it has finished.
     * @throws IllegalStateException if the slot of a sequential job has finished more or less.
     */
    long goOnFrom(final long clock)
    {
        long most = 0;
        for (final PartitionSession session : sessions)
        {
            most = Math.max(most, session.heldBefore().clock());
        }
        final boolean isSequential = isSequential();
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
     * Say what of the iterations that this process begins behind partitions do not have, or may not have: it was not
     * acknowledged, or its servers died with the worker, and nobody pushes it again.
     *
     * @return a sentence for people, or null if partitions have all of these iterations.
     */
    String doubt()
    {
        final String missing = areServersAsked && !isSequential() ? missing() : null;
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

    /** Where slots are not sequential, each partition has counted by itself how far the slot is. */
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

        return behind.isEmpty() ? null : "this process goes on behind " +
            (Consistency.FINISHED == told ? "all" : told) + " iterations of its slot, and partitions have ended" +
            " fewer (" + String.join(", ", behind) + "): what the process before had not brought there, or what" +
            " their servers lost with it, stays out of the parameters";
    }

    /**
     * A partition is about to take what this process pushes.
     *
     * @throws IllegalStateException if the slot of a sequential job is further there than this process: what it pushes
     *                               would count in iterations of the others that are over for this slot.
     */
    void check(final PartitionSession session)
    {
        if (session.heldBefore().isSequential() && session.heldBefore().clock() > told)
        {
            throw new IllegalStateException("this slot has finished " + session.heldBefore().clock() +
                " iterations at partition=" + session.partition() +
                ": go on behind them, with initialClock(ClientContext.CLOCK_OF_SLOT)");
        }
    }

    /** What the next clock at a partition ends of the process before, 0 if nothing. */
    long adopted(final PartitionSession session)
    {
        return adopted[session.partition()];
    }

    /** The slot is backed up: its sequences say to what clock a part belongs, wherever the partition is. */
    void trustSequences()
    {
        told = Consistency.FINISHED;
    }

    /** The clock that ends it is written. */
    void onTold()
    {
        Arrays.fill(adopted, 0);
    }
}
