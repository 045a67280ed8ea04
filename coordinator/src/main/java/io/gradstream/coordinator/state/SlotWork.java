// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.state;

import java.util.ArrayDeque;

import io.gradstream.coordinator.client.WorkPiece;

/**
 * The batches that one slot has been given and has not done: pieces laid end to end, one batch for each clock of the
 * slot from {@link #floorClock} on.
 */
final class SlotWork
{
    final ArrayDeque<WorkPiece> pieces = new ArrayDeque<>();
    /** Newest process that has reported. */
    long incarnation;
    /** Clock of the slot at which the pieces begin. */
    long floorClock;
    /** True once that process has given back its work. */
    boolean hasLeft;
    /** Time from which on the first piece is timed, and the clock of the slot at that time. */
    long sinceMs;
    long sinceClock;
    /** Time at which the slot has ended a piece last, 0 if never. */
    long endedMs;
    /** Slot whose process is to adopt this one, and since when. */
    int adopter;
    long adoptMs;
    /** With which the adopter is to connect; 0 if no adopter was named. */
    long adoptIncarnation;

    /** A newer process goes on with the pieces, at the clock at which it begins a batch first. */
    void takeOver(final long newer, final long clock, final long nowMs)
    {
        incarnation = newer;
        hasLeft = false;
        adoptIncarnation = 0;
        // servers that may lose what was acknowledged have a lower clock
        floorClock = Math.min(floorClock, clock);
        time(nowMs);
    }

    /** Time the first piece from now on. */
    void time(final long nowMs)
    {
        sinceMs = nowMs;
        sinceClock = floorClock;
    }

    /** The number of batches to the end of the first piece since it is timed; there is one. */
    long timedBatches()
    {
        return floorClock - sinceClock + pieces.element().length();
    }

    /** The clock after the last piece. */
    long endClock()
    {
        return floorClock + openBatches();
    }

    int openBatches()
    {
        int open = 0;
        for (final WorkPiece piece : pieces)
        {
            open += piece.length();
        }

        return open;
    }

    /** Remove what ends before a clock; returns the number of pieces that are done with it. */
    int removeUntil(final long clock)
    {
        int ended = 0;
        while (!pieces.isEmpty() && clock > floorClock)
        {
            final WorkPiece first = pieces.remove();
            final int done = (int)Math.min(first.length(), clock - floorClock);
            floorClock += done;
            if (done < first.length())
            {
                pieces.addFirst(new WorkPiece(first.unit(), first.fromBatch() + done, first.length() - done));
            }
            else
            {
                ended++;
            }
        }

        return ended;
    }
}
