// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

import io.gradstream.worker.session.AckLevel;
import io.gradstream.worker.session.PartitionSession;

import java.util.ArrayDeque;

/**
 * Keeps the end of a sequential slot's clock back until every partition holds all pushes of the slot in that clock, and
 * has applied the clock before. So while no primary dies, no partition is more than one clock behind another. A process
 * that takes the slot over finds that clock at all of them, since a partition keeps the pushes of one clock for it.
 */
final class ClockBarrier
{
    private final PartitionSession[] sessions;
    /** The sequences, by partition, of each clock that is kept back. */
    private final ArrayDeque<long[]> closed = new ArrayDeque<>();
    /** The sequences, by partition, of the last clock that was not kept back, or is no longer. */
    private long[] released;

    ClockBarrier(final PartitionSession[] sessions)
    {
        this.sessions = sessions;
        released = new long[sessions.length];
    }

    /** The next message of a session is the end of a clock, and its partition has welcomed this process. */
    void close(final PartitionSession session)
    {
        if (session.isSequential() && closed.isEmpty())
        {
            session.sendBefore(session.spool().next());
        }
    }

    /** The end of a clock is in all spools. */
    void onWritten()
    {
        final long[] sequences = new long[sessions.length];
        for (int i = 0; i < sessions.length; i++)
        {
            sequences[i] = sessions[i].lastSequence();
        }
        if (isSequential() || !closed.isEmpty())
        {
            closed.add(sequences);
        }
        else
        {
            released = sequences;
        }
    }

    /** True if any partition holds this slot's pushes until all slots have ended the clock. */
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

    /** True if pushes are outstanding, and no server applies any of them before this slot ends its clock. */
    boolean isEndAwaited()
    {
        boolean isHeld = false;
        for (final PartitionSession session : sessions)
        {
            if (session.awaitsOwnClock())
            {
                isHeld = true;
            }
            else if (!session.spool().isEmpty())
            {
                return false;
            }
        }

        return isHeld;
    }

    /** True if no clock is kept back. */
    boolean isOpen()
    {
        return closed.isEmpty();
    }

    /** Release each clock for which all partitions are ready. */
    int doWork()
    {
        int opened = 0;
        while (!closed.isEmpty() && areTaken(closed.peek()) && isApplied(released))
        {
            released = closed.poll();
            opened++;
            for (int i = 0; i < sessions.length; i++)
            {
                sessions[i].sendBefore(closed.isEmpty() ? Long.MAX_VALUE : closed.peek()[i]);
            }
        }

        return opened;
    }

    private boolean areTaken(final long[] sequences)
    {
        for (int i = 0; i < sessions.length; i++)
        {
            if (sessions[i].takenThrough() < sequences[i] - 1)
            {
                return false;
            }
        }

        return true;
    }

    /** True if every partition has applied a clock: that waits for the other slots as long as the bound does. */
    private boolean isApplied(final long[] sequences)
    {
        for (int i = 0; i < sessions.length; i++)
        {
            if (sessions[i].watermarks().of(AckLevel.APPLIED) < sequences[i])
            {
                return false;
            }
        }

        return true;
    }
}
