// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.SlotRole;
import org.agrona.collections.Long2LongHashMap;

/**
 * The state of one slot at a partition: its last sequence, its clock, the outcome of refused parts, and how far its
 * parts have come.
 * <p>
 * Invariant: snapshotted, replicated, recorded ≤ last; last - replicated and last - recorded ≤ {@link #MAX_UNRECORDED}
 * at a primary.
 */
final class Slot
{
    /** Most parts of a slot that may be applied but not yet safe; beyond it the partition takes no more. */
    static final int MAX_UNRECORDED = 4096;
    /**
     * Refusals that its worker may not know yet. From this number on, parts that would be refused must come again. A
     * clock or cycle that is added up later may bring {@link BufferedUpdates#MAX_ENTRIES} more.
     */
    static final int MAX_REFUSALS = 32 * 1024;
    /** Refusals that a slot may have in any case if its worker knows all others: slots that are gone leave theirs. */
    static final int LEAST_REFUSALS = 256;
    /** Refusals for which the room is kept once there are none. */
    static final int MAX_KEPT_REFUSALS = 1024;
    /** Snapshots whose last sequence is remembered, for a chain in which they are taken at different positions. */
    static final int MAX_SNAPSHOTS = 8;

    final int id;
    /** Replicated state: the process that holds the slot, and the process whose part was taken last. */
    long incarnation = PartitionState.NOBODY;
    /** The process that pushes the same as the holder, and the parts that each clock then has; 0 where none may. */
    long backup = PartitionState.NOBODY;
    int partsPerClock;
    long lastIncarnation;
    long last;
    long acknowledgedThrough;
    long clock;
    /** As {@link #clock}, but without FINISHED: iterations that it has ended one by one. */
    long ended;
    /** True if it has pushed since it finished. */
    boolean hasGoneOn;
    /** Sequences that stand for parts that are lost. */
    long jumped;
    final Long2LongHashMap refusals = new Long2LongHashMap(0);

    /** Of this process alone. */
    long replicated;
    long recorded;
    long snapshotted;
    long snapshottedByPending;
    /** Last outcomes that holder and backup have said they know, and the incarnations of these two processes. */
    private final long[] knownThrough = new long[2];
    private final long[] knowers = {PartitionState.NOBODY, PartitionState.NOBODY};
    /**
     * End of the parts applied before this process started its epoch, of which nothing else is known: last sequence,
     * position.
     */
    private long epochStartLast;
    private long epochStartPosition;
    /** Where the log names the process that holds the slot, and up to where the log is replicated and recorded. */
    private long takenPosition;
    private long safePosition;
    private final long[] endPositions = new long[MAX_UNRECORDED];
    private final long[] snapshotPositions = new long[MAX_SNAPSHOTS];
    private final long[] snapshotSequences = new long[MAX_SNAPSHOTS];
    private int snapshots;

    Slot(final int id)
    {
        this.id = id;
    }

    /** True if so many parts that are not applied yet may be followed by one more. */
    boolean hasRoomBehind(final int parts)
    {
        return last + parts - Math.max(epochStartLast, Math.min(replicated, recorded)) < MAX_UNRECORDED;
    }

    /**
     * A process of the slot says that it knows the outcome of every part up to a sequence; it does not unlearn any.
     *
     * @return true if it knows more than it has said before.
     */
    boolean onOutcomesKnown(final long process, final long sequence)
    {
        final int seat = process == backup ? 1 : 0;
        final boolean isMore = !isFenced(process) && sequence > knownThrough(process);
        if (isMore)
        {
            knowers[seat] = process;
            knownThrough[seat] = sequence;
        }

        return isMore;
    }

    /** Last part of which a process has said that it knows the outcome, 0 if none. */
    long knownThrough(final long process)
    {
        final int seat = process == backup ? 1 : 0;
        return process == knowers[seat] ? knownThrough[seat] : 0;
    }

    /** Refusals that are remembered when the worker knows all outcomes up to a sequence. */
    int refusalsBehind(final long sequence)
    {
        int count = 0;
        final Long2LongHashMap.KeyIterator keys = refusals.keySet().iterator();
        while (keys.hasNext())
        {
            count += keys.nextValue() > sequence ? 1 : 0;
        }

        return count;
    }

    boolean isBackedUp()
    {
        return partsPerClock > 0;
    }

    /** True if a process is in the slot in a role, as the log says. */
    boolean isIn(final long process, final SlotRole role)
    {
        return process == (role.isBackup() ? backup : incarnation) && partsPerClock == role.partsPerClock();
    }

    /** True if a newer process took a process's place: no part of it is taken. */
    boolean isFenced(final long process)
    {
        return isBackedUp() ? process != incarnation && process != backup : process < incarnation;
    }

    /**
     * Check whether a process may come into the slot in a role, if it is not in it in that role. A slot that a process
     * has held alone takes no process that shares it. So all partitions that know a process which is alone decide the
     * same, whatever it has pushed to each.
     *
     * @return NONE, or the reason for refusing it.
     */
    Refusal checkRole(final long process, final SlotRole role)
    {
        final boolean isAlone = PartitionState.NOBODY != incarnation && !isBackedUp();

        return isAlone && !role.isSole() ? Refusal.ROLE_MISMATCH : checkTaken(process, role);
    }

    /** As {@link #checkRole} up to version 5 of the log: a slot that was held alone could be backed up. */
    private Refusal checkTaken(final long process, final SlotRole role)
    {
        if (role.isBackup() && PartitionState.NOBODY == incarnation)
        {
            return Refusal.BUSY;
        }
        if (role.isBackup() || !role.isSole() && isBackedUp() ? partsPerClock != role.partsPerClock() :
            !role.isSole() && !isNumberedByClocks(role.partsPerClock()))
        {
            return Refusal.ROLE_MISMATCH;
        }
        final boolean isNewer = switch (role.kind())
        {
            case SOLE -> process > Math.max(incarnation, backup);
            case BACKED_UP -> process > incarnation && process != backup;
            case BACKUP -> process > backup && process != incarnation;
        };

        return isNewer ? Refusal.NONE : Refusal.FENCED;
    }

    private boolean isNumberedByClocks(final int parts)
    {
        return Consistency.FINISHED == clock || last / (parts + 1) == clock;
    }

    /**
     * Take a newer process into the slot. From now on no part of an older process in the same role is taken, nor of any
     * other process if the new one is alone.
     */
    void take(final long newIncarnation, final SlotRole role, final long position)
    {
        if (Refusal.NONE != checkTaken(newIncarnation, role))
        {
            throw new IllegalStateException("slot=" + id + " incarnation=" + newIncarnation + " role=" + role +
                " is not newer than " + incarnation + " and backup=" + backup + " partsPerClock=" + partsPerClock);
        }
        if (role.isBackup())
        {
            backup = newIncarnation;
        }
        else
        {
            backup = role.isSole() || !isBackedUp() ? PartitionState.NOBODY : backup;
            incarnation = newIncarnation;
            partsPerClock = role.partsPerClock();
        }
        takenPosition = position;
    }

    /** Last part that is recorded and replicated. */
    long safe()
    {
        return Math.min(replicated, recorded);
    }

    /**
     * True if every replica in sync has recorded which process holds the slot.
     *
     * @param isAgain true if the process was welcomed under an earlier epoch, so that parts older than the epoch's
     *                start are safe.
     */
    boolean isTakenSafely(final boolean isAgain)
    {
        return takenPosition <= (isAgain ? Math.max(epochStartPosition, safePosition) : safePosition);
    }

    void apply(final long sequence, final long newAcknowledgedThrough, final long newIncarnation, final long position)
    {
        if (sequence != last + 1)
        {
            throw new IllegalStateException("slot=" + id + " sequence=" + sequence + " last=" + last);
        }
        last = sequence;
        hasGoneOn = Consistency.FINISHED == clock;
        lastIncarnation = newIncarnation;
        raiseIncarnation(newIncarnation);
        endPositions[(int)(sequence & (MAX_UNRECORDED - 1))] = position;
        raiseAcknowledgedThrough(newAcknowledgedThrough);
    }

    /** All parts up to a sequence are applied at once, by one record. */
    void applyThrough(
        final long sequence, final long newAcknowledgedThrough, final long newIncarnation, final long position)
    {
        if (sequence <= last || sequence - last > MAX_UNRECORDED)
        {
            throw new IllegalStateException("slot=" + id + " through=" + sequence + " last=" + last);
        }
        while (last < sequence)
        {
            apply(last + 1, 0, newIncarnation, position);
        }
        raiseAcknowledgedThrough(newAcknowledgedThrough);
    }

    /**
     * Jump over parts that the worker no longer keeps and no server has: they are lost, and the slot goes on after
     * them.
     */
    void jump(final long fromSequence, final long toSequence, final long newIncarnation, final long position)
    {
        if (fromSequence != last + 1 || toSequence < fromSequence)
        {
            throw new IllegalStateException(
                "slot=" + id + " from=" + fromSequence + " to=" + toSequence + " last=" + last);
        }
        for (long i = Math.max(fromSequence, toSequence - MAX_UNRECORDED + 1); i <= toSequence; i++)
        {
            endPositions[(int)(i & (MAX_UNRECORDED - 1))] = position;
        }
        last = toSequence;
        hasGoneOn = Consistency.FINISHED == clock;
        jumped += toSequence - fromSequence + 1;
        lastIncarnation = newIncarnation;
        raiseIncarnation(newIncarnation);
        raiseAcknowledgedThrough(toSequence);
    }

    /** Logs of before version 2 do not say who took a slot. */
    private void raiseIncarnation(final long newIncarnation)
    {
        incarnation = isBackedUp() ? incarnation : Math.max(incarnation, newIncarnation);
    }

    void refuse(final long sequence, final int code)
    {
        refusals.put(sequence, code);
    }

    /**
     * A new epoch begins. Everything applied so far is safe once every replica in sync has come to where the epoch
     * begins: a chain's second member may have lost its head while the third still lacks records of the first two.
     */
    void onEpochStart(final long position)
    {
        epochStartLast = last;
        epochStartPosition = position;
        takenPosition = position;
        safePosition = 0;
        replicated = 0;
        recorded = 0;
    }

    void onPositions(final long replicatedPosition, final long recordedPosition, final long snapshottedPosition)
    {
        safePosition = Math.max(safePosition, Math.min(replicatedPosition, recordedPosition));
        replicated = reached(replicated, replicatedPosition);
        recorded = reached(recorded, recordedPosition);
        for (int i = Math.max(0, snapshots - MAX_SNAPSHOTS); i < snapshots; i++)
        {
            if (snapshotPositions[i & MAX_SNAPSHOTS - 1] <= snapshottedPosition)
            {
                snapshotted = Math.max(snapshotted, snapshotSequences[i & MAX_SNAPSHOTS - 1]);
            }
        }
    }

    /** A snapshot counts that holds the slot's parts up to a sequence. */
    void onSnapshot(final long position, final long sequence)
    {
        snapshotPositions[snapshots & MAX_SNAPSHOTS - 1] = position;
        snapshotSequences[snapshots & MAX_SNAPSHOTS - 1] = sequence;
        snapshots++;
    }

    private long reached(final long sequence, final long position)
    {
        if (sequence < epochStartLast && position < epochStartPosition)
        {
            return sequence;
        }
        long reached = Math.max(sequence, epochStartLast);
        while (reached < last && endPositions[(int)((reached + 1) & (MAX_UNRECORDED - 1))] <= position)
        {
            reached++;
        }

        return reached;
    }

    private void raiseAcknowledgedThrough(final long newAcknowledgedThrough)
    {
        if (newAcknowledgedThrough > acknowledgedThrough)
        {
            acknowledgedThrough = Math.min(newAcknowledgedThrough, last);
            if (!refusals.isEmpty())
            {
                refusals.keySet().removeIfLong((sequence) -> sequence <= acknowledgedThrough);
                if (refusals.isEmpty() && refusals.capacity() > MAX_KEPT_REFUSALS)
                {
                    refusals.compact();
                }
            }
        }
    }
}
