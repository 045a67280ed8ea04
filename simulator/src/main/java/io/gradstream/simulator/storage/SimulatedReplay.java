// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.storage;

import io.gradstream.recovery.log.RecordHandler;
import io.gradstream.recovery.log.Replay;
import io.gradstream.recovery.log.ReplayException;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.List;

/** Reads the frames of a snapshot, up to one whose checksum the Archive finds wrong if it is rotten. */
final class SimulatedReplay implements Replay
{
    private final List<UnsafeBuffer> frames;
    private final Runnable step;
    private final boolean isRotten;
    private int next;

    SimulatedReplay(final List<UnsafeBuffer> frames, final boolean isRotten, final Runnable step)
    {
        this.frames = frames;
        this.isRotten = isRotten;
        this.step = step;
    }

    @Override
    public int poll(final RecordHandler handler, final int limit)
    {
        step.run();
        int count = 0;
        while (next < frames.size() && count < limit)
        {
            final UnsafeBuffer frame = frames.get(next);
            if (isRotten && next == frames.size() / 2)
            {
                throw new ReplayException("frame=" + next + ": checksum mismatch");
            }
            handler.onRecord(frame, 0, frame.capacity(), 0);
            next++;
            count++;
        }

        return count;
    }

    @Override
    public boolean isDone()
    {
        return next == frames.size();
    }

    @Override
    public long endPosition()
    {
        return 0;
    }

    @Override
    public void close()
    {
    }
}
