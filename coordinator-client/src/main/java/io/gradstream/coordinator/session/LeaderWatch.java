// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.session;

import java.util.concurrent.TimeUnit;

/**
 * Judges from when it was last heard whether a leader is silent, and when it is due to be called again.
 * <p>
 * Time in which this process was itself held up does not count against the leader.
 */
final class LeaderWatch
{
    static final long KEEP_ALIVE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    static final long DEFAULT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    static final int CALLS_PER_TIMEOUT = 4;
    static final int TIMEOUTS_TO_ELECT = 2;

    private long timeoutNs = DEFAULT_TIMEOUT_NS;
    private long heardNs;
    private long callNs;
    private long keepAliveNs;
    private long deadlineNs;

    /**
     * Take over what the cluster says of itself.
     *
     * @param newTimeoutNs silence after which its members give up a leader; if not positive, a default.
     */
    void timeoutNs(final long newTimeoutNs)
    {
        timeoutNs = newTimeoutNs > 0 ? newTimeoutNs : DEFAULT_TIMEOUT_NS;
    }

    long timeoutNs()
    {
        return timeoutNs;
    }

    /**
     * Some time has passed since the leader could be heard.
     *
     * @param sinceLastPollNs how much; what goes beyond one interval of calls is this process's own pause.
     */
    void onPoll(final long sinceLastPollNs)
    {
        final long pauseNs = Math.max(0, sinceLastPollNs - callIntervalNs());
        heardNs += pauseNs;
        deadlineNs += pauseNs;
    }

    void onConnected(final long nowNs)
    {
        onHeard(nowNs);
        keepAliveNs = nowNs;
        callNs = nowNs + callIntervalNs();
    }

    void onHeard(final long nowNs)
    {
        heardNs = nowNs;
    }

    void onCalled(final long nowNs)
    {
        callNs = nowNs + callIntervalNs();
    }

    void onKeptAlive(final long nowNs)
    {
        keepAliveNs = nowNs + KEEP_ALIVE_INTERVAL_NS;
    }

    boolean isSilent(final long nowNs)
    {
        return nowNs - heardNs > timeoutNs;
    }

    boolean isCallDue(final long nowNs)
    {
        return nowNs - callNs >= 0;
    }

    boolean isKeepAliveDue(final long nowNs)
    {
        return nowNs - keepAliveNs >= 0;
    }

    /** From now on the members are given time to elect. */
    void allowElection(final long nowNs)
    {
        deadlineNs = nowNs + TIMEOUTS_TO_ELECT * timeoutNs;
    }

    /** From now on so much time is given. */
    void allow(final long nowNs, final long limitNs)
    {
        deadlineNs = nowNs + limitNs;
    }

    boolean isOverdue(final long nowNs)
    {
        return nowNs - deadlineNs >= 0;
    }

    private long callIntervalNs()
    {
        return timeoutNs / CALLS_PER_TIMEOUT;
    }
}
