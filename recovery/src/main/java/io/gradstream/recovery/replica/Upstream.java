// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.codecs.LogRecords;
import io.gradstream.recovery.log.LogAppender;
import io.gradstream.recovery.log.LogCursor;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.ReplicatedState;
import org.agrona.DirectBuffer;

/**
 * A standby's link to its predecessor: attaches to it, fetches its snapshot, and judges each record before it enters
 * the standby's own log. Messages that do not belong to the newest attempt are ignored.
 */
public final class Upstream
{
    /** Position that asks for the newest snapshot instead of records; one less asks for the one before it. */
    public static final long WANTS_SNAPSHOT = -1;
    /** An attach that was not answered is repeated after so long at the latest. */
    public static final long ATTACH_RETRY_NS = 100_000_000;
    /** The first time after so long, then twice as late each time: a follower may know of its predecessor first. */
    static final long FIRST_RETRY_NS = 20_000_000;
    /** A snapshot that does not begin, or does not go on, is asked for again after so long. */
    public static final long SNAPSHOT_RETRY_NS = 3_000_000_000L;
    /** So many broken records in a row mean that their source is broken, not the way. */
    static final int MAX_BROKEN_RECORDS = 8;

    /** The progress of the standby with its predecessor. */
    enum State
    {
        /** It follows nobody. */
        IDLE,
        /** It has asked for records, or is about to ask, and awaits the answer. */
        ATTACHING,
        /** It is sent records. */
        FOLLOWING,
        /** It has asked for a snapshot, or is about to ask. */
        ASKING_SNAPSHOT,
        /** It is sent a snapshot. */
        LOADING,
        /** Its log must be cut off at {@link Upstream#answerPosition()}. */
        MUST_TRUNCATE,
        /** Its predecessor cannot go on from here: it must begin again. */
        MUST_WIPE,
        /** The same, but it may be in sync: it must not forget anything before that is decided. */
        MUST_LEAVE,
        /** Its log and its predecessor's differ, or what it is sent stays broken, which must not be. */
        DIVERGED;

        /** It may stop in any state, and then begin again. */
        boolean mayBecome(final State next)
        {
            return IDLE == next || switch (this)
            {
                case IDLE -> ATTACHING == next || ASKING_SNAPSHOT == next;
                case ATTACHING -> ATTACHING == next || FOLLOWING == next || MUST_TRUNCATE == next ||
                    MUST_WIPE == next || MUST_LEAVE == next;
                case FOLLOWING -> ASKING_SNAPSHOT != next && LOADING != next;
                case ASKING_SNAPSHOT, LOADING -> ASKING_SNAPSHOT == next || LOADING == next;
                case MUST_TRUNCATE, MUST_WIPE, MUST_LEAVE, DIVERGED -> ATTACHING == next;
            };
        }
    }

    private final ChainPort port;
    private final ReplicatedState replicated;
    private final ChainPosition place;
    private final int partition;
    private final long incarnation;

    private RecoveryStateListener listener = RecoveryStateListener.NONE;
    private State state = State.IDLE;
    private LogAppender appender;
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
    private long sealedVersion;
    private int brokenInARow;
    private long brokenRecords;

    Upstream(
        final ChainPort port,
        final ReplicatedState replicated,
        final ChainPosition place,
        final int partition,
        final long incarnation)
    {
        this.port = port;
        this.replicated = replicated;
        this.place = place;
        this.partition = partition;
        this.incarnation = incarnation;
    }

    void listener(final RecoveryStateListener newListener)
    {
        listener = newListener;
    }

    State state()
    {
        return state;
    }

    /** Number of times that it has attached, and earlier copies in this process: attachments count from there. */
    public long attempts()
    {
        return attempts;
    }

    /**
     * Another copy of the partition was kept in this process before: what was sent to that one is not for this one.
     *
     * @param made attempts of all copies that are no longer kept.
     */
    public void attempts(final long made)
    {
        attempts = made;
    }

    long answerPosition()
    {
        return answerPosition;
    }

    String problem()
    {
        return problem;
    }

    /** Records that arrived broken and were asked for again, in this life. */
    public long brokenRecords()
    {
        return brokenRecords;
    }

    /**
     * The attempt under which records come from the predecessor that the coordinator wants, and progress is reported.
     *
     * @return attachment, or 0 while none come.
     */
    public long attachment()
    {
        return isFollowing() ? link.attachment() : 0;
    }

    /** The predecessor that is followed, or -1. */
    public int predecessor()
    {
        return State.IDLE == state ? -1 : link.nodeId();
    }

    /** True if the predecessor has asked for a snapshot since the last call. */
    public boolean pollSnapshotAsked()
    {
        final boolean isAsked = isSnapshotAsked;
        isSnapshotAsked = false;
        return isAsked;
    }

    /**
     * True if the predecessor has stopped, as the head, to hand the lead over, and everything that it had is applied
     * here.
     */
    public boolean isSealed()
    {
        return isFollowing() && 0 != sealedVersion && place.chain().version() == sealedVersion;
    }

    private boolean isFollowing()
    {
        return State.FOLLOWING == state && link.nodeId() == place.predecessor();
    }

    private boolean isNewest(final long attachment)
    {
        return State.IDLE != state && attachment == link.attachment();
    }

    /** Ask a node for records, to be appended here. */
    void follow(final int nodeId, final LogAppender newAppender)
    {
        appender = newAppender;
        attachTo(nodeId, State.ATTACHING, "it is before this one");
    }

    /** Ask a node for its snapshot. */
    void fetchSnapshot(final int nodeId)
    {
        snapshotAge = 0;
        attachTo(nodeId, State.ASKING_SNAPSHOT, "nothing is left to go on from");
    }

    private void attachTo(final int nodeId, final State next, final String reason)
    {
        link = new ChainLink(nodeId, partition, incarnation + ++attempts);
        sealedVersion = 0;
        isAttachSent = false;
        attachRetryNs = FIRST_RETRY_NS;
        state(next, reason);
    }

    private void attachAgain(final String reason)
    {
        attachTo(link.nodeId(), State.ATTACHING, reason);
    }

    private void fetchAgain(final String reason)
    {
        attachTo(link.nodeId(), State.ASKING_SNAPSHOT, reason);
        replicated.reset();
    }

    void stop(final String reason)
    {
        state(State.IDLE, reason);
    }

    /** Ask for records or a snapshot, and again if no answer comes or the snapshot does not go on. */
    int doWork(final long nowNs)
    {
        return switch (state)
        {
            case ATTACHING -> isDue(attachRetryNs, nowNs) ? attach(replicated.cursor().position(), nowNs) : 0;
            case ASKING_SNAPSHOT -> isDue(SNAPSHOT_RETRY_NS, nowNs) ? attach(WANTS_SNAPSHOT - snapshotAge, nowNs) : 0;
            case LOADING -> checkLoading(nowNs);
            case IDLE, FOLLOWING, MUST_TRUNCATE, MUST_WIPE, MUST_LEAVE, DIVERGED -> 0;
        };
    }

    private int checkLoading(final long nowNs)
    {
        if (framesSeen != nextFrame)
        {
            framesSeen = nextFrame;
            attachNs = nowNs;
        }
        if (!isDue(SNAPSHOT_RETRY_NS, nowNs))
        {
            return 0;
        }
        fetchAgain("the snapshot does not go on");

        return 1;
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

    /** The predecessor has answered how to go on. */
    public void onAttachAnswer(final long attachment, final AttachAnswer answer, final long position)
    {
        if (!isNewest(attachment) || State.ATTACHING != state && State.FOLLOWING != state)
        {
            return;
        }
        if (AttachAnswer.SNAPSHOT_WANTED == answer)
        {
            isSnapshotAsked = true;
            return;
        }
        if (AttachAnswer.SEALED == answer)
        {
            sealedVersion = State.FOLLOWING == state ? position : sealedVersion;
            return;
        }
        answerPosition = position;
        switch (answer)
        {
            case GO_ON -> state(State.FOLLOWING, "the predecessor goes on from here");
            case TRUNCATE -> state(State.MUST_TRUNCATE, "the log goes on where the predecessor's parts from it");
            case WIPE -> onCannotGoOn(State.MUST_WIPE);
            case LEAVE -> onCannotGoOn(State.MUST_LEAVE);
            case ATTACH_AGAIN -> attachAgain("the predecessor does not know the attachment");
            default -> throw new IllegalStateException("unexpected answer=" + answer);
        }
    }

    /**
     * Give up only if the answer is still true: it names the place where the predecessor's reading ended, and records
     * that came meanwhile lie after that place.
     */
    private void onCannotGoOn(final State next)
    {
        if (replicated.cursor().position() <= answerPosition)
        {
            problem = "node " + link.nodeId() + " has not kept, or cannot read, what is after position=" +
                answerPosition;
            state(next, problem);
        }
    }

    /** The predecessor hands on a frame of its snapshot; frames must come without gaps. */
    public void onSnapshotFrame(
        final long attachment, final long index, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isNewest(attachment) || State.ASKING_SNAPSHOT != state && State.LOADING != state)
        {
            return;
        }
        if (index != nextFrame)
        {
            fetchAgain("a frame of the snapshot is missing");
            return;
        }
        state(State.LOADING, "the snapshot comes");
        nextFrame++;
        try
        {
            replicated.loadFrame(buffer, offset, length);
        }
        catch (final ReplayException ex)
        {
            // the predecessor keeps two, and only reading them shows which of them is damaged
            snapshotAge = 1 - snapshotAge;
            fetchAgain(ex.getMessage());
        }
    }

    /** True if the whole snapshot has come. */
    boolean isLoaded()
    {
        return State.LOADING == state && replicated.isLoaded();
    }

    /**
     * The predecessor hands a record on.
     *
     * @param attachment       it was sent under.
     * @param previousPosition where the record before it ends.
     * @param endPosition      where it ends.
     * @return false if there is no room now: it must come again.
     */
    public boolean onForward(
        final long attachment,
        final long previousPosition,
        final long endPosition,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final LogCursor cursor = replicated.cursor();
        if (!isFollowing() || attachment != link.attachment() || endPosition <= cursor.position())
        {
            return true;
        }
        if (previousPosition > cursor.position())
        {
            attachAgain("a record is missing");
            return true;
        }
        final String broken = LogRecords.verifyAlone(buffer, offset, length);
        if (null != broken)
        {
            onBroken(broken);
            return true;
        }
        final String different =
            previousPosition < cursor.position() ? "records overlap" : cursor.verifyNext(buffer, offset, length);
        if (null != different)
        {
            diverge(different);
            return true;
        }
        final long ownEndPosition = appender.append(buffer, offset, length, endPosition);
        if (LogAppender.NO_ROOM == ownEndPosition)
        {
            return false;
        }
        if (endPosition != ownEndPosition)
        {
            diverge("the next record ends at " + ownEndPosition + " here, and at " + endPosition + " there");
        }
        brokenInARow = 0;

        return true;
    }

    /**
     * A record that is not what was sealed says nothing of either log: it broke on the way, and is asked for again. The
     * first time that is done at once, and then not more often than any attach is repeated.
     */
    private void onBroken(final String what)
    {
        brokenRecords++;
        brokenInARow++;
        if (MAX_BROKEN_RECORDS == brokenInARow)
        {
            diverge(what + ", " + brokenInARow + " times in a row");
            return;
        }
        attachAgain(what);
        isAttachSent = brokenInARow > 1;
    }

    private void diverge(final String what)
    {
        problem = "DIVERGED at position=" + replicated.cursor().position() + " from node " + link.nodeId() + ": " +
            what;
        state(State.DIVERGED, problem);
    }

    private void state(final State next, final String reason)
    {
        final State before = state;
        if (!before.mayBecome(next))
        {
            throw new IllegalStateException("upstream: " + before + " cannot become " + next + ": " + reason);
        }
        state = next;
        if (next != before)
        {
            listener.onLink(partition, before, next, reason);
        }
    }
}
