// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.member;

import io.gradstream.coordinator.session.MemberCheck;

import java.util.concurrent.TimeUnit;

/**
 * The times by which the members of a cluster give up a silent leader and agree on the next one; all in nanoseconds.
 * <p>
 * With one of three members dead, commands are held up for about the heartbeat timeout, 1 to 1.5 election timeouts and
 * the time to open the new leader's log. A vote with one voter missing is counted only when its time is up.
 *
 * @param heartbeatIntervalNs  how often a leader shows that it lives.
 * @param heartbeatTimeoutNs   silence after which a leader, or a leader's quorum of followers, is given up; also what
 *                             each step of joining a new leader's log may take.
 * @param electionTimeoutNs    how long a candidate waits for votes.
 * @param statusIntervalNs     how often a member in an election says how far its log goes.
 * @param startupCanvassNs     how long a starting member waits for all others before a majority will do; at least
 *                             twice the heartbeat timeout.
 * @param sessionTimeoutNs     silence after which a client's session is closed.
 */
public record ClusterTiming(
    long heartbeatIntervalNs,
    long heartbeatTimeoutNs,
    long electionTimeoutNs,
    long statusIntervalNs,
    long startupCanvassNs,
    long sessionTimeoutNs)
{
    /**
     * For a machine whose scheduler keeps no thread waiting for long: about 0.7 s without a leader when it is killed.
     */
    public static final ClusterTiming QUIET = ofMillis(50, 400, 100, 20, 1_500, 5_000);

    /** For a crowded machine, where a pause of a second does not depose a leader: about 1.8 s without one. */
    public static final ClusterTiming SHARED = ofMillis(100, 1_200, 300, 50, 4_000, 10_000);

    private static final long MIN_HEARTBEATS_PER_TIMEOUT = 2;
    private static final long MIN_TIMEOUTS_PER_CANVASS = 2;

    /**
     * Check how the times go together.
     *
     * @throws IllegalArgumentException naming the time that is wrong and what is allowed.
     */
    public ClusterTiming
    {
        MemberCheck.requireRange("heartbeatIntervalNs", heartbeatIntervalNs, 1, Long.MAX_VALUE);
        MemberCheck.requireRange("heartbeatTimeoutNs", heartbeatTimeoutNs,
            MIN_HEARTBEATS_PER_TIMEOUT * heartbeatIntervalNs, Long.MAX_VALUE / MIN_TIMEOUTS_PER_CANVASS);
        MemberCheck.requireRange("electionTimeoutNs", electionTimeoutNs, 1, Long.MAX_VALUE);
        MemberCheck.requireRange("statusIntervalNs", statusIntervalNs, 1, electionTimeoutNs);
        MemberCheck.requireRange("startupCanvassNs", startupCanvassNs,
            MIN_TIMEOUTS_PER_CANVASS * heartbeatTimeoutNs, Long.MAX_VALUE);
        MemberCheck.requireRange("sessionTimeoutNs", sessionTimeoutNs, heartbeatTimeoutNs, Long.MAX_VALUE);
    }

    private static ClusterTiming ofMillis(
        final long heartbeatInterval,
        final long heartbeatTimeout,
        final long election,
        final long status,
        final long canvass,
        final long session)
    {
        return new ClusterTiming(
            TimeUnit.MILLISECONDS.toNanos(heartbeatInterval),
            TimeUnit.MILLISECONDS.toNanos(heartbeatTimeout),
            TimeUnit.MILLISECONDS.toNanos(election),
            TimeUnit.MILLISECONDS.toNanos(status),
            TimeUnit.MILLISECONDS.toNanos(canvass),
            TimeUnit.MILLISECONDS.toNanos(session));
    }
}
