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
package io.gradstream.recovery.replica;

import io.gradstream.codecs.LogRecords;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.log.RecordHandler;
import io.gradstream.recovery.log.Replay;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.log.ReplicatedState;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

import java.nio.ByteBuffer;

/**
 * The follower of a replica: what it still has to be sent, and how far it has come. It is sent what it lacks from the
 * replica's own recorded log, and once it has caught up each record as it is appended.
 * <p>
 * What cannot be sent at once is queued within {@link #QUEUE_LENGTH}; a follower that takes nothing for
 * {@link #BLOCK_LIMIT_NS} while the queue is more than half full drops back to the recorded log, so it never stalls the
 * replica for longer.
 */
final class Downstream
{
    /** Bytes of records that may wait to be sent, unless the port says otherwise. */
    static final int QUEUE_LENGTH = 4 * 1024 * 1024;
    /** Longest time a full queue may hold back the replica. */
    static final long BLOCK_LIMIT_NS = 20_000_000;
    /** A follower that reports nothing new for so long, though records were sent, is sent them again. */
    static final long STALL_NS = 1_000_000_000;

    /** Readings of the own log in a row that end at the same place before the follower is told to begin anew. */
    static final int MAX_ATTEMPTS = 3;

    private static final int RECORD = 1;
    private static final int RECORD_HEADER_LENGTH = 2 * Long.BYTES;
    private static final int SEND_LIMIT = 128;
    private static final MessageHandler DISCARD = (type, buffer, offset, length) -> {};

    /** How records reach it. */
    enum State
    {
        /** It has not attached, or must attach again. */
        DETACHED,
        /** It is sent a snapshot. */
        SNAPSHOT,
        /** It is sent what it lacks from the recorded log, up to a position from which on records are queued. */
        CATCH_UP,
        /** It is sent each record as it is appended. */
        LIVE
    }

    private final ChainPort port;
    private final ReplicaStorage storage;
    private final ReplicatedState replicated;
    private final OneToOneRingBuffer queue;
    private final RecordHandler handler = this::onReplayed;
    private final ControlledMessageHandler sender = this::send;
    private final UnsafeBuffer scratch;
    private final UnsafeBuffer pending;

    private State state = State.DETACHED;
    private ChainLink link;
    private AttachAnswer answer;
    private long answerPosition;
    private Replay replay;
    /** Everything up to here is sent, or queued in state LIVE. */
    private long cursor;
    private long catchUpEnd;
    private boolean hasOverflowed;
    private int pendingLength;
    private long pendingEnd;
    private long frameIndex;
    private boolean isBlocked;
    private long blockedSinceNs;
    private long progressNs;
    /** Where the follower's own log ended when it attached; its chain's may end earlier. */
    private long attachedAt;
    private int snapshotAge;
    private int attempts;
    private long failedAt;
    private long applied;
    private long recorded;
    private long covered;
    private long attachedNs;
    /** Newest of this node's heartbeats by which it, and everybody counted behind it, stands; 0 if none. */
    private long echoNs;
    private boolean isWithoutLog;
    private boolean isSnapshotDue;
    private boolean isAdmissionAsked;

    Downstream(
        final ChainPort port,
        final ReplicaStorage storage,
        final ReplicatedState replicated,
        final int maxRecordLength)
    {
        this.port = port;
        this.storage = storage;
        this.replicated = replicated;
        queue = new OneToOneRingBuffer(new UnsafeBuffer(
            ByteBuffer.allocateDirect(port.queueLength() + RingBufferDescriptor.TRAILER_LENGTH)));
        scratch = new UnsafeBuffer(ByteBuffer.allocateDirect(RECORD_HEADER_LENGTH + maxRecordLength));
        pending = new UnsafeBuffer(ByteBuffer.allocateDirect(maxRecordLength));
    }

    State state()
    {
        return state;
    }

    /** Node at the other end, or -1 while nobody is attached. */
    int nodeId()
    {
        return State.DETACHED == state ? -1 : link.nodeId();
    }

    long applied()
    {
        return applied;
    }

    long recorded()
    {
        return recorded;
    }

    long covered()
    {
        return covered;
    }

    /**
     * Has it stood by this replica, and everybody counted behind it, at most so long ago? Counted from when that was
     * asked, not from when the answer came.
     */
    boolean hasEchoed(final long leaseNs, final long nowNs)
    {
        return 0 != echoNs && nowNs - echoNs < leaseNs;
    }

    /** Has it stood by this replica since it attached? */
    boolean isEchoing()
    {
        return 0 != echoNs;
    }

    /** Did a follower ask for bytes that the log no longer holds? Then a snapshot is wanted soon. */
    boolean isWithoutLog()
    {
        return isWithoutLog;
    }

    /** A worker waits for a snapshot of what was appended so far: the follower is to take one too. */
    void askForSnapshot()
    {
        isSnapshotDue = State.CATCH_UP == state || State.LIVE == state;
    }

    void onSnapshotTaken()
    {
        isWithoutLog = false;
    }

    /** Is it to be waited for, because it does not take what it is sent right now? */
    boolean isHoldingBack()
    {
        return State.LIVE == state && isBlocked && queue.size() > queue.capacity() / 2;
    }

    /** May the coordinator take it into the in-sync set at any moment, by what it was told? */
    void isAdmissionAsked(final boolean isAsked)
    {
        isAdmissionAsked = isAsked;
    }

    /**
     * It wants to follow, for the first time or again.
     */
    void onAttach(final ChainLink newLink, final EpochHistory history, final long position, final long nowNs)
    {
        detach();
        link = newLink;
        attachedNs = nowNs;
        progressNs = nowNs;
        if (position <= Upstream.WANTS_SNAPSHOT)
        {
            final long age = Upstream.WANTS_SNAPSHOT - position;
            isWithoutLog = age >= storage.snapshotCount();
            if (!isWithoutLog)
            {
                frameIndex = 0;
                snapshotAge = (int)age;
                state = State.SNAPSHOT;
            }
            return;
        }

        final long end = replicated.cursor().position();
        final long common = replicated.epochs().commonPosition(end, history, position);
        if (common < position)
        {
            answer = AttachAnswer.TRUNCATE;
            answerPosition = common;
            return;
        }
        answer = AttachAnswer.GO_ON;
        answerPosition = position;
        // that it has come so far itself says nothing of whoever is counted behind it: its first report will
        attachedAt = position;
        attempts = 0;
        catchUpFrom(position);
    }

    void onProgress(
        final ChainLink sender,
        final long newApplied,
        final long newRecorded,
        final long newCovered,
        final long newEchoNs,
        final long nowNs)
    {
        if (State.DETACHED == state || sender.attachment() != link.attachment())
        {
            onUnknown(sender);
            return;
        }
        if (newApplied > applied || newApplied == cursor)
        {
            progressNs = nowNs;
        }
        applied = Math.max(applied, newApplied);
        recorded = Math.max(recorded, newRecorded);
        covered = Math.max(covered, newCovered);
        // an echo from outside this time is of an earlier life of this node, whose clock was another one
        if (0 != newEchoNs && newEchoNs - attachedNs >= 0 && nowNs - newEchoNs >= 0)
        {
            echoNs = 0 == echoNs || newEchoNs - echoNs > 0 ? newEchoNs : echoNs;
        }
    }

    private void onUnknown(final ChainLink sender)
    {
        if (null == link || sender.nodeId() != link.nodeId() || sender.attachment() > link.attachment() ||
            sender.attachment() == link.attachment() && null == answer)
        {
            detach();
            link = sender;
            answer = AttachAnswer.ATTACH_AGAIN;
        }
    }

    /** The replica is about to commit a record. */
    void onAppended(
        final long previousPosition,
        final long endPosition,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (State.LIVE == state)
        {
            cursor = endPosition;
            if ((0 != queue.size() || null != answer ||
                !port.forward(link, previousPosition, endPosition, buffer, offset, length)) &&
                !enqueue(previousPosition, endPosition, buffer, offset, length))
            {
                // it lags too far behind to be sent what is appended: the recorded log has it
                catchUpFrom(Math.max(attachedAt, applied));
            }
        }
        else if (State.CATCH_UP == state && !hasOverflowed)
        {
            hasOverflowed = !enqueue(previousPosition, endPosition, buffer, offset, length);
        }
    }

    int doWork(final long nowNs)
    {
        int workCount = 0;
        if (null != answer)
        {
            if (!port.attachAnswer(link, answer, answerPosition))
            {
                return 0;
            }
            answer = null;
            workCount++;
        }

        if (isSnapshotDue && State.LIVE == state && 0 == queue.size() &&
            port.attachAnswer(link, AttachAnswer.SNAPSHOT_WANTED, cursor))
        {
            isSnapshotDue = false;
            workCount++;
        }

        return workCount + switch (state)
        {
            case DETACHED -> 0;
            case SNAPSHOT -> sendSnapshot();
            case CATCH_UP -> catchUp();
            case LIVE -> sendQueued(nowNs) + checkStall(nowNs);
        };
    }

    void detach()
    {
        closeReplay();
        clearQueue();
        state = State.DETACHED;
        answer = null;
        isSnapshotDue = false;
        isBlocked = false;
        applied = 0;
        recorded = 0;
        covered = 0;
        echoNs = 0;
    }

    private void catchUpFrom(final long position)
    {
        closeReplay();
        clearQueue();
        cursor = position;
        catchUpEnd = replicated.cursor().position();
        if (cursor == catchUpEnd)
        {
            state = State.LIVE;
        }
        else
        {
            state = State.CATCH_UP;
        }
    }

    private int catchUp()
    {
        final int workCount = sendReplayed();
        if (State.CATCH_UP == state && null != replay && replay.isDone() && 0 == pendingLength)
        {
            if (hasOverflowed)
            {
                // more was appended meanwhile than fits the queue: replay that too, there is less of it each time
                catchUpFrom(cursor);
            }
            else
            {
                closeReplay();
                cursor = Math.max(cursor, replicated.cursor().position());
                state = State.LIVE;
            }
        }

        return workCount;
    }

    private int sendSnapshot()
    {
        final int workCount = sendReplayed();
        if (State.SNAPSHOT == state && null != replay && replay.isDone() && 0 == pendingLength)
        {
            detach();
        }

        return workCount;
    }

    /**
     * Send records or frames of a replay one by one: each waits in its buffer until it is taken.
     */
    private int sendReplayed()
    {
        int workCount = 0;
        try
        {
            if (null == replay)
            {
                replay = State.SNAPSHOT == state ?
                    storage.openSnapshot(snapshotAge) : storage.openReplay(cursor, catchUpEnd);
            }
            while (workCount < SEND_LIMIT && sendPending() && !replay.isDone() && replay.poll(handler, 1) > 0)
            {
                workCount++;
            }
        }
        catch (final ReplayException ex)
        {
            onReplayFailed();
            return 1;
        }

        return workCount;
    }

    private boolean sendPending()
    {
        if (0 == pendingLength)
        {
            return true;
        }
        final boolean isSent = State.SNAPSHOT == state ?
            port.snapshotFrame(link, frameIndex, pending, 0, pendingLength) :
            port.forward(link, cursor, pendingEnd, pending, 0, pendingLength);
        if (isSent)
        {
            pendingLength = 0;
            frameIndex++;
            cursor = pendingEnd;
        }

        return isSent;
    }

    /**
     * The own log no longer holds, or cannot give back, what the follower lacks: it begins anew from a snapshot. That
     * costs a follower in sync its place, so a reading that broke off once, as by a pause, is tried again first. One
     * that may be in sync at any moment keeps what it has until that is decided: it attaches again, and again.
     */
    private void onReplayFailed()
    {
        final boolean isSnapshot = State.SNAPSHOT == state;
        final long from = cursor;
        attempts = from == failedAt || 0 == attempts ? attempts + 1 : 1;
        failedAt = from;
        if (!isSnapshot && attempts < MAX_ATTEMPTS)
        {
            catchUpFrom(from);
            return;
        }
        detach();
        isWithoutLog = true;
        if (!isSnapshot && !isAdmissionAsked)
        {
            answer = AttachAnswer.WIPE;
            answerPosition = from;
        }
    }

    /** What the own log gives back broken must not look as if it broke on the way. */
    private void onReplayed(final DirectBuffer buffer, final int offset, final int length, final long position)
    {
        final String problem = State.SNAPSHOT == state ? null : LogRecords.verifyAlone(buffer, offset, length);
        if (null != problem)
        {
            throw new ReplayException("broken record behind position=" + cursor + ": " + problem);
        }
        pending.putBytes(0, buffer, offset, length);
        pendingLength = length;
        pendingEnd = position;
    }

    /** Bytes that wait to be sent. */
    int queuedBytes()
    {
        return queue.size();
    }

    private boolean enqueue(
        final long previousPosition,
        final long endPosition,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        scratch.putLong(0, previousPosition);
        scratch.putLong(Long.BYTES, endPosition);
        scratch.putBytes(RECORD_HEADER_LENGTH, buffer, offset, length);

        return queue.write(RECORD, scratch, 0, RECORD_HEADER_LENGTH + length);
    }

    private int sendQueued(final long nowNs)
    {
        final int sent = queue.controlledRead(sender, SEND_LIMIT);
        if (sent > 0 || 0 == queue.size())
        {
            isBlocked = false;
        }
        else if (!isBlocked)
        {
            isBlocked = true;
            blockedSinceNs = nowNs;
        }
        else if (queue.size() > queue.capacity() / 2 && nowNs - blockedSinceNs > BLOCK_LIMIT_NS)
        {
            catchUpFrom(Math.max(attachedAt, applied));
        }

        return sent;
    }

    private ControlledMessageHandler.Action send(
        final int type, final MutableDirectBuffer buffer, final int offset, final int length)
    {
        return port.forward(link, buffer.getLong(offset), buffer.getLong(offset + Long.BYTES), buffer,
            offset + RECORD_HEADER_LENGTH, length - RECORD_HEADER_LENGTH) ?
            ControlledMessageHandler.Action.COMMIT : ControlledMessageHandler.Action.ABORT;
    }

    private int checkStall(final long nowNs)
    {
        if (applied >= cursor || queue.size() > 0)
        {
            progressNs = applied >= cursor ? nowNs : progressNs;
            return 0;
        }
        if (nowNs - progressNs < STALL_NS)
        {
            return 0;
        }
        // what was sent has died with an image: it is sent again, and what did arrive is skipped there
        progressNs = nowNs;
        catchUpFrom(Math.max(attachedAt, applied));

        return 1;
    }

    private void clearQueue()
    {
        int count = queue.read(DISCARD);
        while (count > 0)
        {
            count = queue.read(DISCARD);
        }
        pendingLength = 0;
        hasOverflowed = false;
        isBlocked = false;
    }

    private void closeReplay()
    {
        if (null != replay)
        {
            replay.close();
            replay = null;
        }
    }
}
