// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

/** The way in which records reach a follower. */
enum LinkState
{
    /** Nobody has attached, or the follower must attach again. */
    DETACHED,
    /** The follower lacks more than the log holds, and there is no snapshot for it yet: one must be taken. */
    AWAIT_SNAPSHOT,
    /** It is sent a snapshot. */
    SNAPSHOT,
    /** It is sent what it lacks from the recorded log; what is appended meanwhile is queued. */
    CATCH_UP,
    /** As before, but the queue was too short: what did not fit is read from the recorded log, too. */
    CATCH_UP_OVERFLOWED,
    /** It is sent each record as it is appended. */
    LIVE,
    /** As before, but it takes nothing of what is queued. */
    BLOCKED;

    boolean isReading()
    {
        return SNAPSHOT == this || CATCH_UP == this || CATCH_UP_OVERFLOWED == this;
    }

    /** The link may break in any state, and is then built up from the beginning. */
    boolean mayBecome(final LinkState next)
    {
        return DETACHED == next || switch (this)
        {
            case DETACHED -> CATCH_UP_OVERFLOWED != next && BLOCKED != next;
            case AWAIT_SNAPSHOT, SNAPSHOT -> false;
            case CATCH_UP -> CATCH_UP == next || CATCH_UP_OVERFLOWED == next || LIVE == next;
            case CATCH_UP_OVERFLOWED -> CATCH_UP == next || LIVE == next;
            case LIVE, BLOCKED -> CATCH_UP == next || LIVE == next || BLOCKED == next;
        };
    }
}
