// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.archive.client;

import io.aeron.Aeron;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.archive.client.ArchiveException;
import io.aeron.archive.client.ArchiveProxy;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.Header;
import io.gradstream.recovery.archive.client.RangeFinder.ReplayRange;
import io.gradstream.recovery.log.RecordHandler;
import io.gradstream.recovery.log.Replay;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.ReplicaStorage;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

import java.util.concurrent.TimeUnit;

/**
 * A part of a recording, replayed over IPC. It opens while it is polled. Each record fits one frame, so nothing is
 * reassembled.
 */
public final class ArchivedReplay implements Replay
{
    /** Longest time without a byte before a replay is given up. */
    static final long PROGRESS_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    /** How long a replay that broke off waits for the Archive to say why. */
    static final long REASON_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /**
     * Bytes after which the Archive is let write on, an eighth of its window: at the end of a poll only, Archive and
     * reader would take turns instead of working side by side.
     */
    static final int COMMIT_LENGTH = 64 * 1024;

    private static final String CHANNEL = "aeron:ipc?alias=gradstream-replay";

    private final ControlledFragmentHandler fragmentHandler = this::onFragment;
    private final ArchiveClient client;
    private final RangeFinder finder;
    private final int streamId;
    private final NanoClock nanoClock;
    private ReplayRange range;
    private ArchiveRequest request;
    private long subscriptionId = Aeron.NULL_VALUE;
    private Subscription subscription;
    private RuntimeException failure;
    private boolean isOpen;
    private boolean isClosed;
    private long position = -1;
    private long committedPosition;
    private long progressNs;
    private long brokeOffNs;
    private boolean isBrokenOff;
    private Image image;
    private RecordHandler handler;
    private RuntimeException handlerFailure;

    ArchivedReplay(
        final ArchiveClient client, final RangeFinder finder, final int streamId, final NanoClock nanoClock)
    {
        this.client = client;
        this.finder = finder;
        this.streamId = streamId;
        this.nanoClock = nanoClock;
        progressNs = nanoClock.nanoTime();
    }

    @Override
    public int poll(final RecordHandler handler, final int limit)
    {
        if (isClosed)
        {
            return 0;
        }
        if (!isOpen)
        {
            tryOpen();
            return 0;
        }
        if (isDone())
        {
            return 0;
        }
        if (null == image && !findImage())
        {
            checkFailure();
            checkProgress(position);
            return 0;
        }

        return pollImage(handler, limit);
    }

    @Override
    public boolean isDone()
    {
        if (!isOpen)
        {
            return false;
        }
        if (position < 0)
        {
            position = range.fromPosition();
        }

        return position >= range.toPosition();
    }

    @Override
    public long endPosition()
    {
        return isOpen ? range.toPosition() : ReplicaStorage.TO_RECORDED_END;
    }

    /** Up to where it has been read; below 0 before it is open. */
    long position()
    {
        return position;
    }

    @Override
    public void close()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        if (null != request)
        {
            request.cancel(client);
        }
        if (null != subscription)
        {
            subscription.close();
        }
        else if (Aeron.NULL_VALUE != subscriptionId)
        {
            client.aeron().asyncRemoveSubscription(subscriptionId);
        }
    }

    private void tryOpen()
    {
        checkFailure();
        try
        {
            open();
        }
        catch (final RuntimeException ex)
        {
            failure = ex;
        }
        if (!isOpen)
        {
            checkFailure();
            checkProgress(position);
        }
    }

    private void open()
    {
        if (null == range)
        {
            range = finder.find(client);
            if (null == range)
            {
                return;
            }
        }
        if (0 == range.length())
        {
            isOpen = true;
            return;
        }
        if (null == request)
        {
            // too many at once is a matter of time
            request = new ArchiveRequest("a replay on streamId=" + streamId, this::ask,
                (code) -> ArchiveException.MAX_REPLAYS == code).lasting();
        }
        if (request.poll(client))
        {
            openSubscription();
        }
    }

    private boolean ask(final ArchiveProxy proxy, final long correlationId, final long controlSessionId)
    {
        return proxy.replay(range.recordingId(), range.fromPosition(), range.length(), CHANNEL, streamId,
            correlationId, controlSessionId);
    }

    private void openSubscription()
    {
        if (Aeron.NULL_VALUE == subscriptionId)
        {
            subscriptionId = client.aeron().asyncAddSubscription(CHANNEL + "|session-id=" + sessionId(), streamId);
        }
        subscription = client.aeron().getSubscription(subscriptionId);
        isOpen = null != subscription;
    }

    private int sessionId()
    {
        return (int)request.value();
    }

    private boolean findImage()
    {
        image = subscription.imageBySessionId(sessionId());
        if (null == image)
        {
            return false;
        }
        if (image.joinPosition() != range.fromPosition())
        {
            throw new ReplayException("replay of recordingId=" + range.recordingId() + " began at position=" +
                image.joinPosition() + " instead of " + range.fromPosition());
        }

        return true;
    }

    private int pollImage(final RecordHandler handler, final int limit)
    {
        final boolean wasClosed = image.isClosed();
        this.handler = handler;
        final int fragments = image.controlledPoll(fragmentHandler, limit);
        if (null != handlerFailure)
        {
            throw handlerFailure;
        }

        checkProgress(image.position());
        if (wasClosed && !isDone())
        {
            onBrokenOff();
        }

        return fragments;
    }

    /** An image reports what its handler throws and goes on, so a failure is kept and thrown after the poll. */
    private ControlledFragmentHandler.Action onFragment(
        final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        if (FrameDescriptor.UNFRAGMENTED != header.flags())
        {
            handlerFailure = new ReplayException("record is in pieces before position=" + header.position() +
                " of recordingId=" + range.recordingId() + ": the MTU is too small for it");
            return ControlledFragmentHandler.Action.ABORT;
        }

        try
        {
            handler.onRecord(buffer, offset, length, header.position());
        }
        catch (final RuntimeException ex)
        {
            handlerFailure = ex;
            return ControlledFragmentHandler.Action.ABORT;
        }

        return isCommitDue(header.position()) ?
            ControlledFragmentHandler.Action.COMMIT : ControlledFragmentHandler.Action.CONTINUE;
    }

    private boolean isCommitDue(final long recordEnd)
    {
        if (recordEnd - committedPosition < COMMIT_LENGTH)
        {
            return false;
        }
        committedPosition = recordEnd;

        return true;
    }

    private void onBrokenOff()
    {
        final long nowNs = nanoClock.nanoTime();
        if (!isBrokenOff)
        {
            isBrokenOff = true;
            brokeOffNs = nowNs;
        }
        checkFailure();
        if (nowNs - brokeOffNs > REASON_TIMEOUT_NS)
        {
            throw new ReplayException(brokenAt() + ": the recording ended or the Archive stopped");
        }
    }

    private void checkFailure()
    {
        final RuntimeException cause = isOpen && null != request ? request.refusal() : failure;
        if (cause instanceof ReplayException)
        {
            throw cause;
        }
        if (null != cause)
        {
            throw new ReplayException(brokenAt() + ": " + cause.getMessage(), cause);
        }
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
            throw new ReplayException(brokenAt() + ": it makes no progress");
        }
    }

    private String brokenAt()
    {
        return null == range ? "replay cannot be opened" :
            "replay of recordingId=" + range.recordingId() + " broke off at position=" +
            Math.max(position, range.fromPosition()) + " before endPosition=" + range.toPosition();
    }
}
