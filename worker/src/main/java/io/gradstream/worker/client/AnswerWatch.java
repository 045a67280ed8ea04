// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.client;

/**
 * Notices that a peer takes requests for long and answers none: most likely its answers do not reach this process.
 */
public final class AnswerWatch
{
    /** A peer that has not answered for so long is told of. */
    static final long LIMIT_NS = 5_000_000_000L;
    /** It is told again after so long. */
    static final long REPEAT_NS = 30_000_000_000L;
    /** A peer that takes no requests for so long is not there: the time begins anew. */
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

    /** Does the peer take requests, and has it not answered for long? */
    public boolean isUnanswered(final long nowNs)
    {
        return isAsking && nowNs - reachedNs < AWAY_NS && nowNs - sinceNs >= LIMIT_NS;
    }

    /** As {@link #isUnanswered}, and is that to be told now? */
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

    /** What to say of such a peer. */
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
