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

import io.gradstream.codecs.Chain;
import io.gradstream.recovery.log.AppendListener;
import io.gradstream.recovery.log.Log;
import io.gradstream.recovery.log.LogAppender;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.log.ReplicatedState;
import org.agrona.DirectBuffer;

/**
 * One replica of a partition on its way up the ladder: load a snapshot, replay the log behind it, follow a predecessor,
 * take office. The same rungs serve a first start, a restart, a repair, a new replica and a failover.
 * <p>
 * Invariant: snapshotPosition ≤ applied ≤ appended; recorded ≤ appended; none of them goes back except at the foot of
 * the ladder.
 */
public final class Replica implements AutoCloseable
{
    /**
     * A rung of the ladder.
     */
    public enum State
    {
        /** Reading the newest sound snapshot into an empty state. */
        LOAD_SNAPSHOT,
        /** Applying what was recorded behind the snapshot. */
        REPLAY_LOG,
        /** Opening the log at its end. */
        OPEN_LOG,
        /** At the end of its own log, and without a place in the chain; the coordinator is told and decides. */
        AWAIT_ROLE,
        /** Appending what its predecessor forwards, or asking it to. */
        FOLLOW_LOG,
        /**
         * A joiner whose log differs, before it deletes it: an admission by what it has may be under way, so the
         * coordinator takes its place first, which no late admission can give back.
         */
        LEAVE_CHAIN,
        /** Deleting the end of its log: it is no part of what the chain has agreed upon. */
        TRUNCATE_LOG,
        /** Deleting everything, to begin anew from its predecessor's snapshot. */
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

    /** A replica without a role tells the coordinator again after so long. */
    public static final long CLIMBED_RETRY_NS = 500_000_000;

    private static final long NONE = -1;

    private final ReplicaStorage storage;
    private final ReplicatedState replicated;
    private final ReplicaReports reports;
    private final int partition;
    private final Upstream follower;
    private final ChainPort port;
    private final LocalRecovery recovery;
    private final ChainMembership place;
    private final ReplicaMessages messages;
    private final ReplicaProgress progress;
    private final RoleRequest request;
    private final AppendListener appendListener = this::onAppended;

    private RungListener rungListener = RungListener.NONE;
    private State state = State.LOAD_SNAPSHOT;
    private String haltReason;
    private long damagedAt = NONE;
    private Log log;
    private LogAppender appender;
    /** Where the record ends that starts the epoch; NONE before it is appended. */
    private long epochStartPosition = NONE;
    private long cutPosition;

    /**
     * At the foot of the ladder.
     *
     * @param nodeId      of this node.
     * @param incarnation of this process; numbers its attachments.
     * @param partition   its number.
     * @param storage     its log and snapshots.
     * @param replicated  its state, empty.
     * @param port        to its neighbours.
     * @param reports     to the coordinator.
     */
    public Replica(
        final int nodeId,
        final long incarnation,
        final int partition,
        final ReplicaStorage storage,
        final ReplicatedState replicated,
        final ChainPort port,
        final ReplicaReports reports)
    {
        this.partition = partition;
        this.storage = storage;
        this.replicated = replicated;
        this.port = port;
        this.reports = reports;
        request = new RoleRequest(reports, partition);
        recovery = new LocalRecovery(storage, replicated);
        place = new ChainMembership(nodeId, replicated);
        follower = new Upstream(port, replicated, appendListener, partition, incarnation);
        messages = new ReplicaMessages(this, place, follower);
        progress = new ReplicaProgress(this, storage, replicated, place, follower);
    }

    /**
     * One duty cycle.
     *
     * @param nowNs now.
     * @return how much was done.
     */
    public int doWork(final long nowNs)
    {
        return switch (state)
        {
            case LOAD_SNAPSHOT -> loadSnapshot();
            case REPLAY_LOG -> replayLog();
            case OPEN_LOG -> openLog();
            case AWAIT_ROLE -> awaitRole(nowNs);
            case FOLLOW_LOG -> followLog(nowNs);
            case LEAVE_CHAIN -> leaveChain(nowNs);
            case TRUNCATE_LOG -> truncateLog();
            case WIPE -> wipe();
            case FETCH_SNAPSHOT -> fetchSnapshot(nowNs);
            case START_EPOCH -> startEpoch();
            case PRIMARY -> primary(nowNs);
            case HALTED -> 0;
        };
    }

    /**
     * The coordinator has decided; a decision not newer than the last is ignored.
     *
     * @param newChain of this partition.
     */
    public void onChain(final Chain newChain)
    {
        if (newChain.version() <= place.chain().version())
        {
            return;
        }
        place.chain(newChain);
        if (State.AWAIT_ROLE != state && State.LEAVE_CHAIN != state)
        {
            // these two act in their own duty cycle, because they may have to ask again
            take(Ladder.step(state, place.role(), isNews(), null == damage()));
        }
    }

    /** Does the newest decision differ from what this replica acts on? */
    private boolean isNews()
    {
        return switch (state)
        {
            case START_EPOCH, PRIMARY -> place.chain().epoch() != appender.epoch();
            case FOLLOW_LOG, FETCH_SNAPSHOT -> place.predecessor() != follower.predecessor();
            default -> place.chain().epoch() > replicated.cursor().epoch();
        };
    }

    private void take(final Ladder.Step step)
    {
        switch (step)
        {
            case FOLLOW -> follow();
            case START_EPOCH -> promote();
            case REPAIR -> repair();
            case WIPE -> state(State.WIPE, "it has no place in the chain any more");
            case RECOVER_AGAIN -> recoverAgain("the chain is " + place.chain().members());
            case HALT -> halt(follower.problem());
            case STAY, REPORT, ASK_TO_LEAVE ->
            {
                // nothing changes
            }
        }
    }

    private void follow()
    {
        follower.attachTo(place.predecessor());
        if (State.FOLLOW_LOG != state)
        {
            state(State.FOLLOW_LOG, "node " + place.predecessor() + " is before it");
        }
    }

    Downstream successor()
    {
        return null != place.successor() ? place.successor() :
            place.successor(new Downstream(port, storage, replicated, log.maxRecordLength()));
    }

    private int loadSnapshot()
    {
        final int workCount = recovery.loadSnapshot();
        if (recovery.isSnapshotDone())
        {
            state(State.REPLAY_LOG, "the snapshot is loaded, or there is none");
        }

        return workCount;
    }

    private int replayLog()
    {
        final int workCount = recovery.replayLog();
        if (recovery.isDone())
        {
            state(null == damage() ? State.OPEN_LOG : State.AWAIT_ROLE,
                null == damage() ? "all that was recorded is applied" : damage());
        }

        return workCount;
    }

    private int openLog()
    {
        log = storage.openLog(replicated.cursor().position());
        if (null == log)
        {
            return 0;
        }
        state(State.AWAIT_ROLE, "its log is open");

        return 1;
    }

    private int awaitRole(final long nowNs)
    {
        final boolean isSound = null == damage();
        final Ladder.Step step = Ladder.step(state, place.role(), isNews(), isSound);
        if (Ladder.Step.REPORT != step)
        {
            take(step);
            return 1;
        }
        final long epoch = isSound ? replicated.cursor().epoch() : ReplicaReports.DAMAGED;

        return request.climbed(epoch, replicated.cursor().position(), nowNs);
    }

    /**
     * A damaged replica may only follow, and what it has lost it is sent again: a log cut off at its last sound record
     * can go on from there; if it is damaged still, or nothing of it is sound, nothing can be kept.
     */
    private void repair()
    {
        final long position = replicated.cursor().position();
        cutPosition = position;
        state(0 == position || damagedAt == position ? State.WIPE : State.TRUNCATE_LOG, damage());
        damagedAt = position;
    }

    private int followLog(final long nowNs)
    {
        final int workCount = follower.askForRecords(nowNs) + forwardOn(nowNs) +
            place.admitJoiner(partition, reports, nowNs);
        switch (follower.state())
        {
            case MUST_TRUNCATE ->
            {
                cutPosition = follower.answerPosition();
                beginAnew(State.TRUNCATE_LOG);
            }
            case MUST_WIPE -> beginAnew(State.WIPE);
            case DIVERGED -> onDiverged();
            default -> checkLog();
        }

        return workCount;
    }

    /**
     * A joiner's log counts for nothing yet, and would be as different after each start: it is repaired.
     */
    private void onDiverged()
    {
        if (place.isMember())
        {
            halt(follower.problem());
        }
        else
        {
            detach();
            request.restart();
            state(State.LEAVE_CHAIN, follower.problem());
        }
    }

    private int leaveChain(final long nowNs)
    {
        final Ladder.Step step = Ladder.step(state, place.role(), isNews(), true);
        if (Ladder.Step.ASK_TO_LEAVE != step)
        {
            take(step);
            return 1;
        }

        return request.leave(place.chain().version(), nowNs);
    }

    /**
     * A member in sync answers for what it has acknowledged: it may only forget as the joiner it becomes by a restart.
     */
    private void beginAnew(final State next)
    {
        if (place.isMember())
        {
            halt("a member in sync cannot go on from position=" + replicated.cursor().position() + ": " + next +
                " at " + follower.answerPosition());
            return;
        }
        detach();
        state(next, "its predecessor goes on from " + follower.answerPosition());
    }

    private int truncateLog()
    {
        if (!storage.truncate(cutPosition))
        {
            return 0;
        }
        recover("the end of its log is cut off");

        return 1;
    }

    private int wipe()
    {
        if (!storage.wipe())
        {
            return 0;
        }
        recovery.restart();
        damagedAt = NONE;
        if (place.isFollower())
        {
            follower.attachTo(place.predecessor());
            state(State.FETCH_SNAPSHOT, "everything is deleted");
        }
        else
        {
            recover("everything is deleted");
        }

        return 1;
    }

    private int fetchSnapshot(final long nowNs)
    {
        final int workCount = follower.askForSnapshot(nowNs);
        if (Upstream.State.LOADING == follower.state() && replicated.isLoaded())
        {
            follower.stop();
            progress.isWithoutBase(true);
            state(State.OPEN_LOG, "the snapshot of its predecessor is loaded");
        }

        return workCount;
    }

    private void promote()
    {
        follower.stop();
        epochStartPosition = NONE;
        appender = new LogAppender(log, replicated.cursor(), place.chain().epoch(), appendListener);
        state(State.START_EPOCH, "it is the head of epoch " + place.chain().epoch());
    }

    private int startEpoch()
    {
        if (epochStartPosition < 0)
        {
            if (!replicated.tryStartEpoch(appender))
            {
                return checkLog();
            }
            epochStartPosition = replicated.cursor().position();
        }
        if (log.recordedPosition() < epochStartPosition)
        {
            return checkLog();
        }
        state(State.PRIMARY, "the start of its epoch is recorded");
        return 1;
    }

    private int primary(final long nowNs)
    {
        return checkLog() + forwardOn(nowNs) + place.confirm(partition, reports) +
            place.admitJoiner(partition, reports, nowNs);
    }

    private int forwardOn(final long nowNs)
    {
        return null == place.successor() ? 0 : place.successor().doWork(nowNs);
    }

    private int checkLog()
    {
        if (!log.isAlive())
        {
            halt("the log or its recording has died at recordedPosition=" + log.recordedPosition());
            return 1;
        }

        return 0;
    }

    private void onAppended(
        final long previousPosition,
        final long endPosition, final DirectBuffer buffer, final int offset, final int length)
    {
        if (null != place.successor())
        {
            place.successor().onAppended(previousPosition, endPosition, buffer, offset, length);
        }
    }

    /**
     * It has lost its place, or its log holds what nobody else has: down to the foot of the ladder.
     */
    private void recoverAgain(final String reason)
    {
        detach();
        recover(reason);
    }

    private void recover(final String reason)
    {
        appender = null;
        progress.isWithoutBase(false);
        request.restart();
        recovery.restart();
        state(State.LOAD_SNAPSHOT, reason);
    }

    private void detach()
    {
        follower.stop();
        place.detach();
        storage.closeLog();
        log = null;
    }

    private void state(final State newState, final String reason)
    {
        final State before = state;
        state = newState;
        rungListener.onRung(partition, before, newState, reason);
    }

    /**
     * Have somebody told of each step.
     *
     * @param listener told from now on.
     */
    public void rungListener(final RungListener listener)
    {
        rungListener = listener;
    }

    /**
     * Where it stands.
     *
     * @return the rung.
     */
    public State state()
    {
        return state;
    }

    /**
     * Does it take pushes?
     *
     * @return true if so.
     */
    public boolean isPrimary()
    {
        return State.PRIMARY == state;
    }

    /**
     * Why it halted.
     *
     * @return one line, or null while it has not.
     */
    public String haltReason()
    {
        return haltReason;
    }

    /**
     * Why its own log cannot be used.
     *
     * @return one line, or null if it can.
     */
    public String damage()
    {
        return recovery.damage();
    }

    /**
     * Its own log.
     *
     * @return the log, or null while it is not open.
     */
    public Log log()
    {
        return log;
    }

    /**
     * The chain it acts under.
     *
     * @return the newest it was told of.
     */
    public Chain chain()
    {
        return place.chain();
    }

    /**
     * Where its neighbours speak to it.
     *
     * @return messages.
     */
    public ReplicaMessages messages()
    {
        return messages;
    }

    /**
     * How far it, and everybody counted behind it, has come.
     *
     * @return progress.
     */
    public ReplicaProgress progress()
    {
        return progress;
    }

    /**
     * The partition it keeps.
     *
     * @return number.
     */
    public int partition()
    {
        return partition;
    }

    /**
     * Stop for good: an invariant broke, or a standby must take over.
     *
     * @param reason one line.
     */
    public void halt(final String reason)
    {
        haltReason = reason;
        state(State.HALTED, reason);
    }

    @Override
    public void close()
    {
        recovery.close();
        if (null != place.successor())
        {
            place.successor().detach();
        }
    }
}
