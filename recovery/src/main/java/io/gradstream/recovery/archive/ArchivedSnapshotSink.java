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
package io.gradstream.recovery.archive;

import io.aeron.protocol.DataHeaderFlyweight;
import io.gradstream.recovery.archive.client.ArchiveAgent;
import io.gradstream.recovery.archive.client.ArchiveConnection;
import io.gradstream.recovery.archive.client.PartitionStreams;
import io.gradstream.recovery.archive.client.RecordedStream;
import io.gradstream.recovery.archive.client.StreamOpening;
import io.gradstream.recovery.replica.SnapshotSink;
import org.agrona.MutableDirectBuffer;

/**
 * A snapshot on its way into a recording of its own. The partition's thread writes frames; the archive agent opens,
 * ends and verifies. Whose turn it is follows from the state, so each state has one writer.
 */
final class ArchivedSnapshotSink implements SnapshotSink, ArchiveAgent.Task
{
    /**
     * How far the snapshot has come.
     */
    enum State
    {
        /** The archive agent is starting the recording. */
        OPENING,
        /** The partition's thread writes frames. */
        OPEN,
        /** The archive agent awaits the rest, reads back and verifies. */
        COMPLETING,
        /** It counts. */
        VERIFIED,
        /** It was given up and does not count. */
        FAILED
    }

    private final RetainedSnapshots retained;
    private final PartitionStreams streams;
    private final StreamOpening opening;
    private final long position;
    private RecordedStream stream;
    private SnapshotCompletion completion;
    private boolean isOthersPurged;
    private boolean isEnded;
    private volatile State state = State.OPENING;
    private volatile boolean isAbandoned;

    ArchivedSnapshotSink(final RetainedSnapshots retained, final PartitionStreams streams, final long position)
    {
        this.retained = retained;
        this.streams = streams;
        this.position = position;
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
        return State.OPEN == state && !isAbandoned && !hasFailed() && stream.tryClaim(length);
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
    public long olderPosition()
    {
        return State.VERIFIED == state ? retained.olderPosition() : 0;
    }

    /** May another snapshot begin? */
    boolean isFinished()
    {
        return hasFailed() || isVerified();
    }

    /** Give up what is being written, as the replica closes or goes back behind it. */
    void abandon()
    {
        isAbandoned = true;
        if (State.OPEN == state)
        {
            state = State.FAILED;
        }
    }

    @Override
    public int poll(final ArchiveConnection connection)
    {
        return switch (state)
        {
            case OPENING -> open(connection);
            case OPEN -> isAbandoned ? fail() : 0;
            case COMPLETING -> complete(connection);
            case VERIFIED -> purge(connection);
            case FAILED -> end(connection);
        };
    }

    @Override
    public boolean isOver()
    {
        return isEnded;
    }

    @Override
    public boolean isClosing()
    {
        return false;
    }

    @Override
    public void onFailure(final RuntimeException failure)
    {
        isEnded = true;
        if (State.VERIFIED != state)
        {
            state = State.FAILED;
        }
        if (null != stream)
        {
            stream.close();
        }
    }

    private int open(final ArchiveConnection connection)
    {
        if (!isOthersPurged)
        {
            isOthersPurged = true;
            retained.purgeOthers(connection.archive());
        }
        if (isAbandoned)
        {
            return fail();
        }

        try
        {
            stream = opening.poll(connection);
        }
        catch (final RuntimeException ex)
        {
            opening.abandon(connection);
            throw ex;
        }
        if (null == stream)
        {
            return 0;
        }
        state = State.OPEN;

        return 1;
    }

    private int complete(final ArchiveConnection connection)
    {
        if (isAbandoned)
        {
            return fail();
        }
        if (null == completion)
        {
            completion = new SnapshotCompletion(streams, retained, stream, position);
        }
        final int workCount = completion.poll(connection);
        if (completion.isDone())
        {
            state = State.VERIFIED;
        }

        return workCount;
    }

    private int purge(final ArchiveConnection connection)
    {
        isEnded = true;
        retained.purgeOthers(connection.archive());
        retained.purgeLog(connection.archive());

        return 1;
    }

    private int fail()
    {
        state = State.FAILED;
        return 1;
    }

    /** The archive agent closes the stream, since closing may wait for the client's lock. */
    private int end(final ArchiveConnection connection)
    {
        isEnded = true;
        if (null != completion)
        {
            completion.abandon(connection);
        }
        if (null == stream)
        {
            opening.abandon(connection);
        }
        else
        {
            stream.close();
        }

        return 1;
    }
}
