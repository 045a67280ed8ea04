// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

/** Notices a peer that takes requests for long and answers none: most likely its answers do not reach this process. */
public final class AnswerWatch
{
    /** Time without an answer after which a peer is reported. */
    static final long LIMIT_NS = 5_000_000_000L;
    /** Time after which it is reported again. */
    static final long REPEAT_NS = 30_000_000_000L;
    /** Time without taking a request after which a peer counts as away: the time starts over. */
    static final long AWAY_NS = 2_000_000_000L;

    private boolean isAsking;
    private boolean isTold;
    private long sinceNs;
    private long reachedNs;
    private long toldNs;

    public void onUnanswered(final long nowNs)
    {
        if (!isAsking || nowNs - reachedNs >= AWAY_NS)
        {
            isAsking = true;
            isTold = false;
            sinceNs = nowNs;
        }
        reachedNs = nowNs;
    }

    public void onAnswered()
    {
        isAsking = false;
    }

    /** True if the peer takes requests and has not answered for long. */
    public boolean isUnanswered(final long nowNs)
    {
        return isAsking && nowNs - reachedNs < AWAY_NS && nowNs - sinceNs >= LIMIT_NS;
    }

    /** True if {@link #isUnanswered}, and that is to be reported now. */
    public boolean pollDue(final long nowNs)
    {
        final boolean isDue = isUnanswered(nowNs) && (!isTold || nowNs - toldNs >= REPEAT_NS);
        if (isDue)
        {
            isTold = true;
            toldNs = nowNs;
        }

        return isDue;
    }

    /** The message for such a peer. */
    public static String text(final String who, final String ownEndpoint)
    {
        if (null == ownEndpoint)
        {
            return who + " uses this media driver and does not answer: does its process stand still?";
        }

        return who + " takes requests, but no answer comes in at " + ownEndpoint + ": can it be reached there from" +
            " that machine? If not, say with --endpoint (responseEndpoint) which address of this machine can";
    }
}
