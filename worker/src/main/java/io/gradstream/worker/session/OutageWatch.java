/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
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
            lostNs = nowNs;
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

    /**
     * For a worker whose pushes wait for a snapshot: service is back when the chain has what was outstanding.
     */
    void onReplicated(final long sequence, final long epoch, final long nowNs)
    {
        if (sequence >= firstSequence)
        {
            onAcknowledged(epoch, nowNs);
        }
    }

    void onAcknowledged(final long epoch, final long nowNs)
    {
        if (isBackDue)
        {
            isBackDue = false;
            listener.onServiceBack(partition, epoch, outstanding, lostNs, nowNs);
        }
    }
}
