// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.codecs.LogRecords;
import io.gradstream.recovery.log.Log;
import io.gradstream.recovery.log.LogCursor;
import io.gradstream.recovery.log.RecordHandler;
import io.gradstream.recovery.log.Replay;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.log.SnapshotSink;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A log and snapshots in memory, of which reading can be made to fail.
 */
public final class FakeStorage implements ReplicaStorage
{
    final List<UnsafeBuffer> records = new ArrayList<>();
    long startPosition;
    int snapshotCount;
    int snapshotFrames = 1;
    List<String> lostSnapshots = List.of();
    boolean isLossAccepted;
    int failingReplays;
    int openReplays;
    int openedReplays;
    int openedSnapshotAge = -1;
    int wipes;
    int truncations;
    boolean isOutOfRoom;
    /** Bytes with which the log's term was filled up for a record that was not appended. */
    int padding;
    boolean isRecording = true;
    private long lackedFrom = NOTHING_LACKED;
    private long recorded;

    long endPosition()
    {
        return startPosition + (long)records.size() * FakeState.STEP;
    }

    @Override
    public boolean isReady()
    {
        return true;
    }

    @Override
    public int snapshotCount()
    {
        return snapshotCount;
    }

    @Override
    public List<String> lostSnapshots()
    {
        return lostSnapshots;
    }

    @Override
    public boolean isLossAccepted()
    {
        return isLossAccepted;
    }

    @Override
    public Replay openSnapshot(final int age)
    {
        openedSnapshotAge = age;
        return new FakeReplay(Collections.nCopies(snapshotFrames, FakeState.record(new LogCursor(), 1)), 0);
    }

    @Override
    public Replay openReplay(final long fromPosition, final long toPosition)
    {
        if (fromPosition < startPosition)
        {
            throw new ReplayException("the log begins at " + startPosition);
        }
        final int first = (int)((fromPosition - startPosition) / FakeState.STEP);
        final int end = TO_RECORDED_END == toPosition ? records.size() :
            (int)((toPosition - startPosition) / FakeState.STEP);

        return new FakeReplay(records.subList(first, end), fromPosition);
    }

    @Override
    public void keepLogFrom(final long position)
    {
        lackedFrom = position;
    }

    /** Position from which the log is kept for the follower. */
    long lackedFrom()
    {
        return lackedFrom;
    }

    @Override
    public Log openLog(final long position)
    {
        if (records.isEmpty())
        {
            startPosition = position;
        }

        return new FakeLog();
    }

    @Override
    public void closeLog()
    {
        // it is always open
    }

    @Override
    public boolean truncate(final long position)
    {
        if (position < startPosition)
        {
            throw new IllegalStateException("it holds " + startPosition);
        }
        truncations++;
        while (endPosition() > position)
        {
            records.remove(records.size() - 1);
        }

        return true;
    }

    @Override
    public boolean wipe()
    {
        wipes++;
        records.clear();
        startPosition = 0;
        snapshotCount = 0;

        return true;
    }

    @Override
    public SnapshotSink openSnapshotSink(final long position)
    {
        return null;
    }

    @Override
    public void close()
    {
        // nothing is open
    }

    private final class FakeReplay implements Replay
    {
        private final List<UnsafeBuffer> items;
        private final long fromPosition;
        private int next;
        private boolean isClosed;

        FakeReplay(final List<UnsafeBuffer> items, final long fromPosition)
        {
            this.items = List.copyOf(items);
            this.fromPosition = fromPosition;
            openReplays++;
            openedReplays++;
        }

        @Override
        public int poll(final RecordHandler handler, final int limit)
        {
            if (failingReplays > 0)
            {
                failingReplays--;
                throw new ReplayException("it makes no progress");
            }
            int count = 0;
            while (next < items.size() && count < limit)
            {
                final UnsafeBuffer item = items.get(next++);
                handler.onRecord(item, 0, item.capacity(), fromPosition + (long)next * FakeState.STEP);
                count++;
            }

            return count;
        }

        @Override
        public boolean isDone()
        {
            return next == items.size();
        }

        @Override
        public long endPosition()
        {
            return fromPosition + (long)items.size() * FakeState.STEP;
        }

        @Override
        public void close()
        {
            openReplays -= isClosed ? 0 : 1;
            isClosed = true;
        }
    }

    private final class FakeLog implements Log
    {
        private UnsafeBuffer claim;

        @Override
        public int maxRecordLength()
        {
            return FakeState.LENGTH;
        }

        @Override
        public long position()
        {
            return endPosition() + padding;
        }

        @Override
        public boolean tryClaim(final int length)
        {
            if (length > maxRecordLength())
            {
                throw new IllegalArgumentException(
                    "claim exceeds maxPayloadLength of " + maxRecordLength() + ", length=" + length);
            }
            claim = isOutOfRoom ? null : new UnsafeBuffer(ByteBuffer.allocateDirect(length));
            return !isOutOfRoom;
        }

        @Override
        public boolean tryPadTo(final long position)
        {
            throw new IllegalStateException("a log without terms has no padding, position=" + position);
        }

        @Override
        public long claimEndPosition()
        {
            return endPosition() + LogRecords.alignedLength(claim.capacity());
        }

        @Override
        public MutableDirectBuffer buffer()
        {
            return claim;
        }

        @Override
        public int offset()
        {
            return 0;
        }

        @Override
        public void commit()
        {
            records.add(claim);
        }

        @Override
        public long recordedPosition()
        {
            recorded = isRecording ? endPosition() : recorded;
            return recorded;
        }

        @Override
        public boolean isAlive()
        {
            return true;
        }

        @Override
        public void close()
        {
            // it keeps what it has
        }
    }
}
