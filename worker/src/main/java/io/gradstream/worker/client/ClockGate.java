/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.worker.client;

import io.gradstream.worker.session.PartitionSession;

import java.util.ArrayDeque;

/**
 * Keeps the end of a sequential slot's clock back until every partition holds all that the slot has pushed in it. So
 * when one of them has applied the clock, a process that takes the slot over finds all of it at the others.
 */
final class ClockGate
{
    private final PartitionSession[] sessions;
    /** Of each clock that is kept back, its sequence at each partition. */
    private final ArrayDeque<long[]> closed = new ArrayDeque<>();

    ClockGate(final PartitionSession[] sessions)
    {
        this.sessions = sessions;
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
        boolean isSequential = false;
        for (final PartitionSession session : sessions)
        {
            isSequential |= session.isSequential();
        }
        if (isSequential)
        {
            final long[] sequences = new long[sessions.length];
            for (int i = 0; i < sessions.length; i++)
            {
                sequences[i] = sessions[i].lastSequence();
            }
            closed.add(sequences);
        }
    }

    /** Is nothing kept back? */
    boolean isOpen()
    {
        return closed.isEmpty();
    }

    /** Let go what all partitions are ready for. */
    int doWork()
    {
        int opened = 0;
        while (!closed.isEmpty() && areTaken(closed.peek()))
        {
            closed.poll();
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
}
