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
     * Refusals that its worker may not know yet; beyond it refused parts are to come again. A clock or cycle that is
     * added up later may bring {@link HeldSlot#MAX_ENTRIES} more.
     */
    static final int MAX_REFUSALS = 32 * 1024;
    /** As many it may have in any case, if its worker knows all others: slots that are gone leave theirs. */
    static final int LEAST_REFUSALS = 256;
    /** Refusals for which the room is kept once there are none. */
    static final int MAX_KEPT_REFUSALS = 1024;
    /** Snapshots whose last sequence is remembered, for a chain in which they are taken at different positions. */
    static final int MAX_SNAPSHOTS = 8;

    final int id;
    /** Replicated state: which process holds the slot, and whose part was taken last. */
    long incarnation = PartitionState.NOBODY;
    /** The process that pushes the same beside the holder, and how many parts each clock has then; 0 where none may. */
    long backup = PartitionState.NOBODY;
    int partsPerClock;
    long lastIncarnation;
    long last;
    long acknowledgedThrough;
    long clock;
    /** The same, but for what FINISHED says: iterations that it has ended one by one. */
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
    /** What holder and backup have said that they know, and which processes these were. */
    private final long[] knownThrough = new long[2];
    private final long[] knowers = {PartitionState.NOBODY, PartitionState.NOBODY};
    /** Of the parts applied before this process started its epoch only the end is known: last sequence, position. */
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

    /** May so many parts, not applied yet, be followed by one more? */
    boolean hasRoomBehind(final int parts)
    {
        return last + parts - Math.max(epochStartLast, Math.min(replicated, recorded)) < MAX_UNRECORDED;
    }

    /**
     * A process of the slot says that it knows the outcome of every part up to one; it does not unlearn any.
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

    /** Is a process in the slot in a role, as the log says? */
    boolean isIn(final long process, final SlotRole role)
    {
        return process == (role.isBackup() ? backup : incarnation) && partsPerClock == role.partsPerClock();
    }

    /** Is nothing taken of a process: did a newer one take its place? */
    boolean isFenced(final long process)
    {
        return isBackedUp() ? process != incarnation && process != backup : process < incarnation;
    }

    /**
     * May a process come into the slot in a role that is not in it in that role? A slot that a process has held alone
     * takes none that shares it. So all partitions that know a process which is alone decide the same, whatever it has
     * pushed to each.
     *
     * @return NONE, or why not.
     */
    Refusal checkRole(final long process, final SlotRole role)
    {
        final boolean isAlone = PartitionState.NOBODY != incarnation && !isBackedUp();

        return isAlone && !role.isSole() ? Refusal.ROLE_MISMATCH : checkTaken(process, role);
    }

    /** What {@link #checkRole} was up to version 5 of the log: a slot that was held alone could be backed up. */
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
     * A newer process is in the slot: nothing of an older one in the same role is taken any more, nor of any other if
     * it is alone.
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
     * Does every replica in sync have on record who holds the slot?
     *
     * @param isAgain the process was welcomed under an earlier epoch, so parts older than the epoch's start are safe.
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

    /**
     * All parts up to a sequence are applied at once, by one record.
     */
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
     * What the worker keeps no more and no server has is lost; the slot goes on behind it.
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
     * Everything applied so far is safe once everybody in sync has come to where the new epoch begins: a chain's second
     * member may have lost its head while the third still lacks what the first two had.
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

    /**
     * A snapshot counts that holds the slot's parts up to a sequence.
     */
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
