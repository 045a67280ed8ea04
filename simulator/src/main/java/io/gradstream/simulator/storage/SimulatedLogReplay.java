// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.storage;

import io.gradstream.recovery.log.RecordHandler;
import io.gradstream.recovery.log.Replay;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.ReplicaStorage;


/**
 * Reads a copy of a log: to what was recorded when the replay opened, or up to a position as soon as that is recorded.
 */
final class SimulatedLogReplay implements Replay
{
    private final SimulatedLogFile file;
    private final long fromPosition;
    private final long toPosition;
    private final Runnable step;
    /** The planted fault of a damaged log that passes for a shorter one. */
    private final boolean isShort;
    private int callsToOpen;
    private boolean isOpen;
    private int next;
    private int end;
    private long position;

    SimulatedLogReplay(
        final SimulatedLogFile file,
        final long fromPosition,
        final long toPosition,
        final Runnable step,
        final boolean isShort,
        final int callsToOpen)
    {
        this.file = file;
        this.fromPosition = fromPosition;
        this.toPosition = toPosition;
        this.step = step;
        this.isShort = isShort;
        this.callsToOpen = callsToOpen;
        position = fromPosition;
    }

    @Override
    public int poll(final RecordHandler handler, final int limit)
    {
        step.run();
        if (!isOpen && --callsToOpen > 0)
        {
            return 0;
        }
        if (!isOpen)
        {
            open();
        }
        if (file.isWithdrawn())
        {
            throw new ReplayException("the Archive has withdrawn the log");
        }
        int count = 0;
        while (count < limit && !isDone() && next < file.recordedIndex())
        {
            final SimulatedLogFile.Entry entry = file.entry(next);
            if (null != entry && entry.isRotten() && isShort)
            {
                file.truncate(position);
                end = next;
                return count;
            }
            if (null == entry || entry.isRotten())
            {
                throw new ReplayException("record after position=" + position +
                    (null == entry ? " is no longer there" : ": checksum mismatch"));
            }
            handler.onRecord(entry.bytes, 0, entry.bytes.capacity(), entry.end);
            next++;
            position = entry.end;
            count++;
        }

        return count;
    }

    private void open()
    {
        next = file.indexAfter(fromPosition);
        if (next < 0)
        {
            throw new ReplayException("no record begins at position=" + fromPosition + " of " + file.start() + ".." +
                file.end());
        }
        end = file.recordedIndex();
        isOpen = true;
    }

    @Override
    public boolean isDone()
    {
        return isOpen && (ReplicaStorage.TO_RECORDED_END == toPosition ? next >= end : position >= toPosition);
    }

    @Override
    public long endPosition()
    {
        return position;
    }

    @Override
    public void close()
    {
    }
}
