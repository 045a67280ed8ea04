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

import io.gradstream.recovery.replica.Log;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

import java.util.concurrent.TimeUnit;

/**
 * A replica's log as an Aeron Archive recording of an IPC publication; the Archive is its only subscriber.
 */
public final class ArchivedLog implements Log
{
    /** Longest wait, when the log is closed, for the Archive to record the rest. */
    public static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);

    private final RecordedStream stream;
    private boolean isClosed;

    ArchivedLog(final RecordedStream stream)
    {
        this.stream = stream;
    }

    /**
     * Id of the recording in this node's Archive.
     *
     * @return recording id.
     */
    public long recordingId()
    {
        return stream.recordingId();
    }

    @Override
    public int maxRecordLength()
    {
        return stream.maxPayloadLength();
    }

    @Override
    public long position()
    {
        return stream.position();
    }

    @Override
    public boolean tryClaim(final int length)
    {
        return stream.tryClaim(length);
    }

    @Override
    public boolean tryPadTo(final long position)
    {
        return stream.tryPadTo(position);
    }

    @Override
    public long claimEndPosition()
    {
        // A claim moves the publication on at once, whether or not it is committed.
        return stream.position();
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
    public long recordedPosition()
    {
        return stream.recordedPosition();
    }

    @Override
    public boolean isAlive()
    {
        return stream.isAlive();
    }

    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            awaitRecorded();
            stream.close();
        }
    }

    private void awaitRecorded()
    {
        final SleepingMillisIdleStrategy idleStrategy = new SleepingMillisIdleStrategy(1);
        final long position = stream.position();
        final long deadlineNs = System.nanoTime() + CLOSE_TIMEOUT_NS;
        while (stream.isAlive() && stream.recordedPosition() < position && System.nanoTime() - deadlineNs < 0)
        {
            idleStrategy.idle();
        }
    }
}
