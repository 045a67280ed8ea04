// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.LogRecords;
import io.gradstream.codecs.snapshot.MessageHeaderDecoder;
import io.gradstream.codecs.snapshot.SnapshotStartedDecoder;
import io.gradstream.recovery.log.Log;
import io.gradstream.recovery.log.RecordHandler;
import io.gradstream.recovery.log.Replay;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.log.SnapshotSink;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A log and snapshots in memory that survive the replica which wrote them, as disks survive processes. What is
 * recorded trails what is appended until {@link #recordAll()}; a crash keeps what was recorded only.
 */
public final class InMemoryStorage implements ReplicaStorage
{
    /** Longest record and frame. */
    public static final int MAX_LENGTH = 65_472;

    private final List<UnsafeBuffer> records = new ArrayList<>();
    private final List<Long> ends = new ArrayList<>();
    private final List<List<UnsafeBuffer>> snapshots = new ArrayList<>();
    private int recordedCount;
    private boolean isBackPressured;
    private boolean isSnapshotBackPressured;
    private boolean isRecordingDead;
    private boolean isVerifyHeld;
    private boolean isReadingHeld;
    private long snapshotBytes;
    private long readBytes;
    private int maxFrameLength = MAX_LENGTH;

    /** The bytes of each record of its log. */
    public List<byte[]> recordBytes()
    {
        return records.stream().map((record) ->
        {
            final byte[] bytes = new byte[record.capacity()];
            record.getBytes(0, bytes);
            return bytes;
        }).toList();
    }

    @Override
    public boolean isReady()
    {
        return true;
    }

    @Override
    public int snapshotCount()
    {
        return Math.min(2, snapshots.size());
    }

    @Override
    public List<String> lostSnapshots()
    {
        return records.isEmpty() && !snapshots.isEmpty() ? List.of("snapshot-0", "snapshot-1") : List.of();
    }

    @Override
    public boolean isLossAccepted()
    {
        return false;
    }

    @Override
    public Replay openSnapshot(final int age)
    {
        return new InMemoryReplay(snapshots.get(snapshots.size() - 1 - age), 0, null);
    }

    @Override
    public Replay openReplay(final long fromPosition, final long toPosition)
    {
        int first = 0;
        while (first < recordedCount && ends.get(first) <= fromPosition)
        {
            first++;
        }
        if ((0 == first ? 0 : ends.get(first - 1)) != fromPosition)
        {
            throw new ReplayException("no record begins at position=" + fromPosition);
        }
        final int end = TO_RECORDED_END == toPosition ? recordedCount : ends.indexOf(toPosition) + 1;

        return new InMemoryReplay(records.subList(0, end), first, ends);
    }

    @Override
    public void keepLogFrom(final long position)
    {
        // it deletes nothing of its log by itself
    }

    @Override
    public Log openLog(final long position)
    {
        if (endPosition() != position)
        {
            throw new IllegalStateException("log ends at " + endPosition() + " not at " + position);
        }

        return new InMemoryLog();
    }

    @Override
    public void closeLog()
    {
        recordAll();
    }

    @Override
    public boolean truncate(final long position)
    {
        while (endPosition() > position)
        {
            records.remove(records.size() - 1);
            ends.remove(ends.size() - 1);
        }
        recordedCount = Math.min(recordedCount, records.size());

        return true;
    }

    @Override
    public boolean wipe()
    {
        snapshots.clear();

        return truncate(0);
    }

    @Override
    public SnapshotSink openSnapshotSink(final long position)
    {
        snapshotBytes = 0;
        return new InMemorySink();
    }

    @Override
    public void close()
    {
        recordedCount = records.size();
    }

    /** Everything appended is recorded from now on. */
    public void recordAll()
    {
        recordedCount = records.size();
    }

    List<UnsafeBuffer> records()
    {
        return records;
    }

    /** The first so many records are recorded. */
    void record(final int count)
    {
        recordedCount = count;
    }

    /** The process dies: what was not recorded is gone. */
    public void crash()
    {
        while (records.size() > recordedCount)
        {
            records.remove(records.size() - 1);
            ends.remove(ends.size() - 1);
        }
    }

    /** Frames of snapshots are no longer than this from now on. */
    void maxFrameLength(final int length)
    {
        maxFrameLength = length;
    }

    /** As Aeron does. */
    private static void requireFits(final int length, final int most)
    {
        if (length > most)
        {
            throw new IllegalArgumentException(
                "claim exceeds maxPayloadLength of " + most + ", length=" + length);
        }
    }

    /** Claims fail while set. */
    public void backPressured(final boolean isSet)
    {
        isBackPressured = isSet;
    }

    /** A snapshot's frames find no room while set. */
    public void snapshotBackPressured(final boolean isSet)
    {
        isSnapshotBackPressured = isSet;
    }

    /** The recording has died. */
    public void killRecording()
    {
        isRecordingDead = true;
    }

    /** Completed snapshots do not get verified while set. */
    public void holdVerification(final boolean isSet)
    {
        isVerifyHeld = isSet;
    }

    /** Bytes of frames of the newest snapshot so far. */
    long snapshotBytes()
    {
        return snapshotBytes;
    }

    /** So much of a completed snapshot has been read back. */
    void readBytes(final long bytes)
    {
        readBytes = bytes;
    }

    /** Is nothing to be read back now? */
    boolean isReadingHeld()
    {
        return isReadingHeld;
    }

    /** Flip one bit of a record. */
    public void corruptRecord(final int index)
    {
        final UnsafeBuffer record = records.get(index);
        record.putByte(record.capacity() - 1, (byte)(record.getByte(record.capacity() - 1) ^ 1));
    }

    /** Flip one bit of the newest snapshot. */
    public void corruptNewestSnapshot()
    {
        corrupt(snapshots.get(snapshots.size() - 1));
    }

    /** Flip one bit of every snapshot. */
    public void corruptSnapshots()
    {
        snapshots.forEach(InMemoryStorage::corrupt);
    }

    private static void corrupt(final List<UnsafeBuffer> frames)
    {
        final UnsafeBuffer frame = frames.get(1);
        frame.putByte(frame.capacity() - 1, (byte)(frame.getByte(frame.capacity() - 1) ^ 1));
    }

    /** Frames of the newest snapshot. */
    List<UnsafeBuffer> newestSnapshot()
    {
        return snapshots.get(snapshots.size() - 1);
    }

    /** Records there are. */
    public int recordCount()
    {
        return records.size();
    }

    /** Write the records, each behind its length. */
    public byte[] exportLog()
    {
        return export(records);
    }

    /** Write the frames of the newest snapshot, each behind its length. */
    public byte[] exportNewestSnapshot()
    {
        return export(snapshots.get(snapshots.size() - 1));
    }

    /** Read what {@link #exportLog()} wrote, as recorded. */
    public void importLog(final byte[] bytes)
    {
        for (final UnsafeBuffer record : parse(bytes))
        {
            ends.add(endPosition() + LogRecords.alignedLength(record.capacity()));
            records.add(record);
        }
        recordAll();
    }

    /** Read what {@link #exportNewestSnapshot()} wrote, as verified. */
    public void importSnapshot(final byte[] bytes)
    {
        snapshots.add(parse(bytes));
    }

    private static byte[] export(final List<UnsafeBuffer> items)
    {
        final ByteBuffer all = ByteBuffer.allocate(
            items.stream().mapToInt((item) -> Integer.BYTES + item.capacity()).sum());
        for (final UnsafeBuffer item : items)
        {
            all.putInt(item.capacity());
            item.getBytes(0, all, item.capacity());
        }

        return all.array();
    }

    private static List<UnsafeBuffer> parse(final byte[] bytes)
    {
        final ByteBuffer all = ByteBuffer.wrap(bytes);
        final List<UnsafeBuffer> items = new ArrayList<>();
        while (all.hasRemaining())
        {
            final UnsafeBuffer item = direct(all.getInt());
            item.putBytes(0, all, item.capacity());
            items.add(item);
        }

        return items;
    }

    private long endPosition()
    {
        return ends.isEmpty() ? 0 : ends.get(ends.size() - 1);
    }

    private static long positionOf(final List<UnsafeBuffer> frames)
    {
        return new SnapshotStartedDecoder().wrapAndApplyHeader(frames.get(0), 0, new MessageHeaderDecoder()).position();
    }

    private static UnsafeBuffer direct(final int length)
    {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(length));
    }

    private final class InMemoryLog implements Log
    {
        private UnsafeBuffer claim;

        @Override
        public int maxRecordLength()
        {
            return MAX_LENGTH;
        }

        @Override
        public long position()
        {
            return endPosition();
        }

        @Override
        public boolean tryClaim(final int length)
        {
            requireFits(length, MAX_LENGTH);
            if (isBackPressured)
            {
                return false;
            }
            claim = direct(length);
            return true;
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
            final UnsafeBuffer record = direct(claim.capacity());
            record.putBytes(0, claim, 0, claim.capacity());
            ends.add(claimEndPosition());
            records.add(record);
            // As Aeron does with what is recorded: whoever reads on finds nothing.
            claim.setMemory(0, claim.capacity(), (byte)0);
        }

        @Override
        public long recordedPosition()
        {
            return 0 == recordedCount ? 0 : ends.get(recordedCount - 1);
        }

        @Override
        public boolean isAlive()
        {
            return !isRecordingDead;
        }

        @Override
        public void close()
        {
        }
    }

    private final class InMemorySink implements SnapshotSink
    {
        private final List<UnsafeBuffer> frames = new ArrayList<>();
        private UnsafeBuffer claim;
        private boolean isComplete;
        private boolean isStored;

        @Override
        public int maxFrameLength()
        {
            return maxFrameLength;
        }

        @Override
        public boolean tryClaim(final int length)
        {
            requireFits(length, maxFrameLength);
            claim = isSnapshotBackPressured ? null : direct(length);
            return !isSnapshotBackPressured;
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
            frames.add(claim);
            snapshotBytes += claim.capacity();
        }

        @Override
        public void complete()
        {
            isComplete = true;
        }

        @Override
        public boolean hasFailed()
        {
            return false;
        }

        @Override
        public boolean isVerified()
        {
            if (isComplete && !isStored && !isVerifyHeld)
            {
                snapshots.add(frames);
                isStored = true;
            }
            return isStored;
        }

        @Override
        public long readBytes()
        {
            return readBytes;
        }

        @Override
        public void holdReading(final boolean isHeld)
        {
            isReadingHeld = isHeld;
        }

        @Override
        public long olderPosition()
        {
            return snapshotCount() < 2 ? 0 : positionOf(snapshots.get(snapshots.size() - 2));
        }
    }

    private static final class InMemoryReplay implements Replay
    {
        private final List<UnsafeBuffer> items;
        private final List<Long> positions;
        private int next;

        InMemoryReplay(final List<UnsafeBuffer> items, final int first, final List<Long> positions)
        {
            this.items = new ArrayList<>(items);
            this.positions = positions;
            next = first;
        }

        @Override
        public int poll(final RecordHandler handler, final int limit)
        {
            int count = 0;
            while (next < items.size() && count < limit)
            {
                final UnsafeBuffer item = items.get(next);
                handler.onRecord(item, 0, item.capacity(), null == positions ? 0 : positions.get(next));
                next++;
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
            return null == positions || items.isEmpty() ? 0 : positions.get(items.size() - 1);
        }

        @Override
        public void close()
        {
        }
    }
}
