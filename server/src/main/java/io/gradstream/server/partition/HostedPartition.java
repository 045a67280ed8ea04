// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.SlotRole;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.log.SnapshotSink;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.snapshot.SnapshotThrottle;
import io.gradstream.server.snapshot.SnapshotThreshold;
import org.agrona.DirectBuffer;

/**
 * One partition at this node: its state machine, the replica that keeps it, and the storage of that replica. Decides
 * when snapshots are taken, and what a head may take and say.
 */
public class HostedPartition implements AutoCloseable
{
    private final Partition partition;
    private final ReplicaStorage storage;
    private final Replica replica;
    private final SnapshotThreshold snapshotThreshold;
    private final SnapshotThrottle snapshotThrottle = new SnapshotThrottle();
    private long snapshotStartPosition;
    private long snapshotIntervalNs;
    /** Since when the interval runs, 0 before the first time. */
    private long intervalSinceNs;
    private boolean isSnapshotWanted;
    private boolean mayAnswer;
    private boolean isRefusedAsSealed;
    private Consistency consistency;

    /**
     * A partition that has loaded nothing yet.
     *
     * @param partition its state, empty.
     */
    public HostedPartition(
        final Partition partition,
        final ReplicaStorage storage,
        final Replica replica,
        final SnapshotThreshold snapshotThreshold)
    {
        this.partition = partition;
        this.storage = storage;
        this.replica = replica;
        this.snapshotThreshold = snapshotThreshold;
    }

    /** The number of the partition in the cluster. */
    public int number()
    {
        return replica.partition();
    }

    /** The number of the partition among those of its job, by which workers and directories know it. */
    public int numberInJob()
    {
        return partition.partition();
    }

    /** The number of its job. */
    public int jobId()
    {
        return partition.jobId();
    }

    /**
     * Take a snapshot each time so many nanoseconds have passed, as long as it is primary.
     *
     * @param intervalNs nanoseconds, 0 for never.
     */
    public void snapshotInterval(final long intervalNs)
    {
        snapshotIntervalNs = intervalNs;
    }

    /** Time goes on: a snapshot may be wanted. */
    public void onTime(final long nowNs)
    {
        intervalSinceNs = 0 == intervalSinceNs ? nowNs : intervalSinceNs;
        if (snapshotIntervalNs > 0 && nowNs - intervalSinceNs >= snapshotIntervalNs)
        {
            intervalSinceNs = nowNs;
            if (isPrimary())
            {
                onSnapshotWanted();
            }
        }
    }

    public Partition partition()
    {
        return partition;
    }

    /** Tables and slots, as they are when looked at. */
    public PartitionContents contents()
    {
        return partition.contents();
    }

    public Replica replica()
    {
        return replica;
    }

    public boolean isPrimary()
    {
        return replica.isPrimary();
    }

    /**
     * True if this node is the partition's primary and may answer: no other node can have taken its place yet, and the
     * coordinators know that it leads.
     */
    public boolean isAnswering()
    {
        return isPrimary() && mayAnswer;
    }

    /**
     * True if a process may be told how far its slot's parts have come. A process whose slot was taken over would
     * mistake the parts of the next process for its own.
     *
     * @return false while it must not be told.
     */
    public boolean mayAcknowledge(final int slot, final long incarnation)
    {
        final Slot known = partition.slot(slot);
        return isAnswering() && (null == known || !known.isFenced(incarnation));
    }

    /**
     * Set whether it may answer workers: not while a follower could have been promoted, nor before the coordinators
     * know that it leads.
     */
    public void mayAnswer(final boolean isAllowed)
    {
        mayAnswer = isAllowed;
    }

    /** How far the coordinators let slots run apart. The primary logs it before it answers a pull under it. */
    public void onConsistency(final Consistency newConsistency)
    {
        consistency = newConsistency;
    }

    /**
     * True if a slot may read for an iteration: every other slot has finished all but the last few iterations before
     * it.
     *
     * @param slot  that reads, or {@link Partition#OBSERVER}, which waits for no slot.
     * @param clock iterations before the one that it reads for.
     */
    public boolean isFresh(final int slot, final long clock)
    {
        return Partition.OBSERVER == slot ||
            (null == consistency || consistency.equals(partition.consistency())) &&
            partition.consistency().allows(clock, partition.minClock());
    }

    /**
     * Take a part of a push. A primary whose chain lags too far takes none now.
     *
     * @param part its sender and its number.
     * @return the outcome; {@link #refusal()} says why it was refused.
     */
    public Outcome onPush(
        final PushPartHeader part,
        final Sections sections,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final Outcome closed = closed();
        if (null != closed)
        {
            return closed;
        }
        final Outcome outcome = partition.onPush(part, sections, buffer, offset, length);
        if (Outcome.REFUSED == outcome && partition.pollSnapshotNeeded())
        {
            onSnapshotWanted();
        }

        return outcome;
    }

    /**
     * Judge a part of a push by its number, as {@link #onPush} does before it looks at the content.
     *
     * @return the outcome that it has whatever its content is, or null if the content decides.
     */
    public Outcome judge(final PushPartHeader part)
    {
        final Outcome closed = closed();
        return null == closed ? partition.judge(part) : closed;
    }

    /** The outcome of whatever comes while this copy takes nothing, or null if it takes what comes. */
    private Outcome closed()
    {
        isRefusedAsSealed = replica.isSealed();
        final boolean isChainBehind = isPrimary() && !replica.downstream().hasRoom();

        return isRefusedAsSealed ? Outcome.REFUSED : isChainBehind ? Outcome.NOT_NOW : null;
    }

    /**
     * Take a slot's end of an iteration. A primary whose chain lags too far takes none now.
     *
     * @return the outcome; {@link #refusal()} says why it was refused.
     */
    public Outcome onClockDone(final PushPartHeader part)
    {
        final Outcome closed = closed();
        return null == closed ? partition.onClockDone(part) : closed;
    }

    /** Why the last part was refused; valid right after the call that returned {@link Outcome#REFUSED}. */
    public Refusal refusal()
    {
        return isRefusedAsSealed ? Refusal.NOT_PRIMARY : partition.refusal();
    }

    public int doWork(final long nowNs)
    {
        final boolean wasUnderWay = partition.snapshots().isUnderWay();
        int workCount = replica.doWork(nowNs) + doSnapshotWork(nowNs);
        if (isPrimary() && replica.downstream().hasRoom())
        {
            // another bound, and the parts held for it, come after the pushes under the previous bound
            workCount += endCycle();
            if (null != consistency)
            {
                partition.onConsistency(consistency);
            }
            workCount += partition.doClockWork(nowNs);
        }
        if (wasUnderWay && !partition.snapshots().isUnderWay())
        {
            replica.downstream().onSnapshotTaken();
        }

        return workCount;
    }

    /** Log the sum of the pushes of this duty cycle, where they are added up. */
    protected int endCycle()
    {
        return isPrimary() && replica.downstream().hasRoom() ? partition.endCycle() : 0;
    }

    /**
     * Do the work of a snapshot. A snapshot gives way to pushes, even where a worker waits for it, because that
     * worker's pushes count no more than those of others. It does not give way where a replica has no other base, or a
     * follower joins: until it is there fewer copies are kept.
     */
    private int doSnapshotWork(final long nowNs)
    {
        final long newBytes = snapshotThrottle.newBytes(nowNs, partition.cursor().position());
        if (!partition.snapshots().isUnderWay())
        {
            return 0;
        }

        return partition.snapshots().doWork(
            partition.pacesSnapshots() && !replica.isSnapshotWanted() ? newBytes : SnapshotThrottle.UNLIMITED);
    }

    /**
     * A worker attaches. A process that takes a slot over waits until every replica in sync has recorded that, so that
     * no failover gives the slot back to the process before it. A process that has sent nothing yet resumes after the
     * slot's last sequence, and is welcomed only once everything up to that sequence is recorded, and replicated where
     * there is a chain. In a slot that is backed up it resumes after the safe parts instead, since the other process
     * may never pause.
     *
     * @param oldestKept oldest sequence it keeps, 0 if it has sent nothing.
     * @return NONE, or why not.
     */
    public Refusal onHello(
        final int slot, final long incarnation, final SlotRole role, final long oldestKept, final long clock)
    {
        if (!isPrimary())
        {
            return Refusal.NOT_PRIMARY;
        }
        if (null != consistency && !consistency.equals(partition.consistency()))
        {
            // the welcome says how the slot is bound
            return Refusal.BUSY;
        }
        endCycle();
        final Refusal refusal = partition.onHello(slot, incarnation, role);
        if (Refusal.NONE == refusal && !(mayAnswer && isSafe(slot, role, oldestKept > 0)))
        {
            return Refusal.BUSY;
        }

        return Refusal.NONE == refusal ? partition.onOldestKept(slot, incarnation, oldestKept, clock) : refusal;
    }

    private boolean isSafe(final int slot, final SlotRole role, final boolean isAgain)
    {
        final Slot known = partition.slot(slot);
        if (null == known)
        {
            return true;
        }
        updateWatermarks(slot);
        if (!role.isSole() && !isAgain)
        {
            // the parts with which the epoch began are before that: so it is known, too, which of them are safe
            return known.isTakenSafely(false);
        }

        return known.isTakenSafely(isAgain) &&
            (isAgain || known.recorded >= known.last && known.replicated >= known.last &&
            partition.nextSequence(slot) == known.last + 1);
    }

    /** The process that sent the part with a slot's last sequence, 0 if no part of the slot was ever taken. */
    public long lastIncarnation(final int slot)
    {
        final Slot known = partition.slot(slot);
        return null == known ? 0 : known.lastIncarnation;
    }

    /** Newest process that has been in a slot, 0 if none has. */
    public long newestIncarnation(final int slot)
    {
        final Slot known = partition.slot(slot);
        return null == known ? 0 : Math.max(0, Math.max(known.incarnation, known.backup));
    }

    /** Last sequence of a slot that is recorded and replicated, as of its last hello. */
    public long safeSequence(final int slot)
    {
        final Slot known = partition.slot(slot);
        return null == known ? 0 : known.safe();
    }

    /**
     * A process of a slot says that it knows the outcome of every part up to one.
     *
     * @return true if it knows more than it has said before.
     */
    public boolean onOutcomesKnown(final int slot, final long incarnation, final long sequence)
    {
        final Slot known = partition.slot(slot);
        return null != known && known.onOutcomesKnown(incarnation, sequence);
    }

    /**
     * Last part of a slot of which a process need not hear, because it begins after that part. This is so for a process
     * that holds the slot alone, and of which no part was taken. 0 for other processes, and for a hello that comes
     * late.
     */
    public long lastOfOthers(final int slot, final long incarnation, final SlotRole role)
    {
        return role.isSole() && lastIncarnation(slot) != incarnation ? partition.lastSequence(slot) : 0;
    }

    /** Last part of which a process of a slot has said that it knows the outcome, 0 if none. */
    public long knownThrough(final int slot, final long incarnation)
    {
        final Slot known = partition.slot(slot);
        return null == known ? 0 : known.knownThrough(incarnation);
    }

    public void updateWatermarks(final int slot)
    {
        partition.progress().onPositions(
            slot, replica.replicatedPosition(), replica.recordedPosition(), replica.snapshottedPosition());
    }

    /**
     * Take a snapshot here and at the follower, unless two snapshots already hold everything. Reasons are a worker
     * whose spool is filling up or that wants to leave, too many remembered refusals, and the snapshot interval.
     */
    public void onSnapshotWanted()
    {
        isSnapshotWanted = true;
        replica.downstream().askForSnapshot();
    }

    /**
     * Take a snapshot each time the log has grown by enough, and when a worker or replica waits for one. Once a
     * snapshot is verified, the log before the previous snapshot may be deleted. So a snapshot waits until every
     * replica in sync has reached the previous one.
     *
     * @return true if one was started.
     */
    public boolean startSnapshotIfDue()
    {
        final Replica.State state = replica.state();
        final boolean isAtEnd = Replica.State.PRIMARY == state || Replica.State.FOLLOW_LOG == state;
        if (!isAtEnd || !partition.isComplete() || partition.snapshots().isUnderWay() ||
            replica.replicatedPosition() < partition.snapshotPosition())
        {
            return false;
        }
        if (replica.upstream().pollSnapshotAsked())
        {
            onSnapshotWanted();
        }
        final long position = partition.cursor().position();
        final long grown = position - Math.max(snapshotStartPosition, partition.snapshotPosition());
        // a part that a worker waits for must be in the oldest snapshot that is kept: that may take a second snapshot
        isSnapshotWanted &= partition.snapshottedPosition() < position;
        final boolean isWanted = isSnapshotWanted || replica.isSnapshotWanted();
        final boolean isDue = isWanted ||
            grown >= snapshotThreshold.leastBytes() && grown >= snapshotThreshold.logBytes(partition.stateBytes());
        final SnapshotSink sink = isDue ? storage.openSnapshotSink(position) : null;
        if (null == sink)
        {
            return false;
        }
        partition.snapshots().start(sink);
        snapshotStartPosition = position;
        isSnapshotWanted = false;

        return true;
    }

    @Override
    public void close()
    {
        replica.close();
        storage.close();
        partition.close();
    }
}
