// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.log;

import java.util.List;

/**
 * Keeps a replica's data in modes that recover without a log: the snapshots of another storage, and an
 * {@link UnrecordedLog}. A replica that starts again stands where its newest sound snapshot does.
 */
public final class SnapshotOnlyStorage implements ReplicaStorage
{
    private final ReplicaStorage storage;
    private final int mtuLength;
    private final int termLength;
    private Log log;

    /**
     * Keep snapshots only.
     *
     * @param storage    that keeps them, closed with this; its own log is never opened.
     * @param mtuLength  of the job's log geometry.
     * @param termLength of the job's log geometry.
     */
    public SnapshotOnlyStorage(final ReplicaStorage storage, final int mtuLength, final int termLength)
    {
        this.storage = storage;
        this.mtuLength = mtuLength;
        this.termLength = termLength;
    }

    @Override
    public boolean isReady()
    {
        return storage.isReady();
    }

    @Override
    public int snapshotCount()
    {
        return storage.snapshotCount();
    }

    @Override
    public List<String> lostSnapshots()
    {
        return storage.lostSnapshots();
    }

    @Override
    public boolean isLossAccepted()
    {
        return storage.isLossAccepted();
    }

    @Override
    public Replay openSnapshot(final int age)
    {
        return storage.openSnapshot(age);
    }

    @Override
    public Replay openReplay(final long fromPosition, final long toPosition)
    {
        return new Nothing(fromPosition, TO_RECORDED_END == toPosition ? fromPosition : toPosition);
    }

    @Override
    public void keepLogFrom(final long position)
    {
        // there is no log to keep
    }

    @Override
    public Log openLog(final long position)
    {
        if (null != log)
        {
            throw new IllegalStateException("the log is open already, position=" + log.position());
        }
        log = new UnrecordedLog(position, mtuLength, termLength);

        return log;
    }

    @Override
    public void closeLog()
    {
        // gives up a snapshot under way; it has no log of its own
        storage.closeLog();
        if (null != log)
        {
            log.close();
            log = null;
        }
    }

    @Override
    public boolean truncate(final long position)
    {
        return storage.truncate(position);
    }

    @Override
    public boolean wipe()
    {
        return storage.wipe();
    }

    @Override
    public SnapshotSink openSnapshotSink(final long position)
    {
        return storage.openSnapshotSink(position);
    }

    @Override
    public void close()
    {
        if (null != log)
        {
            log.close();
        }
        storage.close();
    }

    /** The replay of a log that nobody keeps: it holds no records. */
    private static final class Nothing implements Replay
    {
        private final long fromPosition;
        private final long toPosition;

        Nothing(final long fromPosition, final long toPosition)
        {
            this.fromPosition = fromPosition;
            this.toPosition = toPosition;
        }

        @Override
        public int poll(final RecordHandler handler, final int limit)
        {
            if (toPosition != fromPosition)
            {
                throw new ReplayException("the log is not kept: positions " + fromPosition + ".." + toPosition +
                    " cannot be read");
            }

            return 0;
        }

        @Override
        public boolean isDone()
        {
            return toPosition == fromPosition;
        }

        @Override
        public long endPosition()
        {
            return toPosition;
        }

        @Override
        public void close()
        {
            // nothing is open
        }
    }
}
