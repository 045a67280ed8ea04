// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.codecs.Chain;
import io.gradstream.recovery.log.AppendListener;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.log.ReplayException;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.log.ReplicatedState;
import org.agrona.DirectBuffer;

/**
 * A replica's link to its follower: sends what the follower lacks from the recorded log, then each record as it is
 * appended, and knows how far the follower, and the chain after it, has come.
 * <p>
 * What cannot be sent at once is queued within {@link ChainPort#queueLength()}; a follower that takes nothing for
 * {@link #BLOCK_LIMIT_NS} while the queue is more than half full drops back to the recorded log, so it never stalls the
 * replica for longer.
 */
public final class Downstream implements AppendListener
{
    /** Bytes of records that may wait to be sent, unless the port says otherwise. */
    static final int QUEUE_LENGTH = 4 * 1024 * 1024;
    /** Longest time a full queue may hold back the replica. */
    static final long BLOCK_LIMIT_NS = 20_000_000;
    /** A follower that reports nothing new for so long, though records were sent, is sent them again. */
    static final long STALL_NS = 1_000_000_000;
    /** Bytes applied here and not by a follower in the acknowledgement set beyond which a head takes no more pushes. */
    static final long MAX_REPLICATION_LAG = 8 * 1024 * 1024;
    /** A joiner that lags by less is taken into the acknowledgement set. */
    static final long JOIN_LAG = 1024 * 1024;
    /** A joiner that was served within so long gets on: several times as long as nodes need between reports. */
    static final long SERVED_NS = 2_000_000_000L;
    private static final int NO_SNAPSHOT = -1;

    private final int nodeId;
    private final int partition;
    private final ChainPort port;
    private final ReplicaStorage storage;
    private final ReplicatedState replicated;
    private final RecordSender sender;
    private final MoveBandwidth bandwidth;
    private final LackedLog lacked;
    private final SealNotice seal = new SealNotice();
    private final FollowerProgress progress = new FollowerProgress();
    private final ReadAttempts attempts = new ReadAttempts();
    private final CatchUpThrottle pace = new CatchUpThrottle();

    private RecoveryStateListener listener = RecoveryStateListener.NONE;
    private LinkState state = LinkState.DETACHED;
    private FollowerRole standing = FollowerRole.NOBODY;
    /** True if the replica may be followed in its present state. */
    private boolean isOpen;
    private int follower = Chain.NONE;
    private ChainLink link;
    /** To be sent first of all, or null. */
    private AttachAnswer answer;
    private long answerPosition;
    /** True if the follower is to be told that a worker waits for a snapshot. */
    private boolean isSnapshotOwed;
    private long blockedSinceNs;
    /** Where this log ended when the joiner was taken into the acknowledgement set, or attached again. */
    private long joinedAt;

    Downstream(
        final int nodeId,
        final int partition,
        final ChainPort port,
        final ReplicaStorage storage,
        final ReplicatedState replicated)
    {
        this.nodeId = nodeId;
        this.partition = partition;
        this.port = port;
        this.storage = storage;
        this.replicated = replicated;
        sender = new RecordSender(port, storage);
        bandwidth = port.moveBandwidth();
        lacked = new LackedLog(storage);
    }

    void listener(final RecoveryStateListener newListener)
    {
        listener = newListener;
    }

    LinkState state()
    {
        return state;
    }

    void isOpen(final boolean mayBeFollowed)
    {
        isOpen = mayBeFollowed;
    }

    /** The coordinator has decided; what a follower has reported in another place no longer counts. */
    void onChain(final Chain before, final Chain chain)
    {
        follower = chain.successorOf(nodeId);
        seal.end();
        final boolean isJoiner = Chain.NONE != follower && follower == chain.joiner();
        final boolean isSame = follower == before.successorOf(nodeId) &&
            (!isJoiner || follower == before.joiner() && chain.version() == before.version() + 1);
        if (!isSame)
        {
            detach("the chain is " + chain.members());
        }
        final boolean isInSet = isSame && standing.isInSyncSet();
        standing(Chain.NONE == follower ? FollowerRole.NOBODY : !isJoiner ? FollowerRole.MEMBER :
            isInSet ? FollowerRole.JOINER_IN_SET : FollowerRole.JOINER, "the chain is newer");
    }

    /**
     * A follower wants to attach, for the first time or again.
     *
     * @param history  of its log.
     * @param position where its log ends, or {@link Upstream#WANTS_SNAPSHOT}.
     */
    public void onAttach(final ChainLink newLink, final EpochHistory history, final long position, final long nowNs)
    {
        if (!isFollowedBy(newLink))
        {
            return;
        }
        final int age = position > Upstream.WANTS_SNAPSHOT ? NO_SNAPSHOT :
            (int)Math.min(Integer.MAX_VALUE, Upstream.WANTS_SNAPSHOT - position);
        if (newLink.equals(link) && isUnsent(age, position))
        {
            answer = LinkState.SNAPSHOT == state ? null : AttachAnswer.GO_ON;
            return;
        }
        unlink("it attaches");
        link = newLink;
        progress.attach(nowNs);
        // it may have less than before, and lack what was acknowledged meanwhile
        joinedAt = replicated.cursor().position();
        if (NO_SNAPSHOT != age)
        {
            lacked.keepFrom(replicated.snapshottedPosition(), nowNs);
            sendSnapshot(age);
        }
        else
        {
            lacked.keepFrom(position, nowNs);
            sendRecords(history, position);
        }
    }

    /**
     * True if what the follower asks for is being read, and none of it has been sent. A follower that repeats its
     * question must not make the reading begin again: on a busy machine it would never end.
     */
    private boolean isUnsent(final int age, final long position)
    {
        return switch (state)
        {
            case SNAPSHOT -> sender.isAtSnapshotStart(age);
            case CATCH_UP, CATCH_UP_OVERFLOWED, LIVE, BLOCKED ->
                progress.attachedAt() == position && sender.position() == position;
            case DETACHED, AWAIT_SNAPSHOT -> false;
        };
    }

    private boolean isFollowedBy(final ChainLink other)
    {
        return isOpen && Chain.NONE != follower && follower == other.nodeId();
    }

    private void sendSnapshot(final int age)
    {
        attempts.restart();
        if (age < storage.snapshotCount())
        {
            sender.readSnapshot(link, age);
        }
        state(age < storage.snapshotCount() ? LinkState.SNAPSHOT : LinkState.AWAIT_SNAPSHOT, "it asks for a snapshot");
    }

    private void sendRecords(final EpochHistory history, final long position)
    {
        answerPosition = replicated.epochs().commonPosition(replicated.cursor().position(), history, position);
        answer = answerPosition < position ? AttachAnswer.TRUNCATE : AttachAnswer.GO_ON;
        if (AttachAnswer.GO_ON == answer)
        {
            // that it has come so far itself says nothing of the chain after it: its first report will
            progress.attachedAt(position);
            attempts.restart();
            pace.restart();
            catchUpFrom(position, "its log is as this one up to where it ends");
        }
    }

    /**
     * The follower reports how far it, and the chain after it, has come.
     *
     * @param reporter       link it reports under; another than its newest is ignored.
     * @param newSnapshotted position of the older of two kept snapshots, 0 while there are not two.
     * @param newGrantNs     newest heartbeat of this node for which it grants a lease; 0 if none.
     */
    public void onProgress(
        final ChainLink reporter,
        final long newApplied,
        final long newRecorded,
        final long newSnapshotted,
        final long newGrantNs,
        final long nowNs)
    {
        if (!isFollowedBy(reporter))
        {
            return;
        }
        if (LinkState.DETACHED == state || LinkState.AWAIT_SNAPSHOT == state ||
            reporter.attachment() != link.attachment())
        {
            onUnknown(reporter);
            return;
        }
        if (progress.onProgress(
            newApplied, newRecorded, newSnapshotted, newGrantNs, sender.position(), nowNs))
        {
            lacked.keepFrom(progress.reached(), nowNs);
        }
    }

    private void onUnknown(final ChainLink reporter)
    {
        if (null == link || reporter.nodeId() != link.nodeId() || reporter.attachment() > link.attachment() ||
            reporter.attachment() == link.attachment() && null == answer)
        {
            if (LinkState.AWAIT_SNAPSHOT != state)
            {
                unlink("it reports under an attachment that is not known here");
            }
            link = reporter;
            answer = AttachAnswer.ATTACH_AGAIN;
        }
    }

    /** This head has stopped under a version of the chain: tell the follower so once it has everything. */
    void seal(final long version)
    {
        seal.begin(version);
    }

    private int tellSealed(final long nowNs)
    {
        final boolean hasEverything = LinkState.LIVE == state && 0 == sender.queuedBytes() &&
            progress.applied() >= replicated.cursor().position();
        if (!hasEverything || !seal.isDue(nowNs) || !port.attachAnswer(link, AttachAnswer.SEALED, seal.version()))
        {
            return 0;
        }
        seal.onTold(nowNs);

        return 1;
    }

    /** The replica is about to commit a record. */
    @Override
    public void onAppended(
        final long previousPosition,
        final long endPosition,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (isLive())
        {
            sender.position(endPosition);
            if (!sender.sendOrQueue(null == answer, previousPosition, endPosition, buffer, offset, length))
            {
                catchUpFrom(progress.reached(), "it lags too far behind to be sent what is appended");
            }
        }
        else if (LinkState.CATCH_UP == state &&
            !sender.sendOrQueue(false, previousPosition, endPosition, buffer, offset, length))
        {
            state(LinkState.CATCH_UP_OVERFLOWED, "more is appended than its queue holds");
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
        if (isSnapshotOwed && LinkState.LIVE == state && 0 == sender.queuedBytes() &&
            port.attachAnswer(link, AttachAnswer.SNAPSHOT_WANTED, sender.position()))
        {
            isSnapshotOwed = false;
            workCount++;
        }
        workCount += tellSealed(nowNs);
        if (isPaced())
        {
            lacked.onSentLittle(nowNs);
        }
        lacked.onTime(nowNs);
        if (isPaced() && bandwidth.isOfOther(sender))
        {
            progress.onServed(nowNs);
        }
        progress.onSnapshot(sender.framesSent(), nowNs);
        takeIntoAcknowledgementSet();
        pace.update(replicated.cursor().position(), progress.reached(), nowNs);

        return workCount + switch (state)
        {
            case DETACHED, AWAIT_SNAPSHOT -> 0;
            case SNAPSHOT, CATCH_UP, CATCH_UP_OVERFLOWED -> sendRead();
            case LIVE, BLOCKED -> sendQueued(nowNs) + checkStall(nowNs);
        };
    }

    private int sendRead()
    {
        try
        {
            // pushes wait for a follower that is in sync, and so it is sent all at once
            final int workCount = sender.sendRead(isPaced() ? bandwidth : MoveBandwidth.UNLIMITED);
            if (sender.isAllRead())
            {
                onAllRead();
            }
            return workCount;
        }
        catch (final ReplayException ex)
        {
            onReadFailed(ex.getMessage());
            return 1;
        }
    }

    private void onAllRead()
    {
        switch (state)
        {
            case SNAPSHOT -> unlink("the snapshot is sent");
            case CATCH_UP_OVERFLOWED ->
            {
                // there is less of it each time, or others would never get their turn
                bandwidth.giveWay(sender);
                catchUpFrom(sender.position(), "more was appended than its queue holds");
            }
            default ->
            {
                attempts.startOver();
                sender.closeRead();
                sender.position(Math.max(sender.position(), replicated.cursor().position()));
                state(LinkState.LIVE, "all that was recorded is sent");
            }
        }
    }

    /**
     * The own log no longer holds, or cannot give back, what the follower lacks, or a snapshot was replaced by newer
     * ones before it was open. A reading that broke off once is tried again. After that a joiner begins again from a
     * snapshot, once there is one taken after the unreadable place; nothing waits for the joiner meanwhile. A follower
     * that is in sync, or may be at any moment, attaches again; if that does not help, it halts, or leaves with what it
     * has.
     */
    private void onReadFailed(final String problem)
    {
        final boolean isSnapshot = LinkState.SNAPSHOT == state;
        final long from = isSnapshot ? Upstream.WANTS_SNAPSHOT : sender.position();
        if (isSnapshot && sender.isSnapshotKept() && attempts.mayRepeat(from))
        {
            sender.readSnapshotAgain();
            return;
        }
        if (!isSnapshot && attempts.mayRepeat(from))
        {
            catchUpFrom(from, problem);
            return;
        }
        unlink(problem);
        state(LinkState.AWAIT_SNAPSHOT, problem);
        if (isSnapshot)
        {
            return;
        }
        answerPosition = from;
        if (FollowerRole.ADMISSION_ASKED == standing || FollowerRole.MEMBER == standing)
        {
            answer = attempts.mayAttachAgain() ? null : AttachAnswer.LEAVE;
            return;
        }
        standing(FollowerRole.JOINER, problem);
        answer = lacksSnapshot() ? null : AttachAnswer.WIPE;
    }

    /** True if the own log could not be read at some place, and there is no snapshot taken after that place. */
    boolean lacksSnapshot()
    {
        return attempts.hasGivenUpWithin(
            0 == storage.snapshotCount() ? 0 : replicated.snapshotPosition(), replicated.cursor().position());
    }

    private int sendQueued(final long nowNs)
    {
        final int sent = sender.sendQueued();
        if (sent > 0 || 0 == sender.queuedBytes())
        {
            state(LinkState.LIVE, "it takes records");
        }
        else if (LinkState.LIVE == state)
        {
            blockedSinceNs = nowNs;
            state(LinkState.BLOCKED, "it takes no records");
        }
        else if (isHoldingBack() && nowNs - blockedSinceNs > BLOCK_LIMIT_NS)
        {
            catchUpFrom(progress.reached(), "it has taken no records for too long");
        }

        return sent;
    }

    private int checkStall(final long nowNs)
    {
        if (sender.queuedBytes() > 0 || !progress.pollStall(sender.position(), STALL_NS, nowNs))
        {
            return 0;
        }
        // what was sent has died with an image: it is sent again, and what did arrive is skipped there
        catchUpFrom(progress.reached(), "it reports nothing new");

        return 1;
    }

    private void catchUpFrom(final long position, final String reason)
    {
        final long end = replicated.cursor().position();
        sender.readLog(link, position, end);
        pace.onReading(end, progress.reached());
        state(position == end ? LinkState.LIVE : LinkState.CATCH_UP, reason);
    }

    /**
     * Let a joiner count once it is sent each record as it is appended, lags by no more than {@link #JOIN_LAG}, and has
     * granted a lease since it attached. Without its grants no replica before it would hold one, so a joiner that hears
     * nothing would stop the chain.
     */
    private void takeIntoAcknowledgementSet()
    {
        final long position = replicated.cursor().position();
        if (FollowerRole.JOINER == standing && isLive() && progress.hasGranted() &&
            position - progress.applied() <= JOIN_LAG)
        {
            joinedAt = position;
            standing(FollowerRole.JOINER_IN_SET, "it has caught up, and grants leases");
        }
    }

    /**
     * True if a joiner has everything that was acknowledged: all up to the place where it began to count. After that
     * place nothing is acknowledged without it.
     */
    boolean mayBeAdmitted()
    {
        return isLive() && (FollowerRole.JOINER_IN_SET == standing || FollowerRole.ADMISSION_ASKED == standing) &&
            Math.min(progress.applied(), progress.recorded()) >= joinedAt;
    }

    /** A report has asked the coordinator to admit the joiner; it may arrive late, and count then. */
    public void onAdmissionAsked()
    {
        standing(FollowerRole.ADMISSION_ASKED, "it has all that was acknowledged");
    }

    /** True if nothing is acknowledged without the follower: it is a member in sync, or a joiner about to be one. */
    public boolean isInSyncSet()
    {
        return standing.isInSyncSet();
    }

    /**
     * True if every replica in the acknowledgement set after this one grants it a lease, or if there is none in the
     * set. Then none of them has been promoted, and none will be before that lease is over.
     *
     * @param leaseNs how long it holds, from when the heartbeat was sent for which it was granted.
     */
    public boolean hasLease(final long leaseNs, final long nowNs)
    {
        return !isInSyncSet() || progress.hasLease(leaseNs, nowNs);
    }

    /** True if a head takes pushes now. False if its chain lags too far: ask again. */
    public boolean hasRoom()
    {
        final long position = replicated.cursor().position();
        return !isHoldingBack() &&
            !(FollowerRole.JOINER == standing && pace.isHolding() && !isPaced()) &&
            position - atMostApplied(position) <= MAX_REPLICATION_LAG;
    }

    /**
     * True if nothing may be appended because the follower takes nothing of what is queued. A joiner holds nothing back
     * in that way: its queue is filled up, and {@link CatchUpThrottle} lets it drain. Read again from the log, it would
     * find the queue full once more at the end of each reading.
     */
    private boolean isHoldingBack()
    {
        return LinkState.BLOCKED == state && FollowerRole.JOINER != standing && sender.isHalfFull();
    }

    /** True if a joiner is sent no more of what is read than the limit allows. The head is not held back then. */
    private boolean isPaced()
    {
        return bandwidth.isLimited() && FollowerRole.JOINER == standing && state.isReading();
    }

    /** True if this log grows as fast as a joiner is sent it, within the limit, so that the joiner comes no closer. */
    public boolean isOutpaced()
    {
        return isPaced() && pace.isGrowing();
    }

    /**
     * True if a joiner gets on though it may apply nothing yet: it waits for its turn within the limit, or is sent more
     * of a snapshot than before.
     */
    public boolean isJoinerServed(final long nowNs)
    {
        return FollowerRole.JOINER == standing && progress.isServed(SERVED_NS, nowNs);
    }

    /** A position here, or that of the follower in the acknowledgement set if that is lower. */
    long atMostApplied(final long own)
    {
        return isInSyncSet() ? Math.min(own, progress.applied()) : own;
    }

    long atMostRecorded(final long own)
    {
        return isInSyncSet() ? Math.min(own, progress.recorded()) : own;
    }

    long atMostSnapshotted(final long own)
    {
        return isInSyncSet() ? Math.min(own, progress.snapshotted()) : own;
    }

    /** Records that wait to be sent. */
    public int queuedBytes()
    {
        return sender.queuedBytes();
    }

    /** A worker waits for a snapshot of what was appended so far: the follower is to take one, too. */
    public void askForSnapshot()
    {
        isSnapshotOwed = LinkState.CATCH_UP == state || LinkState.CATCH_UP_OVERFLOWED == state || isLive();
    }

    /** A snapshot has been taken and verified. */
    public void onSnapshotTaken()
    {
        if (LinkState.AWAIT_SNAPSHOT == state)
        {
            state(LinkState.DETACHED, "there is a snapshot now");
        }
    }

    /** Forget the follower, and what it has reported. */
    void detach(final String reason)
    {
        attempts.startOver();
        progress.restart();
        unlink(reason);
        lacked.release();
        standing(FollowerRole.JOINER_IN_SET == standing || FollowerRole.ADMISSION_ASKED == standing ?
            FollowerRole.JOINER : standing, reason);
    }

    private boolean isLive()
    {
        return LinkState.LIVE == state || LinkState.BLOCKED == state;
    }

    private void unlink(final String reason)
    {
        pace.restart();
        sender.clear();
        state(LinkState.DETACHED, reason);
        answer = null;
        isSnapshotOwed = false;
        progress.forget();
    }

    private void state(final LinkState next, final String reason)
    {
        final LinkState before = state;
        if (next != before)
        {
            if (!before.mayBecome(next))
            {
                throw new IllegalStateException("downstream: " + before + " cannot become " + next + ": " + reason);
            }
            state = next;
            if (!next.isReading())
            {
                bandwidth.release(sender);
            }
            listener.onLink(partition, before, next, reason);
        }
    }

    private void standing(final FollowerRole next, final String reason)
    {
        final FollowerRole before = standing;
        if (next != before)
        {
            standing = next;
            listener.onLink(partition, before, next, reason);
        }
    }
}
