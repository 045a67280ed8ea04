// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

/** The answer of a predecessor that tells a follower how to go on after it has asked to attach. */
public enum AttachAnswer
{
    /** Records follow from the follower's position on. */
    GO_ON(1),
    /** The follower's log holds bytes of a leadership that has ended: cut them off and attach again. */
    TRUNCATE(2),
    /** The log cannot give a joiner what it lacks: delete everything, ask for a snapshot, and begin there. */
    WIPE(3),
    /** The predecessor knows nothing of this attempt: attach again. */
    ATTACH_AGAIN(4),
    /** While records follow: a worker waits for a snapshot of what was sent so far. */
    SNAPSHOT_WANTED(5),
    /**
     * The log cannot give the follower what it lacks, and the follower is in sync or may be at any moment: keep
     * everything, and give up a joiner's place.
     */
    LEAVE(6),
    /**
     * While records follow, and all are applied: the head has stopped for good under the chain whose version is in
     * place of the position, and the follower may claim the lead at once.
     */
    SEALED(7);

    private final int code;

    AttachAnswer(final int code)
    {
        this.code = code;
    }

    /** As on the wire. */
    public int code()
    {
        return code;
    }

    /** The answer of a code from the wire, or null if there is none. */
    public static AttachAnswer of(final int code)
    {
        return switch (code)
        {
            case 1 -> GO_ON;
            case 2 -> TRUNCATE;
            case 3 -> WIPE;
            case 4 -> ATTACH_AGAIN;
            case 5 -> SNAPSHOT_WANTED;
            case 6 -> LEAVE;
            case 7 -> SEALED;
            default -> null;
        };
    }
}
