// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.recovery.log.RecordHandler;
import io.gradstream.recovery.log.RecordReplay;
import io.gradstream.recovery.log.Replay;
import io.gradstream.recovery.log.ReplicaStorage;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

import java.nio.ByteBuffer;

/**
 * Sends a follower records, or the frames of a snapshot, in order: those read from the replica's own disk, then those
 * that are queued after them.
 */
final class RecordSender
{
    private static final int RECORD = 1;
    private static final int PREVIOUS_POSITION = 0;
    private static final int END_POSITION = Long.BYTES;
    private static final int RECORD_HEADER_LENGTH = 2 * Long.BYTES;
    private static final int SEND_LIMIT = 128;
    private static final MessageHandler DISCARD = (type, buffer, offset, length) -> {};

    private final ChainPort port;
    private final ReplicaStorage storage;
    private final RecordHandler reader = this::onRead;
    private final ControlledMessageHandler sender = this::send;
    private final RecordReplay check = new RecordReplay(0);
    private final UnsafeBuffer pending = new UnsafeBuffer();
    /** Opened with the first follower. */
    private OneToOneRingBuffer queue;

    private ChainLink link;
    private Replay replay;
    private boolean isSnapshot;
    private int snapshotAge;
    private long frameIndex;
    /** Everything up to here is sent, or queued. */
    private long position;
    private long readEnd;
    private int pendingLength;
    private long pendingEnd;

    RecordSender(final ChainPort port, final ReplicaStorage storage)
    {
        this.port = port;
        this.storage = storage;
    }

    /** Send what is recorded between two positions, and queue what is appended after them. */
    void readLog(final ChainLink to, final long fromPosition, final long endPosition)
    {
        open(to);
        isSnapshot = false;
        position = fromPosition;
        readEnd = endPosition;
        check.restart(fromPosition);
    }

    /** Send a snapshot: 0 for the newest, 1 for the one before. */
    void readSnapshot(final ChainLink to, final int age)
    {
        open(to);
        isSnapshot = true;
        snapshotAge = age;
        frameIndex = 0;
    }

    private void open(final ChainLink to)
    {
        clear();
        link = to;
        queue = null != queue ? queue : new OneToOneRingBuffer(new UnsafeBuffer(
            ByteBuffer.allocateDirect(port.queueLength() + RingBufferDescriptor.TRAILER_LENGTH)));
    }

    /** True if a snapshot of the age that is read is still kept. */
    boolean isSnapshotKept()
    {
        return snapshotAge < storage.snapshotCount();
    }

    /** Begin the same snapshot, or the one that has taken its place, from its first frame. */
    void readSnapshotAgain()
    {
        readSnapshot(link, snapshotAge);
    }

    /** True if no frame of this snapshot has been sent yet. */
    boolean isAtSnapshotStart(final int age)
    {
        return isSnapshot && snapshotAge == age && 0 == frameIndex;
    }

    void closeRead()
    {
        if (null != replay)
        {
            replay.close();
            replay = null;
        }
    }

    void clear()
    {
        closeRead();
        while (queuedBytes() > 0)
        {
            queue.read(DISCARD);
        }
        pendingLength = 0;
    }

    int queuedBytes()
    {
        return null == queue ? 0 : queue.size();
    }

    boolean isHalfFull()
    {
        return queuedBytes() > queue.capacity() / 2;
    }

    long position()
    {
        return position;
    }

    /** Frames of the snapshot that were sent, 0 if none is. */
    long framesSent()
    {
        return isSnapshot ? frameIndex : 0;
    }

    /** Everything up to here is sent, or in the queue. */
    void position(final long newPosition)
    {
        position = newPosition;
    }

    /**
     * Read some of what is to be read and send it; each record or frame waits in its buffer until it is taken.
     *
     * @param bandwidth that the reading may use.
     * @throws io.gradstream.recovery.log.ReplayException if it cannot be read.
     */
    int sendRead(final MoveBandwidth bandwidth)
    {
        if (!mayUse(bandwidth))
        {
            return 0;
        }
        if (null == replay)
        {
            replay = isSnapshot ? storage.openSnapshot(snapshotAge) : storage.openReplay(position, readEnd);
        }
        int workCount = 0;
        while (workCount < SEND_LIMIT && sendPending(bandwidth) && !replay.isDone() && replay.poll(reader, 1) > 0)
        {
            workCount++;
        }

        return workCount;
    }

    private boolean mayUse(final MoveBandwidth bandwidth)
    {
        return bandwidth.mayUse(this, isSnapshot ? MoveBandwidth.SNAPSHOT_PATIENCE_NS : MoveBandwidth.PATIENCE_NS);
    }

    boolean isAllRead()
    {
        return null != replay && replay.isDone() && 0 == pendingLength;
    }

    private boolean sendPending(final MoveBandwidth bandwidth)
    {
        if (0 == pendingLength)
        {
            return true;
        }
        final boolean isSent = mayUse(bandwidth) && (isSnapshot ?
            port.snapshotFrame(link, frameIndex, pending, 0, pendingLength) :
            port.forward(link, position, pendingEnd, pending, 0, pendingLength));
        if (isSent)
        {
            bandwidth.onSent(pendingLength);
            pendingLength = 0;
            frameIndex++;
            position = pendingEnd;
        }

        return isSent;
    }

    /** Check what the own log gives back: if it is broken there, it must not look as if it broke on the way. */
    private void onRead(final DirectBuffer buffer, final int offset, final int length, final long endPosition)
    {
        if (!isSnapshot)
        {
            check.onRecord(buffer, offset, length, endPosition);
        }
        if (pending.capacity() < length)
        {
            pending.wrap(ByteBuffer.allocateDirect(BitUtil.findNextPositivePowerOfTwo(length)));
        }
        pending.putBytes(0, buffer, offset, length);
        pendingLength = length;
        pendingEnd = endPosition;
    }

    /** Send a record at once, or else queue it. False if it no longer fits the queue. */
    boolean sendOrQueue(
        final boolean mayBeSent,
        final long previousPosition,
        final long endPosition,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (mayBeSent && 0 == queue.size() && port.forward(link, previousPosition, endPosition, buffer, offset, length))
        {
            return true;
        }
        final int index = queue.tryClaim(RECORD, RECORD_HEADER_LENGTH + length);
        if (index < 0)
        {
            return false;
        }
        queue.buffer().putLong(index + PREVIOUS_POSITION, previousPosition);
        queue.buffer().putLong(index + END_POSITION, endPosition);
        queue.buffer().putBytes(index + RECORD_HEADER_LENGTH, buffer, offset, length);
        queue.commit(index);

        return true;
    }

    int sendQueued()
    {
        return queue.controlledRead(sender, SEND_LIMIT);
    }

    private ControlledMessageHandler.Action send(
        final int type, final MutableDirectBuffer buffer, final int offset, final int length)
    {
        return port.forward(link, buffer.getLong(offset + PREVIOUS_POSITION), buffer.getLong(offset + END_POSITION),
            buffer, offset + RECORD_HEADER_LENGTH, length - RECORD_HEADER_LENGTH) ?
            ControlledMessageHandler.Action.COMMIT : ControlledMessageHandler.Action.ABORT;
    }
}
