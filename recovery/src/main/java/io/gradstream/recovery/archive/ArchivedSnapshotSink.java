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

import io.aeron.archive.client.AeronArchive;
import io.aeron.protocol.DataHeaderFlyweight;
import io.gradstream.recovery.replica.SnapshotSink;
import org.agrona.MutableDirectBuffer;

/**
 * A snapshot on its way into a recording of its own. The partition's thread writes frames; the archivist opens, ends
 * and verifies. Whose turn it is follows from the state, so each state has one writer.
 */
final class ArchivedSnapshotSink implements SnapshotSink, Archivist.Task
{
    /**
     * How far the snapshot has come.
     */
    enum State
    {
        /** The archivist is starting the recording. */
        OPENING,
        /** The partition's thread writes frames. */
        OPEN,
        /** The archivist awaits the rest, reads back and verifies. */
        COMPLETING,
        /** It counts. */
        VERIFIED,
        /** It was given up and does not count. */
        FAILED
    }

    private final SnapshotShelf shelf;
    private final Archivist archivist;
    private final LogGeometry geometry;
    private final String alias;
    private final int streamId;
    private final long position;
    private RecordedStream stream;
    private volatile State state = State.OPENING;
    private volatile boolean isAbandoned;

    ArchivedSnapshotSink(
        final SnapshotShelf shelf, final Archivist archivist, final LogGeometry geometry, final String alias,
        final int streamId, final long position)
    {
        this.shelf = shelf;
        this.archivist = archivist;
        this.geometry = geometry;
        this.alias = alias;
        this.streamId = streamId;
        this.position = position;
    }

    @Override
    public int maxFrameLength()
    {
        return geometry.mtuLength() - DataHeaderFlyweight.HEADER_LENGTH;
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
            handOver(State.COMPLETING);
        }
    }

    @Override
    public boolean hasFailed()
    {
        if (State.OPEN == state && !stream.isAlive())
        {
            handOver(State.FAILED);
        }

        return State.FAILED == state;
    }

    @Override
    public boolean isVerified()
    {
        return State.VERIFIED == state;
    }

    /** May another snapshot begin? */
    boolean isOver()
    {
        return hasFailed() || isVerified();
    }

    /** Give up what is being written, as the replica closes. */
    void abandon()
    {
        isAbandoned = true;
        if (State.OPEN == state)
        {
            handOver(State.FAILED);
        }
    }

    @Override
    public void run(final AeronArchive archive)
    {
        switch (state)
        {
            case OPENING -> open(archive);
            case COMPLETING -> finish(archive);
            case FAILED -> onFailure();
            case OPEN, VERIFIED -> throw new IllegalStateException("not the archivist's turn: state=" + state);
        }
    }

    @Override
    public void onFailure()
    {
        if (State.VERIFIED != state)
        {
            state = State.FAILED;
        }
        if (null != stream)
        {
            stream.close();
        }
    }

    /** The archivist closes the stream also when it failed: closing may wait for the client's lock. */
    private void handOver(final State newState)
    {
        state = newState;
        if (!archivist.offer(this))
        {
            state = State.FAILED;
        }
    }

    private void open(final AeronArchive archive)
    {
        shelf.purgeOthers(archive);
        stream = RecordedStream.open(archive, geometry.channel(alias, 0), streamId, null);
        state = State.OPEN;
        if (isAbandoned)
        {
            onFailure();
        }
    }

    private void finish(final AeronArchive archive)
    {
        final long endPosition = stream.position();
        final Deadline deadline = new Deadline("recording of the snapshot at position=" + position);
        while (stream.recordedPosition() < endPosition)
        {
            deadline.idle();
        }
        stream.close();
        shelf.add(archive, stream.recordingId(), endPosition, position);
        state = State.VERIFIED;

        shelf.purgeOthers(archive);
        shelf.purgeLog(archive);
    }
}
