// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

/**
 * The role of a process in its slot, which decides which other processes it fences.
 *
 * @param kind          holder or backup.
 * @param partsPerClock parts that the slot pushes to a partition in each clock, some of them empty; 0 for
 *                      {@link Kind#SOLE}, which pushes as many as it likes.
 */
public record SlotRole(Kind kind, int partsPerClock)
{
    /** Most parts per clock. */
    public static final int MAX_PARTS_PER_CLOCK = 31;
    /** Holds its slot alone. */
    public static final SlotRole SOLE = new SlotRole(Kind.SOLE, 0);

    /** Kinds of roles. */
    public enum Kind
    {
        /** Holds the slot alone: every process before it is fenced. */
        SOLE,
        /** Holds the slot together with a backup: the holder before it is fenced. */
        BACKED_UP,
        /** Pushes the same as the holder of a backed-up slot: the backup before it is fenced. */
        BACKUP;

        private static final Kind[] ALL = values();
    }

    /**
     * Checks that the parts fit the kind.
     *
     * @throws IllegalArgumentException if they do not; it says what is allowed.
     */
    public SlotRole
    {
        if (!isRight(kind, partsPerClock))
        {
            throw new IllegalArgumentException("invalid partsPerClock=" + partsPerClock + " of role=" + kind +
                ": must be 1.." + MAX_PARTS_PER_CLOCK + " where a slot is backed up");
        }
    }

    /** The holder of a slot that a backup may join. */
    public static SlotRole backedUp(final int partsPerClock)
    {
        return new SlotRole(Kind.BACKED_UP, partsPerClock);
    }

    /** Joins a backed-up slot. */
    public static SlotRole backup(final int partsPerClock)
    {
        return new SlotRole(Kind.BACKUP, partsPerClock);
    }

    /**
     * The role that a message names.
     *
     * @param code          of its kind.
     * @param partsPerClock meaningless for {@link Kind#SOLE}.
     * @return the role, or null if there is none such.
     */
    public static SlotRole ofWire(final int code, final int partsPerClock)
    {
        if (Kind.SOLE.ordinal() == code)
        {
            return SOLE;
        }

        return code < Kind.ALL.length && isRight(Kind.ALL[code], partsPerClock) ?
            new SlotRole(Kind.ALL[code], partsPerClock) : null;
    }

    /** The number that stands for its kind on the wire and in the log. */
    public int code()
    {
        return kind.ordinal();
    }

    public boolean isSole()
    {
        return Kind.SOLE == kind;
    }

    public boolean isBackup()
    {
        return Kind.BACKUP == kind;
    }

    /** True if two processes with these roles must not be in the slot at once. */
    public boolean excludes(final SlotRole other)
    {
        return kind == other.kind || isSole() || other.isSole();
    }

    private static boolean isRight(final Kind kind, final int partsPerClock)
    {
        return Kind.SOLE == kind ? 0 == partsPerClock : partsPerClock > 0 && partsPerClock <= MAX_PARTS_PER_CLOCK;
    }
}
