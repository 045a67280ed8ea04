// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import org.agrona.concurrent.NanoClock;

/**
 * Limits the bytes per second that a node reads from its disk and sends to copies that join. One reader uses the limit
 * at a time, so that the first copies are complete soon and no reading stands still halfway. A reader that has read to
 * the end in vain gives way to the one that waits. Used by the node's thread.
 */
public final class MoveBandwidth
{
    /** No limit. */
    public static final MoveBandwidth UNLIMITED = new MoveBandwidth(0, () -> 0);

    /** Time of which the unused bytes may be sent later. */
    static final long CREDIT_NS = 50_000_000;
    /** A reader that could have sent and has not for so long gives way to another one. */
    static final long PATIENCE_NS = 1_000_000_000;
    /** A snapshot that is interrupted begins again: its reader gives way once the follower would ask for it anew. */
    static final long SNAPSHOT_PATIENCE_NS = Upstream.SNAPSHOT_RETRY_NS;
    private static final long SECOND_NS = 1_000_000_000;

    private final long bytesPerSecond;
    private final NanoClock nanoClock;
    private Object reader;
    private long patienceNs;
    /** The first of those that wait for the reader, or null. */
    private Object waiting;
    /** When the bytes sent so far are paid for. */
    private long paidNs;
    /** Time in which the reader could have sent and has not. */
    private long idleNs;
    private long askedNs;

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
        askedNs = paidNs;
    }

    boolean isLimited()
    {
        return 0 != bytesPerSecond;
    }

    /**
     * True if a reader may send now. The limit is then the reader's until it releases it.
     *
     * @param newPatienceNs that others have with it, if it is the reader.
     */
    boolean mayUse(final Object other, final long newPatienceNs)
    {
        if (!isLimited())
        {
            return true;
        }
        final long nowNs = nanoClock.nanoTime();
        // in a pause of the node itself nobody could have sent
        idleNs += nowNs - paidNs >= 0 ? Math.min(nowNs - askedNs, CREDIT_NS) : 0;
        askedNs = nowNs;
        if (null == reader || reader != other && idleNs >= patienceNs)
        {
            use(other, nowNs);
        }
        patienceNs = reader == other ? newPatienceNs : patienceNs;
        waiting = reader != other && null == waiting ? other : waiting;

        return reader == other && nowNs - paidNs >= 0;
    }

    private void use(final Object newReader, final long nowNs)
    {
        reader = newReader;
        waiting = waiting == newReader ? null : waiting;
        patienceNs = PATIENCE_NS;
        idleNs = 0;
        limitCredit(nowNs);
    }

    /** True if another reader uses the limit. */
    boolean isOfOther(final Object other)
    {
        return null != reader && reader != other;
    }

    void onSent(final int bytes)
    {
        if (isLimited())
        {
            limitCredit(nanoClock.nanoTime());
            idleNs = 0;
            paidNs += bytes * SECOND_NS / bytesPerSecond;
        }
    }

    /** A reader has to read again what was appended meanwhile: it is the turn of the one that waits. */
    void giveWay(final Object other)
    {
        if (reader == other && null != waiting)
        {
            use(waiting, nanoClock.nanoTime());
        }
    }

    /** A reader has read everything, or no longer reads. */
    void release(final Object other)
    {
        waiting = waiting == other ? null : waiting;
        giveWay(other);
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
