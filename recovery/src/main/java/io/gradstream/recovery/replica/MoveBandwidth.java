// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import org.agrona.concurrent.NanoClock;

/**
 * Limits the bytes per second that a node reads from its disk and sends to copies that join. One reader uses the limit
 * at a time, so that the first copies are complete soon and no reading stands still halfway. Used by the node's thread.
 */
public final class MoveBandwidth
{
    /** No limit. */
    public static final MoveBandwidth UNLIMITED = new MoveBandwidth(0, () -> 0);

    /** Time of which the unused bytes may be sent later. */
    static final long CREDIT_NS = 50_000_000;
    /** A reader that could have sent and has not for so long gives way to another one. */
    static final long PATIENCE_NS = 1_000_000_000;
    private static final long SECOND_NS = 1_000_000_000;

    private final long bytesPerSecond;
    private final NanoClock nanoClock;
    private Object reader;
    /** When the bytes sent so far are paid for. */
    private long paidNs;

    /**
     * Nothing is sent yet.
     *
     * @param bytesPerSecond of all readers together, or 0 for no limit.
     */
    public MoveBandwidth(final long bytesPerSecond, final NanoClock nanoClock)
    {
        this.bytesPerSecond = bytesPerSecond;
        this.nanoClock = nanoClock;
        paidNs = nanoClock.nanoTime();
    }

    boolean isLimited()
    {
        return 0 != bytesPerSecond;
    }

    /** True if a reader may send now. The limit is then the reader's until it releases it. */
    boolean mayUse(final Object other)
    {
        if (!isLimited())
        {
            return true;
        }
        final long nowNs = nanoClock.nanoTime();
        if (null == reader || reader != other && nowNs - paidNs >= PATIENCE_NS)
        {
            reader = other;
            limitCredit(nowNs);
        }

        return reader == other && nowNs - paidNs >= 0;
    }

    void onSent(final int bytes)
    {
        if (isLimited())
        {
            limitCredit(nanoClock.nanoTime());
            paidNs += bytes * SECOND_NS / bytesPerSecond;
        }
    }

    void release(final Object other)
    {
        reader = reader == other ? null : reader;
    }

    private void limitCredit(final long nowNs)
    {
        if (nowNs - paidNs > CREDIT_NS)
        {
            paidNs = nowNs - CREDIT_NS;
        }
    }
}
