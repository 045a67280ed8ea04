// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.session;

import java.util.concurrent.TimeUnit;

/**
 * The time for which members that are reached may leave requests for a session unanswered. After it, answers are
 * awaited on another stream.
 * <p>
 * All that members answer to a channel is one stream while any session asked for there is pending. If this stream was
 * lost once, as by a pause of this process, no answer comes in any longer, however often the client asks.
 */
final class AnswerDeadline
{
    static final long MIN_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(3);
    static final long MAX_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(24);

    private long timeoutNs = MIN_TIMEOUT_NS;
    private long firstAskNs;
    private boolean isAwaited;

    void onAsked(final long nowNs)
    {
        firstAskNs = isAwaited ? firstAskNs : nowNs;
        isAwaited = true;
    }

    /** Nothing is awaited: an answer came in, or the stream for answers was given up. */
    void clear()
    {
        isAwaited = false;
    }

    void onConnected()
    {
        timeoutNs = MIN_TIMEOUT_NS;
        clear();
    }

    boolean isOver(final long nowNs)
    {
        return isAwaited && nowNs - firstAskNs >= timeoutNs;
    }

    /** Allow the next attempt twice the time; returns the nanoseconds that this one was given. */
    long extend()
    {
        final long givenNs = timeoutNs;
        timeoutNs = Math.min(2 * timeoutNs, MAX_TIMEOUT_NS);

        return givenNs;
    }
}
