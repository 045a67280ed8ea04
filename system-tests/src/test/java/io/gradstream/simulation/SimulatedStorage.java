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
package io.gradstream.simulation;

import io.gradstream.codecs.LogRecords;
import io.gradstream.codecs.log.ClockDoneDecoder;
import io.gradstream.codecs.log.MessageHeaderDecoder;
import io.gradstream.codecs.log.RefusedDecoder;
import io.gradstream.codecs.log.RowsUpdatedDecoder;
import io.gradstream.recovery.replica.Log;
import io.gradstream.recovery.replica.RecordHandler;
import io.gradstream.recovery.replica.Replay;
import io.gradstream.recovery.replica.ReplayException;
import io.gradstream.recovery.replica.ReplicaStorage;
import io.gradstream.recovery.replica.SnapshotSink;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A log and snapshots that survive crashes of the server; recording trails appending, each operation may be the one
 * in which the process dies, and it knows for itself which parts are recorded and covered.
 */
final class SimulatedStorage implements ReplicaStorage
{
    static final int MAX_LENGTH = 4096;
    private static final int KEPT_SNAPSHOTS = 2;

    private record LogEntry(UnsafeBuffer bytes, long end, int slot, long sequence)
    {
    }

    private final Faults faults;
    private final PlantedFault planted;
    private final List<LogEntry> entries = new ArrayList<>();
    private final List<SimulatedSnapshot> snapshots = new ArrayList<>();
    private final long[] durable = new long[Simulation.SLOTS];
    private final long[] covered = new long[Simulation.SLOTS];
    private int recordedCount;
    private long stepsToCrash;
    private RowReader rowReader;

    SimulatedStorage(final Faults faults, final PlantedFault planted)
    {
        this.faults = faults;
        this.planted = planted;
    }

    /** A new process starts; it may die at a numbered operation. */
    void start(final RowReader reader)
    {
        rowReader = reader;
        stepsToCrash = faults.strike(FaultClass.CRASH_POINT, 0.5) ?
            faults.draw(FaultClass.CRASH_POINT, 1, 300) : Long.MAX_VALUE;
    }

    void disarm()
    {
        stepsToCrash = Long.MAX_VALUE;
    }

    /** The process dies: of what was not recorded a prefix survives. */
    void crash()
    {
        final int unrecorded = entries.size() - recordedCount;
        int survivors = recordedCount + (int)faults.draw(FaultClass.SERVER_CRASH, 0, unrecorded);
        if (PlantedFault.RECORDED_LOG_TRUNCATED == planted)
        {
            survivors = Math.max(0, recordedCount - 3);
        }
        while (entries.size() > survivors)
        {
            entries.remove(entries.size() - 1);
        }
        recordedCount = Math.min(recordedCount, entries.size());
        record(entries.size());
        if (!snapshots.isEmpty() && faults.strike(FaultClass.SNAPSHOT_ROT, 0.2))
        {
            snapshots.get(snapshots.size() - 1).rot();
        }
    }

    /** The Archive records some more. */
    void record(final int most)
    {
        for (int i = 0; i < most && recordedCount < entries.size(); i++)
        {
            final LogEntry entry = entries.get(recordedCount++);
            if (entry.slot >= 0)
            {
                durable[entry.slot] = Math.max(durable[entry.slot], entry.sequence);
            }
        }
    }

    /** Last sequence of a slot that has ever been recorded. */
    long durable(final int slot)
    {
        return durable[slot];
    }

    /** Last sequence of a slot that has ever been in the oldest kept snapshot that is sound. */
    long covered(final int slot)
    {
        return covered[slot];
    }

    long recordedPosition()
    {
        return 0 == recordedCount ? 0 : entries.get(recordedCount - 1).end;
    }

    long endPosition()
    {
        return entries.isEmpty() ? 0 : entries.get(entries.size() - 1).end;
    }

    void step()
    {
        if (--stepsToCrash <= 0)
        {
            throw new SimulatedCrash();
        }
    }

    @Override
    public boolean isReady()
    {
        return true;
    }

    @Override
    public int snapshotCount()
    {
        return snapshots.size();
    }

    @Override
    public Replay openSnapshot(final int age)
    {
        step();
        final SimulatedSnapshot snapshot = snapshots.get(snapshots.size() - 1 - age);
        return new SimulatedReplay(snapshot.read(PlantedFault.DEDUPE_TABLE_LOST == planted), null);
    }

    @Override
    public Replay openReplay(final long fromPosition, final long toPosition)
    {
        step();
        int first = 0;
        while (first < recordedCount && entries.get(first).end <= fromPosition)
        {
            first++;
        }
        if ((0 == first ? 0 : entries.get(first - 1).end) != fromPosition)
        {
            throw new ReplayException("no record begins at position=" + fromPosition);
        }
        final List<UnsafeBuffer> items = new ArrayList<>();
        final List<Long> ends = new ArrayList<>();
        for (final LogEntry entry : entries.subList(first, recordedCount))
        {
            items.add(entry.bytes);
            ends.add(entry.end);
        }

        return new SimulatedReplay(items, ends);
    }

    @Override
    public Log openLog(final long position)
    {
        step();
        Violation.check(endPosition() == position, Violation.Kind.POSITIONS, "open log", endPosition(), position);
        return faults.strike(FaultClass.LOG_FULL, 0.3) ? null : new SimulatedLog();
    }

    @Override
    public void closeLog()
    {
        recordedCount = entries.size();
    }

    @Override
    public boolean truncate(final long position)
    {
        throw new IllegalStateException("position=" + position);
    }

    @Override
    public boolean wipe()
    {
        throw new IllegalStateException();
    }

    @Override
    public SnapshotSink openSnapshotSink(final long position)
    {
        step();
        return new SimulatedSnapshot(
            position, this, faults, PlantedFault.NO_COPY_BEFORE_WRITE == planted ? rowReader : null);
    }

    @Override
    public void close()
    {
        recordedCount = entries.size();
    }

    /** A snapshot counts only when the log has been recorded up to it, or a crash would leave it ahead of its log. */
    boolean mayKeep(final long position)
    {
        return recordedPosition() >= position || PlantedFault.SNAPSHOT_AHEAD_OF_LOG == planted;
    }

    void keep(final SimulatedSnapshot snapshot)
    {
        snapshots.add(snapshot);
        if (snapshots.size() > KEPT_SNAPSHOTS)
        {
            snapshots.remove(0);
        }
        final SimulatedSnapshot oldest = snapshots.get(snapshots.get(0).isSound() ? 0 : snapshots.size() - 1);
        for (int slot = 0; slot < covered.length; slot++)
        {
            covered[slot] = Math.max(covered[slot], oldest.last(slot));
        }
    }

    static UnsafeBuffer direct(final int length)
    {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(length));
    }

    private final class SimulatedLog implements Log
    {
        private final int openedAt = entries.size();
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
            step();
            if (faults.strike(FaultClass.LOG_FULL, 0.1))
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
            entries.add(entryOf(record, claimEndPosition()));
            // As Aeron does with what is recorded: whoever reads on finds nothing.
            claim.setMemory(0, claim.capacity(), (byte)0);
            step();
        }

        @Override
        public long recordedPosition()
        {
            final boolean isEpochStart = entries.size() == openedAt + 1;

            return isEpochStart && PlantedFault.EPOCH_NOT_RECORDED == planted ?
                endPosition() : SimulatedStorage.this.recordedPosition();
        }

        @Override
        public boolean isAlive()
        {
            return true;
        }

        @Override
        public void close()
        {
        }
    }

    private static LogEntry entryOf(final UnsafeBuffer bytes, final long end)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        switch (LogRecords.templateId(bytes, 0))
        {
            case RowsUpdatedDecoder.TEMPLATE_ID:
                final RowsUpdatedDecoder.ContributionsDecoder contribution =
                    new RowsUpdatedDecoder().wrapAndApplyHeader(bytes, 0, header).contributions().next();
                return new LogEntry(bytes, end, contribution.slot(), contribution.sequence());
            case RefusedDecoder.TEMPLATE_ID:
                final RefusedDecoder refused = new RefusedDecoder().wrapAndApplyHeader(bytes, 0, header);
                return new LogEntry(bytes, end, refused.slot(), refused.sequence());
            case ClockDoneDecoder.TEMPLATE_ID:
                final ClockDoneDecoder clockDone = new ClockDoneDecoder().wrapAndApplyHeader(bytes, 0, header);
                return new LogEntry(bytes, end, clockDone.slot(), clockDone.sequence());
            default:
                return new LogEntry(bytes, end, -1, 0);
        }
    }

    private final class SimulatedReplay implements Replay
    {
        private final List<UnsafeBuffer> items;
        private final List<Long> ends;
        private int next;

        SimulatedReplay(final List<UnsafeBuffer> items, final List<Long> ends)
        {
            this.items = items;
            this.ends = ends;
        }

        @Override
        public int poll(final RecordHandler handler, final int limit)
        {
            step();
            int count = 0;
            while (next < items.size() && count < limit)
            {
                final UnsafeBuffer item = items.get(next);
                handler.onRecord(item, 0, item.capacity(), null == ends ? 0 : ends.get(next));
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
            return null == ends || ends.isEmpty() ? 0 : ends.get(ends.size() - 1);
        }

        @Override
        public void close()
        {
        }
    }
}
