// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.codecs.LogRecords;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.log.LogAppender;
import io.gradstream.recovery.log.LogCursor;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.ReplicatedState;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

/**
 * A state without content: it knows where it stands, and makes the records that take it on.
 */
public final class FakeState implements ReplicatedState
{
    /** Bytes of each record. */
    static final int LENGTH = 64;
    /** Bytes a record takes in the log. */
    public static final int STEP = LogRecords.alignedLength(LENGTH);

    final LogCursor cursor = new LogCursor();
    final EpochHistory epochs = new EpochHistory();
    int framesToLoad = 1;
    int brokenFrames;
    int resets;
    long snapshottedPosition;
    long snapshotPosition;
    LogAppender appender;
    private int frames;

    /** A sealed record for whoever stands at a cursor. */
    static UnsafeBuffer record(final LogCursor at, final long epoch)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH));
        LogRecords.putHeader(buffer, 0, 0, 2, new io.gradstream.codecs.log.MessageHeaderEncoder());
        LogRecords.seal(buffer, 0, LENGTH, epoch, at.index() + 1, at.chainHash());

        return buffer;
    }

    /** Stand behind one more record. */
    UnsafeBuffer append(final long epoch)
    {
        final UnsafeBuffer buffer = record(cursor, epoch);
        cursor.advance(cursor.position() + STEP, buffer, 0);

        return buffer;
    }

    @Override
    public void reset()
    {
        cursor.reset();
        epochs.clear();
        frames = 0;
        resets++;
    }

    @Override
    public LogCursor cursor()
    {
        return cursor;
    }

    @Override
    public EpochHistory epochs()
    {
        return epochs;
    }

    @Override
    public long snapshottedPosition()
    {
        return snapshottedPosition;
    }

    @Override
    public long snapshotPosition()
    {
        return snapshotPosition;
    }

    @Override
    public boolean hasRoom()
    {
        return true;
    }

    @Override
    public void loadFrame(final DirectBuffer buffer, final int offset, final int length)
    {
        if (brokenFrames > 0)
        {
            brokenFrames--;
            throw new ReplayException("broken frame");
        }
        frames++;
        cursor.set(10L * STEP, 10, 1, LogRecords.EMPTY_CHAIN_HASH);
    }

    @Override
    public boolean isLoaded()
    {
        return frames >= framesToLoad;
    }

    @Override
    public void applyRecord(final DirectBuffer buffer, final int offset, final int length, final long position)
    {
        if (0 == epochs.size() || epochs.epoch(epochs.size() - 1) < cursor.epoch())
        {
            epochs.add(cursor.epoch(), cursor.previousPosition());
        }
    }

    @Override
    public boolean tryStartEpoch(final LogAppender newAppender)
    {
        appender = newAppender;

        return tryAppend(1);
    }

    @Override
    public void endEpoch()
    {
        appender = null;
    }

    /** As a head does. */
    boolean tryAppend(final int templateId)
    {
        if (!appender.tryClaim(LENGTH))
        {
            return false;
        }
        LogRecords.putHeader(appender.buffer(), appender.offset(), 0, templateId,
            new io.gradstream.codecs.log.MessageHeaderEncoder());
        appender.append();

        return true;
    }
}
