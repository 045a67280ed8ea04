// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

/**
 * Decides when a session may try again: hello after a refusal, pushes after a pause, and the way back from a gap.
 * <p>
 * After a refused hello the first wait is short, since a head that was just named starts its epoch within milliseconds;
 * it doubles up to {@link SessionTiming#helloRetryNs()} while the partition keeps refusing.
 */
final class SessionRetry
{
    /** The first wait is this much shorter than the longest, a power of two. */
    static final int FIRST_WAIT_SHIFT = 4;

    private final SessionTiming timing;
    private boolean isHelloDelayed;
    private long helloDeadlineNs;
    private long waitNs;
    private boolean isPaused;
    private long pausedUntilNs;
    private long gapExpected;
    private long gapNs;

    SessionRetry(final SessionTiming timing)
    {
        this.timing = timing;
        onAttached();
    }

    boolean isHelloDue(final long nowNs)
    {
        return !isHelloDelayed || nowNs - helloDeadlineNs >= 0;
    }

    void onHelloSent(final long nowNs)
    {
        helloDeadlineNs = nowNs + timing.helloRetryNs();
    }

    boolean isHelloLost(final long nowNs)
    {
        return nowNs - helloDeadlineNs >= 0;
    }

    void onHelloRefused(final long nowNs)
    {
        isHelloDelayed = true;
        helloDeadlineNs = nowNs + waitNs;
        waitNs = Math.min(waitNs << 1, timing.helloRetryNs());
    }

    void helloNow()
    {
        isHelloDelayed = false;
        waitNs = Math.max(timing.busyRetryNs(), timing.helloRetryNs() >> FIRST_WAIT_SHIFT);
    }

    void onAttached()
    {
        helloNow();
        isPaused = false;
        gapExpected = -1;
    }

    void pause(final long nowNs)
    {
        isPaused = true;
        pausedUntilNs = nowNs + timing.busyRetryNs();
    }

    boolean isPaused(final long nowNs)
    {
        isPaused = isPaused && nowNs - pausedUntilNs < 0;

        return isPaused;
    }

    /** Every message in flight behind a gap is refused too: go back once for all of them. */
    boolean isNewGap(final long expected, final long nowNs)
    {
        if (expected == gapExpected && nowNs - gapNs < timing.helloRetryNs())
        {
            return false;
        }
        onResent(expected, nowNs);

        return true;
    }

    /** The parts from one on are sent again: a gap there is no news. */
    void onResent(final long sequence, final long nowNs)
    {
        gapExpected = sequence;
        gapNs = nowNs;
    }
}
