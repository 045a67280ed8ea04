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
import io.gradstream.recovery.log.AppendListener;
import io.gradstream.recovery.log.Log;
import io.gradstream.recovery.log.LogCursor;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.ReplicatedState;
import org.agrona.DirectBuffer;

/**
 * The side of a standby: attaches to its predecessor, judges each record before it enters the standby's own log, and
 * appends it to that as the predecessor did.
 */
public final class Upstream
{
    /** Position that asks for the newest snapshot instead of records; one less asks for the one before it. */
    public static final long WANTS_SNAPSHOT = -1;
    /** An attach that was not answered is repeated after so long at the latest. */
    public static final long ATTACH_RETRY_NS = 100_000_000;
    /** So soon at first, then twice as late each time: the follower may hear of its predecessor before that of it. */
    static final long FIRST_RETRY_NS = 20_000_000;
    /** A snapshot that does not begin, or does not go on, is asked for again after so long. */
    public static final long SNAPSHOT_RETRY_NS = 3_000_000_000L;
    /** Records in a row that arrive broken before their source is taken for what is broken. */
    static final int MAX_BROKEN_RECORDS = 8;

    /** Where it is. */
    enum State
    {
        /** It follows nobody. */
        IDLE,
        /** It has asked, or is about to ask, and awaits the answer. */
        ATTACHING,
        /** It is sent a snapshot. */
        LOADING,
        /** It is sent records. */
        FOLLOWING,
        /** Its log must be cut off at {@link Upstream#answerPosition()}. */
        MUST_TRUNCATE,
        /** Its predecessor cannot go on from here: it must begin anew. */
        MUST_WIPE,
        /** Its log and its predecessor's differ, or what it is sent stays broken, which must not be. */
        DIVERGED
    }

    private final ChainPort port;
    private final ReplicatedState replicated;
    private final AppendListener listener;
    private final int partition;
    private final long incarnation;

    private State state = State.IDLE;
    private ChainLink link;
    private long attempts;
    private boolean isAttachSent;
    private long attachRetryNs;
    private long attachNs;
    private long nextFrame;
    private long framesSeen;
    private int snapshotAge;
    private long answerPosition;
    private String problem;
    private boolean isSnapshotAsked;
    private int brokenInARow;
    private long brokenRecords;

    Upstream(
        final ChainPort port,
        final ReplicatedState replicated,
        final AppendListener listener,
        final int partition,
        final long incarnation)
    {
        this.port = port;
        this.replicated = replicated;
        this.listener = listener;
        this.partition = partition;
        this.incarnation = incarnation;
    }

    State state()
    {
        return state;
    }

    long answerPosition()
    {
        return answerPosition;
    }

    String problem()
    {
        return problem;
    }

    /** Records that arrived broken and were asked for again. */
    long brokenRecords()
    {
        return brokenRecords;
    }

    /** Number of the attempt under way, 0 if it follows nobody. */
    long attachment()
    {
        return State.IDLE == state ? 0 : link.attachment();
    }

    int predecessor()
    {
        return State.IDLE == state ? -1 : link.nodeId();
    }

    /** Has the predecessor asked for a snapshot since the last call? */
    boolean pollSnapshotAsked()
    {
        final boolean isAsked = isSnapshotAsked;
        isSnapshotAsked = false;
        return isAsked;
    }

    /** Follow a node from now on. */
    void attachTo(final int nodeId)
    {
        link = new ChainLink(nodeId, partition, incarnation + ++attempts);
        isAttachSent = false;
        attachRetryNs = FIRST_RETRY_NS;
        state = State.ATTACHING;
    }

    void stop()
    {
        state = State.IDLE;
    }

    /**
     * Ask for records from where the replica stands.
     */
    int askForRecords(final long nowNs)
    {
        return State.ATTACHING == state && isDue(attachRetryNs, nowNs) ?
            attach(replicated.cursor().position(), nowNs) : 0;
    }

    /**
     * Ask for a snapshot, and again if it does not come to its end.
     */
    int askForSnapshot(final long nowNs)
    {
        if (State.LOADING == state && framesSeen != nextFrame)
        {
            framesSeen = nextFrame;
            attachNs = nowNs;
        }
        if (State.LOADING == state && isDue(SNAPSHOT_RETRY_NS, nowNs))
        {
            attachTo(link.nodeId());
            replicated.reset();
        }

        return State.ATTACHING == state && isDue(SNAPSHOT_RETRY_NS, nowNs) ?
            attach(WANTS_SNAPSHOT - snapshotAge, nowNs) : 0;
    }

    private boolean isDue(final long retryNs, final long nowNs)
    {
        return !isAttachSent || nowNs - attachNs >= retryNs;
    }

    private int attach(final long position, final long nowNs)
    {
        if (!port.attach(link, replicated.epochs(), position))
        {
            return 0;
        }
        if (isAttachSent)
        {
            attachRetryNs = Math.min(2 * attachRetryNs, ATTACH_RETRY_NS);
        }
        isAttachSent = true;
        attachNs = nowNs;
        nextFrame = 0;
        framesSeen = 0;

        return 1;
    }

    void onAnswer(final long attachment, final AttachAnswer answer, final long position)
    {
        if (attachment != attachment() || State.ATTACHING != state && State.FOLLOWING != state)
        {
            return;
        }
        if (AttachAnswer.SNAPSHOT_WANTED == answer)
        {
            isSnapshotAsked = true;
            return;
        }
        answerPosition = position;
        switch (answer)
        {
            case GO_ON -> state = State.FOLLOWING;
            case TRUNCATE -> state = State.MUST_TRUNCATE;
            case WIPE -> state = State.MUST_WIPE;
            case ATTACH_AGAIN -> attachTo(link.nodeId());
            default -> throw new IllegalStateException("unexpected answer=" + answer);
        }
    }

    /** A frame of the snapshot asked for; frames must come without gaps. */
    void onFrame(final long attachment, final long index, final DirectBuffer buffer, final int offset, final int length)
    {
        if (attachment != attachment() || State.ATTACHING != state && State.LOADING != state)
        {
            return;
        }
        if (index != nextFrame)
        {
            attachTo(link.nodeId());
            replicated.reset();
            return;
        }
        state = State.LOADING;
        nextFrame++;
        try
        {
            replicated.loadFrame(buffer, offset, length);
        }
        catch (final ReplayException ex)
        {
            // the predecessor keeps two, and only reading them shows which of them is damaged
            snapshotAge = 1 - snapshotAge;
            attachTo(link.nodeId());
            replicated.reset();
        }
    }

    /**
     * A record from the predecessor.
     *
     * @param log to append it to.
     * @return false if there is no room now: it must come again.
     */
    boolean onForward(final Forwarded record, final Log log)
    {
        final LogCursor cursor = replicated.cursor();
        if (State.FOLLOWING != state || record.attachment != link.attachment() ||
            record.endPosition <= cursor.position())
        {
            return true;
        }
        if (record.previousPosition > cursor.position())
        {
            attachTo(link.nodeId());
            return true;
        }
        problem = LogRecords.verifyAlone(record.buffer, record.offset, record.length);
        if (null != problem)
        {
            onBroken(record);
            return true;
        }
        final long epoch = LogRecords.epoch(record.buffer, record.offset);
        problem = record.previousPosition < cursor.position() ? "records overlap" :
            epoch < cursor.epoch() ? "stale epoch=" + epoch + " last=" + cursor.epoch() :
            LogRecords.verifyNext(record.buffer, record.offset, record.length, cursor.index() + 1, cursor.chainHash());
        if (null != problem)
        {
            diverge(record);
            return true;
        }

        return append(record, log, epoch);
    }

    /**
     * A record that is not what was sealed says nothing of either log: it broke on the way, and is asked for again. The
     * first time that is done at once, and then not more often than any attach is repeated.
     */
    private void onBroken(final Forwarded record)
    {
        brokenRecords++;
        brokenInARow++;
        if (MAX_BROKEN_RECORDS == brokenInARow)
        {
            problem += ", " + brokenInARow + " times in a row";
            diverge(record);
            return;
        }
        attachTo(link.nodeId());
        isAttachSent = brokenInARow > 1;
    }

    private boolean append(final Forwarded record, final Log log, final long epoch)
    {
        final long start = record.endPosition - LogRecords.alignedLength(record.length);
        final boolean hasRoom = replicated.hasRoom() && (log.position() >= start || log.tryPadTo(start));
        if (!hasRoom || !log.tryClaim(record.length))
        {
            return false;
        }
        if (log.claimEndPosition() != record.endPosition)
        {
            problem = "record ends at " + log.claimEndPosition() + " in the own log";
            diverge(record);
            return true;
        }

        log.buffer().putBytes(log.offset(), record.buffer, record.offset, record.length);
        final LogCursor cursor = replicated.cursor();
        cursor.advance(record.endPosition, epoch, LogRecords.chainHash(log.buffer(), log.offset()));
        replicated.applyRecord(log.buffer(), log.offset(), record.length, record.endPosition);
        listener.onAppended(
            record.previousPosition, record.endPosition, log.buffer(), log.offset(), record.length);
        log.commit();
        brokenInARow = 0;

        return true;
    }

    private void diverge(final Forwarded record)
    {
        problem = "DIVERGED at position=" + replicated.cursor().position() + " record " + record.previousPosition +
            ".." + record.endPosition + " from node " + link.nodeId() + ": " + problem;
        state = State.DIVERGED;
    }

    /**
     * A record as a predecessor forwards it.
     */
    public static final class Forwarded
    {
        private long attachment;
        private long previousPosition;
        private long endPosition;
        private DirectBuffer buffer;
        private int offset;
        private int length;

        /**
         * Where it belongs in the log.
         *
         * @param newAttachment       it was sent under.
         * @param newPreviousPosition where the record before it ends.
         * @param newEndPosition      where it ends.
         * @return this.
         */
        public Forwarded at(final long newAttachment, final long newPreviousPosition, final long newEndPosition)
        {
            attachment = newAttachment;
            previousPosition = newPreviousPosition;
            endPosition = newEndPosition;
            return this;
        }

        /**
         * Its bytes, valid while it is handled.
         *
         * @param newBuffer that holds it.
         * @param newOffset of it.
         * @param newLength bytes.
         * @return this.
         */
        public Forwarded of(final DirectBuffer newBuffer, final int newOffset, final int newLength)
        {
            buffer = newBuffer;
            offset = newOffset;
            length = newLength;
            return this;
        }
    }
}
