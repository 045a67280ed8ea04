// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.aeron.cluster.ElectionState;

import java.util.concurrent.TimeUnit;

/**
 * Notices a member that does not get out of an election by itself, for which only a new start helps. On a machine that
 * is overloaded Aeron Cluster was seen in two such states. In one the consensus module and the service wait for each
 * other, and for a leader's log that has ended. In the other the member replays from a position that a newer leader has
 * cut off, and fails again and again.
 */
final class ElectionWatch
{
    /** A member is stuck if a state that should pass lasts so long. */
    static final long STUCK_NS = TimeUnit.SECONDS.toNanos(60);
    /**
     * A member is stuck if it has so many errors when it replays its log, while an election lasts for
     * {@link #STUCK_NS}. Errors while it looks for the others do not count: their names may not resolve for hours.
     */
    static final long STUCK_ERRORS = 300;
    /** Most that counts from one look to the next: the process may have stood still in between. */
    static final long MAX_STEP_NS = TimeUnit.SECONDS.toNanos(1);

    private boolean hasLooked;
    private long lastNs;
    private long awaitingLogNs;
    private long electionNs;
    private long lastErrors;
    private long replayErrors;

    /**
     * Look at a member, at least once a second.
     *
     * @param nowNs  of a clock that does not go back.
     * @param errors of its consensus module since it started.
     * @return why it is stuck, as the end of a sentence about it; null if it is not.
     */
    String look(final long nowNs, final ElectionState state, final long errors)
    {
        final long stepNs = hasLooked ? Math.min(MAX_STEP_NS, nowNs - lastNs) : 0;
        if (hasLooked && (ElectionState.INIT == state || ElectionState.FOLLOWER_REPLAY == state ||
            ElectionState.LEADER_REPLAY == state))
        {
            replayErrors += errors - lastErrors;
        }
        lastErrors = errors;
        hasLooked = true;
        lastNs = nowNs;
        awaitingLogNs = ElectionState.FOLLOWER_LOG_AWAIT == state ? awaitingLogNs + stepNs : 0;
        if (ElectionState.CLOSED == state)
        {
            electionNs = 0;
            replayErrors = 0;
        }
        electionNs += stepNs;
        if (awaitingLogNs >= STUCK_NS)
        {
            return "waits for the log of a leader that has ended";
        }
        if (electionNs >= STUCK_NS)
        {
            if (replayErrors >= STUCK_ERRORS)
            {
                return "cannot replay its log from where it stands";
            }
            electionNs = 0;
            replayErrors = 0;
        }

        return null;
    }
}
