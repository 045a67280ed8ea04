// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.recovery.log.SnapshotSink;
import io.gradstream.server.snapshot.SnapshotThrottle;

/**
 * Takes snapshots of the partition's state as it was at one position, while updates go on.
 * <p>
 * Scanning and reading back keep within the bytes that they are allowed ({@link SnapshotThrottle}). Rows about to
 * change are written even beyond that, and count: the scan waits until they are made up for.
 */
public final class SnapshotTaker
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

    private final int jobId;
    private final PartitionState partitionState;
    private final RowScan scan;

    private State state = State.IDLE;
    private SnapshotSink sink;
    private long newestPosition;
    private long snapshottedPosition;
    private long readBytes;

    SnapshotTaker(final int jobId, final PartitionState partitionState)
    {
        this.jobId = jobId;
        this.partitionState = partitionState;
        scan = new RowScan(partitionState, true);
    }

    /** The scan that writes its rows. */
    RowScan scan()
    {
        return scan;
    }

    /**
     * Begin a snapshot of the state as it is.
     *
     * @param newSink to write to; the snapshot is sound once it says that it has read it back.
     * @throws IllegalStateException if a snapshot is under way.
     */
    public void start(final SnapshotSink newSink)
    {
        if (State.IDLE != state)
        {
            throw new IllegalStateException("a snapshot is under way, state=" + state);
        }
        sink = newSink;
        final SnapshotFrameWriter writer = scan.begin(jobId);
        for (int i = 0; i < partitionState.epochs.size(); i++)
        {
            writer.epoch(partitionState.epochs.epoch(i), partitionState.epochs.startPosition(i));
        }
        for (int i = 0; i < PartitionState.MAX_SLOTS; i++)
        {
            final Slot slot = partitionState.slot(i);
            if (null != slot)
            {
                writer.slot(slot, sink.maxFrameLength());
                slot.snapshottedByPending = slot.last;
            }
        }
        if (!Consistency.EVENTUAL.equals(partitionState.consistency()))
        {
            writer.consistency(partitionState.consistency(), partitionState.exactFrom());
        }
        scan.beginRows();
        readBytes = 0;
        state = State.WRITING;
    }

    /** True if a snapshot is under way: from its start until it is verified or has failed. */
    public boolean isUnderWay()
    {
        return State.IDLE != state;
    }

    long newestPosition()
    {
        return newestPosition;
    }

    /** Position of the older of two kept snapshots that are known to be sound; 0 while there are not two. */
    long snapshottedPosition()
    {
        return snapshottedPosition;
    }

    /**
     * A snapshot was loaded. The sequences it holds count as snapshotted once two snapshots are kept and this one is
     * the older, or comes before the older. The replica need not keep it, because it may have been fetched.
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

    /** As {@link #doWork(long)}, without a limit. */
    public int doWork()
    {
        return doWork(SnapshotThrottle.UNLIMITED);
    }

    /**
     * Do one duty cycle of the snapshot under way: write a few rows.
     *
     * @param newBytes that may be scanned or read back in addition to those that were not yet, or
     *                 {@link SnapshotThrottle#UNLIMITED}. No more is saved up than one duty cycle may write.
     */
    int doWork(final long newBytes)
    {
        scan.allow(newBytes);

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

        final int workCount = scan.doWork(sink);
        if (!scan.isDone())
        {
            return workCount;
        }
        scan.stop();
        sink.complete();
        state = State.VERIFYING;

        return workCount + 1;
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
            scan.charge(sink.readBytes() - readBytes);
            readBytes = sink.readBytes();
            sink.holdReading(scan.allowedBytes() <= 0);
            return 0;
        }

        snapshottedPosition = sink.olderPosition();
        newestPosition = scan.position();
        for (int i = 0; i < PartitionState.MAX_SLOTS; i++)
        {
            if (null != partitionState.slot(i))
            {
                partitionState.slot(i).onSnapshot(scan.position(), partitionState.slot(i).snapshottedByPending);
            }
        }
        sink = null;
        state = State.IDLE;

        return 1;
    }

    private void giveUp()
    {
        scan.stop();
        sink = null;
        state = State.IDLE;
    }
}
