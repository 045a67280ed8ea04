// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.codecs.Chain;
import io.gradstream.recovery.log.Log;
import io.gradstream.recovery.log.LogAppender;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.log.ReplicatedState;

/**
 * One replica of a partition on its way from an empty directory to its role: load a snapshot, replay the log after it,
 * follow a predecessor, start an epoch. The same states serve a first start, a restart, a repair, a new replica and a
 * failover.
 * <p>
 * Invariant: snapshotPosition ≤ applied ≤ appended; recorded ≤ appended; none of them goes back except in
 * {@link State#LOAD_SNAPSHOT}.
 */
public final class Replica implements AutoCloseable
{
    /** A recovery state. */
    public enum State
    {
        /** Reading the newest sound snapshot into an empty state. */
        LOAD_SNAPSHOT,
        /** Applying what was recorded after the snapshot. */
        REPLAY_LOG,
        /** Opening the log at its end. */
        OPEN_LOG,
        /** Telling the coordinator how far its log goes, and waiting for a role. */
        AWAIT_ROLE,
        /** Appending what its predecessor forwards, or asking it to. */
        FOLLOW_LOG,
        /**
         * Asking the coordinator to take its place: a joiner whose log differs, or that cannot go on from its log. It
         * keeps the log until then, because its admission may already be under way, or decided and not heard here.
         */
        LEAVE_CHAIN,
        /** Deleting the end of its log: it is no part of what the chain has agreed upon. */
        TRUNCATE_LOG,
        /** Deleting everything, to begin again from its predecessor's snapshot. */
        WIPE,
        /** Receiving its predecessor's snapshot. */
        FETCH_SNAPSHOT,
        /**
         * Starting a new epoch. Nobody hears of the epoch before its start is recorded: else a crash could hand out
         * the same epoch twice.
         */
        START_EPOCH,
        /** Taking pushes. */
        PRIMARY,
        /** Something that must not happen has happened; {@link Replica#haltReason()} says what. */
        HALTED
    }

    private static final long NONE = -1;

    private final ReplicaStorage storage;
    private final ReplicatedState replicated;
    private final int partition;
    private final Upstream upstream;
    private final Downstream downstream;
    private final LocalRecovery recovery;
    private final ChainPosition place;

    private RecoveryStateListener recoveryStateListener = RecoveryStateListener.NONE;
    private State state = State.LOAD_SNAPSHOT;
    private String haltReason;
    private long damagedAt = NONE;
    /** Null while it is not open, as is what appends to it. */
    private Log log;
    private LogAppender appender;
    private boolean hasHadRole;
    private boolean isHandOverAllowed = true;
    /** The position up to which it had applied when it heard of this version of the chain. */
    private long heldPosition;
    /** True if the log begins after a snapshot that was fetched and is not kept here. */
    private boolean isWithoutBase;
    /** Where the record ends that starts the epoch; NONE before it is appended. */
    private long epochStartPosition = NONE;
    private long cutPosition;

    /**
     * Before anything is loaded.
     *
     * @param incarnation of this process; numbers its attachments.
     */
    public Replica(
        final int nodeId,
        final long incarnation,
        final int partition,
        final ReplicaStorage storage,
        final ReplicatedState replicated,
        final ChainPort port)
    {
        this.partition = partition;
        this.storage = storage;
        this.replicated = replicated;
        recovery = new LocalRecovery(storage, replicated);
        downstream = new Downstream(nodeId, partition, port, storage, replicated);
        place = new ChainPosition(nodeId, downstream);
        upstream = new Upstream(port, replicated, place, partition, incarnation);
    }

    /**
     * The coordinator has decided; a decision older than the last is ignored. The replica acts on it in its next
     * duty cycle; what it is asked until then ({@link #isPrimary()}, {@link Upstream#attachment()}) and what it appends
     * is judged by the decision at once.
     *
     * @param newChain of a map that is newer than those that came before.
     */
    public void onChain(final Chain newChain)
    {
        if (newChain.version() > place.chain().version())
        {
            heldPosition = replicated.cursor().position();
        }
        if (newChain.version() >= place.chain().version())
        {
            place.chain(newChain);
        }
    }

    /**
     * One duty cycle: do what the wanted role asks for in this state, or else what the state itself is for.
     *
     * @return how much was done.
     */
    public int doWork(final long nowNs)
    {
        return switch (RecoveryStateMachine.step(state, place.role(), isNews(), null == damage()))
        {
            case STAY -> workInState(nowNs);
            // the node's next report tells the coordinator of the state
            case REPORT, ASK_TO_LEAVE -> 0;
            case FOLLOW -> follow();
            case START_EPOCH -> startEpoch();
            case REPAIR -> repair();
            case WIPE -> state(State.WIPE, "it has no place in the chain any more");
            case AWAIT_ROLE -> awaitRole();
            case RECOVER_AGAIN -> recoverAgain();
            case HALT -> halt(upstream.problem());
        };
    }

    /** True if the newest decision differs from what this replica acts on. */
    private boolean isNews()
    {
        return switch (state)
        {
            case START_EPOCH, PRIMARY -> place.chain().epoch() != appender.epoch();
            case FOLLOW_LOG, FETCH_SNAPSHOT -> place.predecessor() != upstream.predecessor();
            case LEAVE_CHAIN -> place.mayBeRequired();
            default -> place.chain().epoch() > replicated.cursor().epoch();
        };
    }

    private int workInState(final long nowNs)
    {
        return switch (state)
        {
            case LOAD_SNAPSHOT -> loadSnapshot();
            case REPLAY_LOG -> replayLog();
            case OPEN_LOG -> openLog();
            case FOLLOW_LOG -> followLog(nowNs);
            case TRUNCATE_LOG -> truncateLog();
            case WIPE -> wipe();
            case FETCH_SNAPSHOT -> fetchSnapshot(nowNs);
            case START_EPOCH -> awaitEpochStart();
            case PRIMARY -> primary(nowNs);
            case AWAIT_ROLE, LEAVE_CHAIN, HALTED -> 0;
        };
    }

    private int loadSnapshot()
    {
        final int workCount = recovery.loadSnapshot();
        return recovery.isSnapshotDone() ?
            state(State.REPLAY_LOG, "the snapshot is loaded, or there is none") : workCount;
    }

    private int replayLog()
    {
        final int workCount = recovery.replayLog();
        return !recovery.isDone() ? workCount : null == damage() ?
            state(State.OPEN_LOG, "all that was recorded is applied") : state(State.AWAIT_ROLE, damage());
    }

    private int openLog()
    {
        log = storage.openLog(replicated.cursor().position());
        if (null == log)
        {
            return 0;
        }
        appender = new LogAppender(log, replicated, downstream, place::isHeadOf);

        return state(State.AWAIT_ROLE, "its log is open");
    }

    private int repair()
    {
        hasHadRole = true;
        return truncateOrWipe(replicated.cursor().position(), damage());
    }

    private int follow()
    {
        hasHadRole = true;
        endEpoch();
        upstream.follow(place.predecessor(), appender);
        return state(State.FOLLOW_LOG, "node " + place.predecessor() + " is before it");
    }

    private int followLog(final long nowNs)
    {
        final int workCount = upstream.doWork(nowNs) + downstream.doWork(nowNs);
        return workCount + switch (upstream.state())
        {
            case MUST_TRUNCATE -> truncateOrWipe(upstream.answerPosition(), "its log is not the chain's");
            case MUST_WIPE -> beginAnew(State.WIPE, upstream.problem());
            // a joiner's log counts for nothing yet, and would be as different after each start
            case MUST_LEAVE, DIVERGED -> beginAnew(State.LEAVE_CHAIN, upstream.problem());
            default -> checkLog();
        };
    }

    /**
     * Decide where a log is cut, and whether any of it is kept. A sound log is cut where it parts from the
     * predecessor's, which has said where. A damaged log is cut after its last sound record, because its replica may
     * only follow and is sent again what it has lost. A damaged log is wiped if nothing in it is sound, or if it is
     * damaged at the same place again.
     */
    private int truncateOrWipe(final long position, final String reason)
    {
        cutPosition = position;
        if (null == damage())
        {
            return beginAnew(State.TRUNCATE_LOG, reason);
        }
        final boolean isNothingSound = 0 == position || damagedAt == position;
        damagedAt = position;

        return state(isNothingSound ? State.WIPE : State.TRUNCATE_LOG, reason);
    }

    /**
     * A member in sync answers for what it has acknowledged: it may only forget as the joiner it becomes by a restart.
     */
    private int beginAnew(final State next, final String reason)
    {
        if (place.isMember())
        {
            return halt("a member in sync cannot go on from position=" + replicated.cursor().position() + " to " +
                next + " at " + upstream.answerPosition() + ": " + reason);
        }
        detach(reason);

        return state(next, reason);
    }

    private int truncateLog()
    {
        return storage.truncate(cutPosition) ? recover("the end of its log is cut off") : 0;
    }

    private int wipe()
    {
        if (!storage.wipe())
        {
            return 0;
        }
        damagedAt = NONE;
        if (!place.role().isFollower())
        {
            return recover("everything is deleted");
        }
        recovery.restart();
        upstream.fetchSnapshot(place.predecessor());

        return state(State.FETCH_SNAPSHOT, "everything is deleted");
    }

    private int fetchSnapshot(final long nowNs)
    {
        final int workCount = upstream.doWork(nowNs);
        if (!upstream.isLoaded())
        {
            return workCount;
        }
        upstream.stop("the snapshot is loaded");
        isWithoutBase = true;

        return state(State.OPEN_LOG, "the snapshot of its predecessor is loaded");
    }

    private void endEpoch()
    {
        if (State.PRIMARY == state)
        {
            replicated.endEpoch();
        }
    }

    private int startEpoch()
    {
        hasHadRole = true;
        endEpoch();
        upstream.stop("this node is the head");
        epochStartPosition = NONE;
        appender.startEpoch(place.chain().epoch());

        return state(State.START_EPOCH, "it is the head of epoch " + place.chain().epoch());
    }

    private int awaitEpochStart()
    {
        if (epochStartPosition < 0 && replicated.tryStartEpoch(appender))
        {
            epochStartPosition = replicated.cursor().position();
        }

        return epochStartPosition >= 0 && log.recordedPosition() >= epochStartPosition ?
            state(State.PRIMARY, "the start of its epoch is recorded") : checkLog();
    }

    private int primary(final long nowNs)
    {
        return checkLog() + downstream.doWork(nowNs);
    }

    private int checkLog()
    {
        return log.isAlive() ? 0 :
            halt("the log or its recording has died at recordedPosition=" + log.recordedPosition());
    }

    private int awaitRole()
    {
        if (log.position() != replicated.cursor().position())
        {
            // padded for a record that did not come: the next one may fit where that did not
            return recoverAgain();
        }
        final String reason = membersNow();
        upstream.stop(reason);
        downstream.detach(reason);

        return state(State.AWAIT_ROLE, reason);
    }

    /** It has lost the lead, or its log holds what nobody else has: back to LOAD_SNAPSHOT. */
    private int recoverAgain()
    {
        final String reason = membersNow();
        detach(reason);

        return recover(reason);
    }

    private String membersNow()
    {
        return "the chain is " + place.chain().members();
    }

    private int recover(final String reason)
    {
        isWithoutBase = false;
        recovery.restart();

        return state(State.LOAD_SNAPSHOT, reason);
    }

    private void detach(final String reason)
    {
        upstream.stop(reason);
        downstream.detach(reason);
        storage.closeLog();
        log = null;
        appender = null;
    }

    private int state(final State newState, final String reason)
    {
        final State before = state;
        state = newState;
        downstream.isOpen(State.FOLLOW_LOG == newState || State.PRIMARY == newState);
        if (before != newState)
        {
            recoveryStateListener.onState(partition, before, newState, reason);
        }

        return 1;
    }

    /** Have somebody told of each step. */
    public void recoveryStateListener(final RecoveryStateListener listener)
    {
        recoveryStateListener = listener;
        upstream.listener(listener);
        downstream.listener(listener);
    }

    /** Its recovery state. */
    public State state()
    {
        return state;
    }

    /** True if it takes pushes, and the coordinator wants it to. */
    public boolean isPrimary()
    {
        return State.PRIMARY == state && place.isHeadOf(appender.epoch());
    }

    /**
     * Stop taking pushes and answering, so that the follower, which the coordinator wants to lead, can take over
     * without waiting for this head's lease to be over. Only another chain ends it. The follower is told once it has
     * everything. A head whose log was padded for a record that has not come goes on: the logs of the others end before
     * the padding.
     *
     * @return true if it has stopped.
     */
    public boolean seal()
    {
        final boolean isSealed = isHandOverAllowed && log.position() == replicated.cursor().position();
        if (isSealed)
        {
            place.seal();
            downstream.seal(place.chain().version());
        }

        return isSealed;
    }

    /** Set whether it may stop to hand the lead over: not while it alone holds what would be lost with that. */
    public void mayHandOver(final boolean isAllowed)
    {
        isHandOverAllowed = isAllowed;
    }

    /** True if it has stopped, as the head, to hand the lead over. */
    public boolean isSealed()
    {
        return place.isSealed();
    }

    /** The joiner after it that no longer lacks anything, to be admitted under the chain's version, or NONE. */
    public int admittedJoiner()
    {
        return downstream.mayBeAdmitted() ? place.chain().joiner() : Chain.NONE;
    }

    /** Epoch of the last record in its log, 0 if there is none, {@link Chain#DAMAGED} if the log is damaged. */
    public long logEpoch()
    {
        return null == damage() ? replicated.cursor().epoch() : Chain.DAMAGED;
    }

    /** The reason why it halted, or null while it has not. */
    public String haltReason()
    {
        return haltReason;
    }

    /** The reason why its own log cannot be used, or null if it can. */
    public String damage()
    {
        return recovery.damage();
    }

    /**
     * The reason why the partition is not opened with this copy, if that is for what the copy holds: it is damaged, or
     * the coordinators say that it may lack what was acknowledged.
     *
     * @return what is wrong and what to do, or null.
     */
    public String shortfall()
    {
        return null != damage() || State.AWAIT_ROLE != state || !place.isStale() ? damage() :
            "its log ends in epoch " + logEpoch() + " at position " + replicated.cursor().position() +
            ", and may lack what was acknowledged: bring back what was in this server's directory" +
            (isLossAccepted() ?
            "; --allow-data-loss opens the newest copy once every server that keeps one has started" :
            ", or start it with --allow-data-loss to go on with the newest copy that is left");
    }

    /**
     * True once this primary may acknowledge without the removed members: its Archive has recorded everything that the
     * primary held when the chain changed, and that part of the log is readable. Until then a removed member may be the
     * only one that has recorded what was acknowledged.
     */
    public boolean mayConfirm()
    {
        return isPrimary() && log.recordedPosition() >= heldPosition && !downstream.lacksSnapshot();
    }

    /** True if the user takes what the copies hold for all there is. Said at a start, about what was lost before it. */
    public boolean isLossAccepted()
    {
        return !hasHadRole && storage.isLossAccepted();
    }

    /** True if nobody else has a copy that the partition could be opened or go on with: only one is wanted. */
    public boolean isOnlyCopy()
    {
        return place.isOnlyCopy();
    }

    /** Its own log, or null while it is not open. */
    public Log log()
    {
        return log;
    }

    /** The newest chain it was told of. */
    public Chain chain()
    {
        return place.chain();
    }

    /** The partition it keeps. */
    public int partition()
    {
        return partition;
    }

    /** Its link to its predecessor, which takes what the predecessor says. */
    public Upstream upstream()
    {
        return upstream;
    }

    /** Its link to its follower, which takes what the follower says. */
    public Downstream downstream()
    {
        return downstream;
    }

    /**
     * Up to where it, and every replica in the acknowledgement set after it, has applied. A head whose chain is short
     * takes what its own Archive has recorded instead, so that the death of the only copy's process loses nothing. To
     * be asked only while its log is open, as is {@link #recordedPosition()}.
     *
     * @return position.
     */
    public long replicatedPosition()
    {
        return downstream.atMostApplied(
            isReplicatedByRecording() ? log.recordedPosition() : replicated.cursor().position());
    }

    /** True if it is a head whose chain is short: it counts as replicated what its own Archive has recorded. */
    public boolean isReplicatedByRecording()
    {
        return isPrimary() && place.chain().isDegraded();
    }

    /**
     * Up to where its own Archive, and that of every replica in the acknowledgement set after it, has recorded. A log
     * that cannot be replayed yet, because the snapshot after which it begins is not kept here, counts for nothing.
     *
     * @return position.
     */
    public long recordedPosition()
    {
        return downstream.atMostRecorded(isWithoutBase() ? 0 : log.recordedPosition());
    }

    /**
     * Position that the older of two kept snapshots stands for, 0 while there are not two: the least of this replica's
     * and of those of every replica in the acknowledgement set after it.
     */
    public long snapshottedPosition()
    {
        return downstream.atMostSnapshotted(replicated.snapshottedPosition());
    }

    /**
     * True if a snapshot is needed now: the log has no base snapshot, the follower waits for one, or part of the log is
     * unreadable.
     */
    public boolean isSnapshotWanted()
    {
        return isWithoutBase() || LinkState.AWAIT_SNAPSHOT == downstream.state() || downstream.lacksSnapshot();
    }

    private boolean isWithoutBase()
    {
        isWithoutBase &= 0 == storage.snapshotCount();
        return isWithoutBase;
    }

    private int halt(final String reason)
    {
        haltReason = reason;
        upstream.stop(reason);

        return state(State.HALTED, reason);
    }

    @Override
    public void close()
    {
        recovery.close();
        downstream.detach("the replica is closed");
    }
}
