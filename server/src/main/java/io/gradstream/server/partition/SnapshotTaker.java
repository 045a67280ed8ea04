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
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.recovery.log.SnapshotSink;
import io.gradstream.server.table.RowObserver;
import io.gradstream.server.table.RowTable;

/**
 * Writes the partition's state as it was at one position while updates go on: a few rows each duty cycle, and a row
 * about to change that is not yet written is written first (copy before write).
 * <p>
 * A row's version tells whether it changed since: every update sets it to a position past the snapshot's, and such a
 * row was queued before it changed, so the sweep passes over it.
 * <p>
 * What is swept and read back keeps within the bytes that it is allowed ({@link SnapshotPace}). Rows about to change
 * are written whatever that is, and count: the sweep waits until that is made up for.
 */
final class SnapshotTaker implements RowObserver
{
    enum State
    {
        /** No snapshot is under way. */
        IDLE,
        /** Rows are being written. */
        WRITING,
        /** Everything is written; it is being read back. */
        VERIFYING
    }

    /** Most bytes of frames queued because the sink had no room; beyond it pushes wait. */
    static final int MAX_QUEUED_BYTES = 8 * 1024 * 1024;
    /** Most bytes of rows written in one duty cycle. */
    static final int SWEEP_BYTES = 256 * 1024;
    /** What a row counts for that was written before it changed: it is looked at, and there may be many in a run. */
    static final int SKIPPED_BYTES = 8;

    private final int jobId;
    private final PartitionState partitionState;
    private final SnapshotFrameWriter writer = new SnapshotFrameWriter();
    private final int[] rowCounts = new int[io.gradstream.codecs.TableSpec.MAX_TABLES + 1];

    private State state = State.IDLE;
    private SnapshotSink sink;
    private long position;
    private long newestPosition;
    private long snapshottedPosition;
    private int tableCount;
    private int table;
    private int row;
    private boolean isEndQueued;
    /** Does something wait for an empty queue? */
    private boolean isRoomAwaited;
    /** Bytes that may be swept or read back; below 0 if more was. */
    private long allowedBytes;
    private long readBytes;

    SnapshotTaker(final int jobId, final PartitionState partitionState)
    {
        this.jobId = jobId;
        this.partitionState = partitionState;
    }

    /**
     * Bytes that one changed row of a table may add to the queue.
     */
    static int sideBytes(final RowTable table)
    {
        return Integer.BYTES + SnapshotFrameWriter.ROWS_HEADER_LENGTH + Long.BYTES + table.rowLength();
    }

    void start(final SnapshotSink newSink)
    {
        if (State.IDLE != state)
        {
            throw new IllegalStateException("a snapshot is under way, state=" + state);
        }
        sink = newSink;
        position = partitionState.cursor.position();
        writer.reset();
        writer.started(jobId, partitionState);
        for (int i = 0; i < partitionState.epochs.size(); i++)
        {
            writer.epoch(partitionState.epochs.epoch(i), partitionState.epochs.startPosition(i));
        }
        for (int i = 0; i < PartitionState.MAX_SLOTS; i++)
        {
            final Slot slot = partitionState.slot(i);
            if (null != slot)
            {
                writer.slot(slot);
                slot.snapshottedByPending = slot.last;
            }
        }
        if (!Consistency.EVENTUAL.equals(partitionState.consistency()))
        {
            writer.consistency(partitionState.consistency());
        }
        tableCount = partitionState.tables().size();
        for (int i = 0; i < tableCount; i++)
        {
            writer.table(partitionState.tables().get(i).spec());
            rowCounts[i] = partitionState.tables().get(i).store().size();
        }
        table = 0;
        row = 0;
        isEndQueued = false;
        allowedBytes = 0;
        readBytes = 0;
        state = State.WRITING;
    }

    boolean isUnderWay()
    {
        return State.IDLE != state;
    }

    long newestPosition()
    {
        return newestPosition;
    }

    /**
     * Position of the older of two kept snapshots that are known to be sound; 0 while there are not two.
     */
    long snapshottedPosition()
    {
        return snapshottedPosition;
    }

    /**
     * A snapshot was loaded: the sequences it holds count as snapshotted once two snapshots are kept and this one is
     * the older, or stands before the older. The replica need not keep it, for it may have been fetched.
     */
    void onLoaded(final long loadedPosition)
    {
        newestPosition = loadedPosition;
        for (int i = 0; i < PartitionState.MAX_SLOTS; i++)
        {
            if (null != partitionState.slot(i))
            {
                partitionState.slot(i).onSnapshot(loadedPosition, partitionState.slot(i).last);
            }
        }
    }

    void reset()
    {
        newestPosition = 0;
        snapshottedPosition = 0;
        giveUp();
    }

    /**
     * May so many bytes of rows change now? Of what is larger than the queue all, once that is empty: the next duty
     * cycle leaves it empty then.
     */
    boolean hasRoomFor(final long bytes)
    {
        final boolean hasRoom =
            State.WRITING != state || 0 == writer.queuedBytes() || writer.queuedBytes() + bytes <= MAX_QUEUED_BYTES;
        isRoomAwaited |= !hasRoom && bytes > MAX_QUEUED_BYTES;

        return hasRoom;
    }

    /**
     * Is the queue at most half full, so that one more record surely fits?
     */
    boolean hasRoom()
    {
        return State.WRITING != state || writer.queuedBytes() <= MAX_QUEUED_BYTES / 2;
    }

    /**
     * A row is about to change: one that the snapshot under way has yet to reach is written as it is now.
     */
    @Override
    public void beforeUpdate(final RowTable changed, final int index)
    {
        if (State.WRITING != state || isEndQueued)
        {
            return;
        }
        final int changedTable = partitionState.tables().indexOf(changed);
        final boolean isBehind = changedTable < table || changedTable == table && index < row;
        if (!isBehind && changedTable < tableCount && index < rowCounts[changedTable] &&
            changed.version(index) <= position)
        {
            writer.row(changed, index);
            allowedBytes -= sideBytes(changed);
        }
    }

    /**
     * One duty cycle.
     *
     * @param newBytes that may be swept or read back beside those that were not yet, or
     *                 {@link SnapshotPace#UNLIMITED}. No more is saved up than one duty cycle may write.
     */
    int doWork(final long newBytes)
    {
        allowedBytes = newBytes >= SWEEP_BYTES - allowedBytes ? SWEEP_BYTES : allowedBytes + newBytes;

        return switch (state)
        {
            case IDLE -> 0;
            case WRITING -> write();
            case VERIFYING -> verify();
        };
    }

    private int write()
    {
        if (sink.hasFailed())
        {
            giveUp();
            return 1;
        }

        int workCount = drain();
        if (0 == writer.queuedBytes())
        {
            if (isEndQueued)
            {
                sink.complete();
                state = State.VERIFYING;
                return workCount + 1;
            }
            if (allowedBytes > 0 && !isRoomAwaited)
            {
                sweep();
                workCount++;
            }
            isRoomAwaited = false;
        }

        return workCount;
    }

    private int drain()
    {
        int workCount = 0;
        while (writer.queuedBytes() > 0 && sink.tryClaim(writer.peekLength()))
        {
            writer.take(sink.buffer(), sink.offset());
            sink.commit();
            workCount++;
        }

        return workCount;
    }

    private void sweep()
    {
        while (allowedBytes > 0 && table < tableCount)
        {
            allowedBytes -= sweepFrame(partitionState.tables().get(table));
            if (row == rowCounts[table])
            {
                table++;
                row = 0;
            }
        }
        if (table == tableCount)
        {
            isEndQueued = true;
            writer.ended();
        }
    }

    /** Returns what it counts for. */
    private int sweepFrame(final RowTable swept)
    {
        writer.startRows(swept);
        final int most = sink.maxFrameLength() - Long.BYTES - swept.rowLength();
        final int end = Math.min(rowCounts[table], row + SWEEP_BYTES / SKIPPED_BYTES);
        int skipped = 0;
        while (row < end && writer.startedRowsLength() <= most)
        {
            if (swept.version(row) <= position)
            {
                writer.addRow(swept, row);
            }
            else
            {
                skipped++;
            }
            row++;
        }
        final int length = writer.startedRowsLength();
        writer.endRows();

        return length + skipped * SKIPPED_BYTES;
    }

    private int verify()
    {
        if (sink.hasFailed())
        {
            giveUp();
            return 1;
        }
        if (!sink.isVerified())
        {
            allowedBytes -= sink.readBytes() - readBytes;
            readBytes = sink.readBytes();
            sink.holdReading(allowedBytes <= 0);
            return 0;
        }

        snapshottedPosition = sink.olderPosition();
        newestPosition = position;
        for (int i = 0; i < PartitionState.MAX_SLOTS; i++)
        {
            if (null != partitionState.slot(i))
            {
                partitionState.slot(i).onSnapshot(position, partitionState.slot(i).snapshottedByPending);
            }
        }
        sink = null;
        state = State.IDLE;

        return 1;
    }

    private void giveUp()
    {
        sink = null;
        state = State.IDLE;
    }
}
