// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

/**
 * Notices when a worker loses a partition, and when the new primary of the partition acknowledges the first push that
 * was outstanding.
 */
final class OutageWatch
{
    private final int partition;
    private final OutageListener listener;
    private boolean isLost;
    private long lostNs;
    private long acknowledgedNs;
    private boolean isAcknowledged;
    private boolean isBackDue;
    private int outstanding;
    private long firstSequence;

    OutageWatch(final int partition, final OutageListener listener)
    {
        this.partition = partition;
        this.listener = listener;
    }

    void onLost(final long nowNs)
    {
        if (!isLost)
        {
            isLost = true;
            lostNs = isAcknowledged ? acknowledgedNs : nowNs;
        }
    }

    void onNewPrimary(final long epoch, final int partsOutstanding, final long firstToSend, final long nowNs)
    {
        firstSequence = firstToSend;
        lostNs = isLost ? lostNs : nowNs;
        outstanding = partsOutstanding;
        isBackDue = partsOutstanding > 0;
        if (!isBackDue)
        {
            listener.onServiceBack(partition, epoch, 0, lostNs, nowNs);
        }
    }

    void onAttached()
    {
        isLost = false;
    }

    /** For a worker whose pushes wait for a snapshot: service is back when the chain has what was outstanding. */
    void onReplicated(final long sequence, final long epoch, final long nowNs)
    {
        if (sequence >= firstSequence)
        {
            onAcknowledged(epoch, nowNs);
        }
    }

    void onAcknowledged(final long epoch, final long nowNs)
    {
        isAcknowledged = true;
        acknowledgedNs = nowNs;
        if (isBackDue)
        {
            isBackDue = false;
            listener.onServiceBack(partition, epoch, outstanding, lostNs, nowNs);
        }
    }
}
