// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.share;

/**
 * The bytes of one job's pushes that a server may still take: in this duty cycle, so that other jobs have their turn,
 * and by the job's rate. A push that may not be taken yet stays with Aeron, which holds its sender back.
 */
public final class JobShare
{
    /** A duty cycle takes no further push of a job once it has taken so many bytes, where there are other jobs. */
    public static final int MAX_CYCLE_BYTES = 64 * 1024;

    /** Bytes that are saved up while less is pushed: the rate for so long. */
    private static final double SAVED_S = 0.1;
    private static final double NS_PER_S = 1e9;

    private long rate;
    private boolean isAlone = true;
    /** Bytes that may be taken; below 0 after a push that was longer than what was left. */
    private double credit;
    private long creditNs;
    private long cycleBytes;

    /**
     * Limit what is taken from now on.
     *
     * @param newRate    in bytes a second, 0 for no limit.
     * @param newIsAlone true if there is no other job.
     */
    void limit(final long newRate, final boolean newIsAlone, final long nowNs)
    {
        isAlone = newIsAlone;
        if (newRate != rate)
        {
            rate = newRate;
            credit = newRate * SAVED_S;
            creditNs = nowNs;
        }
    }

    void startCycle(final long nowNs)
    {
        cycleBytes = 0;
        if (rate > 0)
        {
            credit = Math.min(rate * SAVED_S, credit + rate * ((nowNs - creditNs) / NS_PER_S));
            creditNs = nowNs;
        }
    }

    /** True if a push may be taken now, however long it is. */
    public boolean mayTake()
    {
        return (isAlone || cycleBytes < MAX_CYCLE_BYTES) && (0 == rate || credit > 0);
    }

    /** A push was taken. */
    public void onTaken(final int bytes)
    {
        cycleBytes += bytes;
        credit -= rate > 0 ? bytes : 0;
    }
}
