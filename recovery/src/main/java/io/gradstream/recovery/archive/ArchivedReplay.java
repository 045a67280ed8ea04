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

import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.archive.client.AeronArchive;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import io.gradstream.recovery.replica.RecordHandler;
import io.gradstream.recovery.replica.Replay;
import io.gradstream.recovery.replica.ReplayException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

import java.util.concurrent.TimeUnit;

/**
 * A stretch of a recording, replayed over IPC. Each record fits one frame, so nothing is reassembled.
 */
final class ArchivedReplay implements Replay
{
    /** Longest time without a byte before a replay is given up. */
    static final long PROGRESS_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private final ControlledFragmentHandler fragmentHandler = this::onFragment;
    private final Subscription subscription;
    private final NanoClock nanoClock;
    private final long recordingId;
    private final long endPosition;
    private long position;
    private long progressNs;
    private Image image;
    private RecordHandler handler;
    private RuntimeException failure;

    /**
     * Starts the replay, which blocks until the Archive has answered.
     *
     * @throws io.aeron.archive.client.ArchiveException if the position is not the start of a frame.
     */
    ArchivedReplay(
        final AeronArchive archive,
        final long recordingId,
        final long fromPosition,
        final long endPosition,
        final int streamId,
        final NanoClock nanoClock)
    {
        this.recordingId = recordingId;
        this.endPosition = endPosition;
        this.nanoClock = nanoClock;
        position = fromPosition;
        progressNs = nanoClock.nanoTime();
        subscription = fromPosition == endPosition ? null : archive.replay(
            recordingId, fromPosition, endPosition - fromPosition, "aeron:ipc?alias=gradstream-replay", streamId);
    }

    @Override
    public int poll(final RecordHandler handler, final int limit)
    {
        if (isDone())
        {
            return 0;
        }
        if (null == image)
        {
            image = 0 == subscription.imageCount() ? null : subscription.imageAtIndex(0);
            if (null == image)
            {
                checkProgress(position);
                return 0;
            }
        }

        return pollImage(handler, limit);
    }

    @Override
    public boolean isDone()
    {
        return position >= endPosition;
    }

    @Override
    public long endPosition()
    {
        return endPosition;
    }

    @Override
    public void close()
    {
        if (null != subscription)
        {
            subscription.close();
        }
    }

    private int pollImage(final RecordHandler handler, final int limit)
    {
        final boolean wasClosed = image.isClosed();
        this.handler = handler;
        final int fragments = image.controlledPoll(fragmentHandler, limit);
        if (null != failure)
        {
            throw failure;
        }

        checkProgress(image.position());
        if (wasClosed && !isDone())
        {
            throw new ReplayException("replay of recordingId=" + recordingId + " broke off at position=" + position +
                " before endPosition=" + endPosition + ": a segment is damaged or missing, or the Archive stopped");
        }

        return fragments;
    }

    /** An image reports what its handler throws and goes on, so a failure is kept and thrown after the poll. */
    private ControlledFragmentHandler.Action onFragment(
        final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        if (FrameDescriptor.UNFRAGMENTED != header.flags())
        {
            failure = new ReplayException("record is in pieces before position=" + header.position() +
                " of recordingId=" + recordingId + ": the MTU is too small for it");
            return ControlledFragmentHandler.Action.ABORT;
        }

        try
        {
            handler.onRecord(buffer, offset, length, header.position());
        }
        catch (final RuntimeException ex)
        {
            failure = ex;
            return ControlledFragmentHandler.Action.ABORT;
        }

        return ControlledFragmentHandler.Action.CONTINUE;
    }

    private void checkProgress(final long newPosition)
    {
        final long nowNs = nanoClock.nanoTime();
        if (newPosition > position)
        {
            position = newPosition;
            progressNs = nowNs;
        }
        else if (nowNs - progressNs > PROGRESS_TIMEOUT_NS)
        {
            throw new ReplayException("replay of recordingId=" + recordingId + " makes no progress at position=" +
                position + " before endPosition=" + endPosition);
        }
    }
}
