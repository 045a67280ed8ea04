// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.util.ArrayList;
import java.util.List;

import io.gradstream.cli.worker.WorkerSession;
import io.gradstream.codecs.Consistency;
import io.gradstream.launcher.process.StatusLine;

/**
 * The processes that have held a slot one after the other, each with the place where it says that it begins. A process
 * that was killed no longer says what it has pushed. The sequences that it has used give the number of its pushes, for
 * each of its sequences is a push or the end of an iteration.
 */
final class SlotLives
{
    /** A number that cannot be told. */
    static final long UNKNOWN = -1;

    private final List<Life> lives = new ArrayList<>();
    private int restarts;
    private boolean hasBegun;

    /**
     * The state of the slot that a process found.
     *
     * @param clock     iterations after which the process goes on.
     * @param sequences by partition the last sequence of the processes before.
     * @param clocks    by partition the iterations that the processes before have ended.
     */
    private record Life(long clock, long[] sequences, long[] clocks)
    {
    }

    /** Called when a process says that it begins. */
    void onBegin(final StatusLine line)
    {
        final String[] partitions = line.text(WorkerSession.BEFORE).split(",");
        final long[] sequences = new long[partitions.length];
        final long[] clocks = new long[partitions.length];
        for (int i = 0; i < partitions.length; i++)
        {
            final String[] numbers = partitions[i].split(":");
            sequences[i] = Long.parseLong(numbers[0]);
            clocks[i] = Long.parseLong(numbers[1]);
        }
        lives.add(new Life(line.number(WorkerSession.CLOCK), sequences, clocks));
        hasBegun = true;
    }

    /** Called when the process was replaced by another one. */
    void onRestart()
    {
        restarts++;
        hasBegun = false;
    }

    /** True if the newest process has said where it begins. */
    boolean hasBegun()
    {
        return hasBegun;
    }

    /** True if more than one process has held the slot. */
    boolean isRestarted()
    {
        return restarts > 0;
    }

    /** Number of processes that have replaced another one. */
    int restarts()
    {
        return restarts;
    }

    /**
     * Number of pushes to a partition of all processes but the last. A process that ended before it said where it
     * begins has pushed nothing.
     *
     * @return the number, or {@link #UNKNOWN}: the last process has not begun, or one before it has finished.
     */
    long pushedBefore(final int partition)
    {
        if (!hasBegun)
        {
            return UNKNOWN;
        }
        long pushed = 0;
        for (int i = 1; i < lives.size(); i++)
        {
            final Life life = lives.get(i - 1);
            final Life next = lives.get(i);
            final long used = next.sequences[partition] - life.sequences[partition];
            if (used > 0)
            {
                if (Consistency.FINISHED == next.clocks[partition] || Consistency.FINISHED == life.clock)
                {
                    return UNKNOWN;
                }
                // a process that goes on after some iterations says so first
                pushed += used - (next.clocks[partition] - life.clock) - (life.clock > 0 ? 1 : 0);
            }
        }

        return pushed;
    }

    /**
     * Most pushes that partitions may lack, if slots are not sequential. A process goes on after the iterations that
     * its predecessor had ended at any partition: pushes that the predecessor had not brought to the other partitions
     * died with it. The iteration that follows is left out, as the predecessor may have pushed a part of it.
     *
     * @return the number, of all partitions together.
     */
    long leftOut()
    {
        long leftOut = 0;
        for (int i = 1; i < lives.size(); i++)
        {
            final Life life = lives.get(i);
            final boolean hasFinished = Consistency.FINISHED == life.clock;
            for (int partition = 0; partition < life.clocks.length; partition++)
            {
                if (life.clocks[partition] < life.clock)
                {
                    leftOut += hasFinished ? 1 : life.clock - life.clocks[partition];
                }
                leftOut += hasFinished || 0 == life.sequences[partition] ? 0 : 1;
            }
        }

        return leftOut;
    }

    /** Last sequence at a partition of all processes but the last; {@link #UNKNOWN} if the last has not begun. */
    long sequenceBefore(final int partition)
    {
        return hasBegun ? lives.get(lives.size() - 1).sequences[partition] : UNKNOWN;
    }
}
