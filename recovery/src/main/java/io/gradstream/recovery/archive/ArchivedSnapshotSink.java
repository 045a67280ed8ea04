// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive;

import io.aeron.protocol.DataHeaderFlyweight;
import io.gradstream.recovery.archive.client.ArchiveClient;
import io.gradstream.recovery.archive.client.ArchiveOperation;
import io.gradstream.recovery.archive.client.PartitionStreams;
import io.gradstream.recovery.archive.client.RecordedStream;
import io.gradstream.recovery.archive.client.StreamOpening;
import io.gradstream.recovery.log.SnapshotRetention;
import io.gradstream.recovery.log.SnapshotSink;
import org.agrona.MutableDirectBuffer;

/**
 * A snapshot on its way into a recording of its own. The replica writes frames; opening, ending and verifying go on
 * in steps.
 */
final class ArchivedSnapshotSink extends ArchiveOperation implements SnapshotSink
{
    /** How far the snapshot has come. */
    enum State
    {
        /** The recording is being started. */
        OPENING,
        /** The replica writes frames. */
        OPEN,
        /** The rest is awaited, then it is read back and verified. */
        COMPLETING,
        /** It counts. */
        VERIFIED,
        /** It was given up and does not count. */
        FAILED
    }

    private final SnapshotRetention retained;
    private final PartitionStreams streams;
    private final StreamOpening opening;
    private final long position;
    private RecordedStream stream;
    private SnapshotCompletion completion;
    private UnretainedPurge purge;
    private State state = State.OPENING;
    private boolean isReadingHeld;

    ArchivedSnapshotSink(final SnapshotRetention retained, final PartitionStreams streams, final long position)
    {
        super("take a snapshot of partition=" + streams.partition() + " at position=" + position);
        this.retained = retained;
        this.streams = streams;
        this.position = position;
        purge = UnretainedPurge.ofSnapshots(streams, retained);
        opening = new StreamOpening(streams.snapshotChannel(), streams.snapshotStreamId(), null);
    }

    @Override
    public int maxFrameLength()
    {
        return streams.geometry().mtuLength() - DataHeaderFlyweight.HEADER_LENGTH;
    }

    @Override
    public boolean tryClaim(final int length)
    {
        return State.OPEN == state && !hasFailed() && stream.tryClaim(length);
    }

    @Override
    public MutableDirectBuffer buffer()
    {
        return stream.buffer();
    }

    @Override
    public int offset()
    {
        return stream.offset();
    }

    @Override
    public void commit()
    {
        stream.commit();
    }

    @Override
    public void complete()
    {
        if (State.OPEN == state)
        {
            state = State.COMPLETING;
        }
    }

    @Override
    public boolean hasFailed()
    {
        if (State.OPEN == state && !stream.isAlive())
        {
            state = State.FAILED;
        }

        return State.FAILED == state;
    }

    @Override
    public boolean isVerified()
    {
        return State.VERIFIED == state;
    }

    @Override
    public long readBytes()
    {
        return null == completion ? 0 : completion.readBytes();
    }

    @Override
    public void holdReading(final boolean isHeld)
    {
        isReadingHeld = isHeld;
    }

    @Override
    public long olderPosition()
    {
        return State.VERIFIED == state ? retained.olderPosition() : 0;
    }

    boolean isFinished()
    {
        return hasFailed() || isVerified();
    }

    /** Give up what is being written, as the replica closes or goes back to a position before it. */
    @Override
    public void abandon()
    {
        state = State.FAILED;
    }

    @Override
    protected int step(final ArchiveClient client)
    {
        return switch (state)
        {
            case OPENING -> open(client);
            case OPEN -> 0;
            case COMPLETING -> complete(client);
            case VERIFIED -> purge(client);
            case FAILED -> end(client);
        };
    }

    @Override
    protected void onFailure(final ArchiveClient client, final RuntimeException cause)
    {
        // first, so that the reason is told before anybody sees the failure
        client.errorHandler().onError(cause);
        if (State.VERIFIED != state)
        {
            state = State.FAILED;
            close(client);
        }
    }

    private int open(final ArchiveClient client)
    {
        if (!purge.poll(client))
        {
            return 0;
        }
        stream = opening.poll(client);
        if (null == stream)
        {
            return 0;
        }
        state = State.OPEN;

        return 1;
    }

    private int complete(final ArchiveClient client)
    {
        if (null == completion)
        {
            completion = new SnapshotCompletion(streams, retained, stream, position);
        }
        final int workCount = isReadingHeld && completion.isReading() ? 0 : completion.poll(client);
        if (completion.isDone())
        {
            purge = UnretainedPurge.ofSnapshotsAndLog(streams, retained);
            state = State.VERIFIED;
        }

        return workCount;
    }

    private int purge(final ArchiveClient client)
    {
        if (!purge.poll(client))
        {
            return 0;
        }
        done();

        return 1;
    }

    private int end(final ArchiveClient client)
    {
        close(client);
        done();

        return 1;
    }

    private void close(final ArchiveClient client)
    {
        if (null != completion)
        {
            completion.abandon();
        }
        if (null == stream)
        {
            opening.abandon(client);
        }
        else
        {
            stream.close();
        }
    }
}
