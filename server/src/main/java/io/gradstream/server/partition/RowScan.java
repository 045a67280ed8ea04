// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.TableSpec;
import io.gradstream.recovery.log.FrameSink;
import io.gradstream.server.table.RowObserver;
import io.gradstream.server.table.RowTable;

/**
 * Writes the rows of all tables as they were at one position while updates go on: a few rows each duty cycle. A row
 * that is about to change and is not yet written is written first (copy before write).
 * <p>
 * A row's version tells whether it changed since: every update sets it to a position past the scan's. Such a row was
 * queued before it changed, so the scan passes over it.
 */
final class RowScan implements RowObserver
{
    /** Most bytes of frames queued because the sink had no room; beyond it pushes wait. */
    static final int MAX_QUEUED_BYTES = 8 * 1024 * 1024;
    /** Most bytes of rows written in one duty cycle. */
    static final int SCAN_BYTES = 256 * 1024;
    /** Bytes that count for a row written before it changed: the scan looks at it, and there may be many in a run. */
    static final int SKIPPED_BYTES = 8;

    /** Bytes of a frame that holds a single row, besides its values and their state. */
    static final int ROW_OVERHEAD = SnapshotFrameWriter.ROWS_HEADER_LENGTH + Long.BYTES + RowTable.VERSION_LENGTH;

    private final PartitionState partitionState;
    private final boolean isWithSystemTables;
    private final SnapshotFrameWriter writer = new SnapshotFrameWriter();
    private final int[] rowCounts = new int[TableSpec.MAX_TABLES + 1];

    private boolean isOn;
    private boolean isEndQueued;
    private long position;
    private int tableCount;
    private int table;
    private int row;
    /** True if a change waits for an empty queue. */
    private boolean isRoomAwaited;
    /** Bytes that may be scanned; below 0 if more was. */
    private long allowedBytes;

    /**
     * A scan that has nothing to write yet.
     *
     * @param isWithSystemTables true if system tables are written, too, and the frames that are no table's content.
     */
    RowScan(final PartitionState partitionState, final boolean isWithSystemTables)
    {
        this.partitionState = partitionState;
        this.isWithSystemTables = isWithSystemTables;
    }

    /** Bytes that one changed row of a table may add to the queue. */
    static int sideBytes(final RowTable table)
    {
        return Integer.BYTES + SnapshotFrameWriter.ROWS_HEADER_LENGTH + Long.BYTES + table.rowLength();
    }

    /** Begin with the state as it is; returns the writer of the frames that go before the tables. */
    SnapshotFrameWriter begin(final int jobId)
    {
        position = partitionState.cursor.position();
        writer.reset();
        writer.started(jobId, partitionState);

        return writer;
    }

    /** Begin the tables and their rows. The frames that go before the tables are written. */
    void beginRows()
    {
        tableCount = partitionState.tables().size();
        for (int i = 0; i < tableCount; i++)
        {
            final RowTable scanned = partitionState.tables().get(i);
            rowCounts[i] = isScanned(scanned) ? scanned.store().size() : 0;
            if (isScanned(scanned))
            {
                writer.table(scanned.spec());
                if (isWithSystemTables && null != scanned.schedule())
                {
                    writer.rate(scanned);
                }
            }
        }
        table = 0;
        row = 0;
        isEndQueued = false;
        allowedBytes = 0;
        isOn = true;
    }

    /** Position of the rows that are written. */
    long position()
    {
        return position;
    }

    /** Bytes of the queue's buffer. */
    int queueCapacity()
    {
        return writer.capacity();
    }

    /** Stop writing, and forget the queued frames. */
    void stop()
    {
        isOn = false;
        writer.reset();
    }

    /** True if everything has been handed to the sink. */
    boolean isDone()
    {
        return isEndQueued && 0 == writer.queuedBytes();
    }

    /** Bytes that may be scanned; below 0 if more was. */
    long allowedBytes()
    {
        return allowedBytes;
    }

    /** Allow so many bytes more. No more is saved up than one duty cycle may write. */
    void allow(final long newBytes)
    {
        allowedBytes = newBytes >= SCAN_BYTES - allowedBytes ? SCAN_BYTES : allowedBytes + newBytes;
    }

    /** So many of the allowed bytes went elsewhere. */
    void charge(final long bytes)
    {
        allowedBytes -= bytes;
    }

    /**
     * True if so many bytes of rows may change now. A change that is larger than the queue may happen once the queue is
     * empty; if it has to wait, the next duty cycle leaves the queue empty.
     */
    boolean hasRoomFor(final long bytes)
    {
        final boolean hasRoom =
            !isOn || 0 == writer.queuedBytes() || writer.queuedBytes() + bytes <= MAX_QUEUED_BYTES;
        isRoomAwaited |= !hasRoom && bytes > MAX_QUEUED_BYTES;

        return hasRoom;
    }

    /** True if the queue is at most half full, so that one more record surely fits. */
    boolean hasRoom()
    {
        return !isOn || writer.queuedBytes() <= MAX_QUEUED_BYTES / 2;
    }

    /** Write a row that is about to change as it is now, if the scan under way has yet to reach it. */
    @Override
    public void beforeUpdate(final RowTable changed, final int index)
    {
        if (!isOn || isEndQueued)
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

    /** One duty cycle. */
    int doWork(final FrameSink sink)
    {
        int workCount = drain(sink);
        if (0 == writer.queuedBytes() && !isEndQueued)
        {
            if (allowedBytes > 0 && !isRoomAwaited)
            {
                scan(sink.maxFrameLength());
                workCount++;
            }
            isRoomAwaited = false;
        }

        return workCount;
    }

    private int drain(final FrameSink sink)
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

    private void scan(final int maxFrameLength)
    {
        while (allowedBytes > 0 && table < tableCount)
        {
            if (rowCounts[table] > 0)
            {
                allowedBytes -= scanFrame(partitionState.tables().get(table), maxFrameLength);
            }
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

    /** Scan rows into one frame, and return the bytes that this counts for. */
    private int scanFrame(final RowTable scanned, final int maxFrameLength)
    {
        writer.startRows(scanned);
        final int most = maxFrameLength - Long.BYTES - scanned.rowLength();
        final int end = Math.min(rowCounts[table], row + SCAN_BYTES / SKIPPED_BYTES);
        int skipped = 0;
        while (row < end && writer.startedRowsLength() <= most)
        {
            if (scanned.version(row) <= position)
            {
                writer.addRow(scanned, row);
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

    private boolean isScanned(final RowTable candidate)
    {
        return isWithSystemTables || !candidate.spec().isSystem();
    }
}
