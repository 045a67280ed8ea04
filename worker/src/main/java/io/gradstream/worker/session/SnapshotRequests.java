// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.worker.session;

import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.SnapshotWantedEncoder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Asks partitions for snapshots, for a worker that keeps its pushes until a snapshot covers them: when a spool is half
 * full of applied pushes, and while the worker waits for the rest to be snapshotted.
 */
public final class SnapshotRequests
{
    /** Least time from one request to the next at one partition. */
    public static final long INTERVAL_NS = 200_000_000L;

    private final UnsafeBuffer buffer =
        new UnsafeBuffer(new byte[MessageHeaderEncoder.ENCODED_LENGTH + SnapshotWantedEncoder.BLOCK_LENGTH]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final SnapshotWantedEncoder wanted = new SnapshotWantedEncoder();
    private final WorkerIdentity identity;
    private final long[] sentNs;
    /** Number of waits: of callers, futures of pushes, and an order of tickets. */
    private int awaiting;
    private long count;

    public SnapshotRequests(final WorkerIdentity identity, final int partitionCount, final long nowNs)
    {
        this.identity = identity;
        sentNs = new long[partitionCount];
        java.util.Arrays.fill(sentNs, nowNs - INTERVAL_NS);
    }

    /** Count one wait more (true), or one fewer, until pushes are snapshotted. */
    public void isAwaited(final boolean awaited)
    {
        awaiting += awaited ? 1 : -1;
    }

    /** Ask, by the partition's attached session, if a request is due. */
    public int send(final PartitionSession session, final Outbound outbound, final long nowNs)
    {
        final int partition = session.partition();
        final Spool spool = session.spool();
        final boolean isWanted = session.watermarks().of(AckLevel.APPLIED) >= spool.oldest() && !spool.isEmpty() &&
            (awaiting > 0 || spool.isHalfFull() || spool.isRoomAwaited());
        if (!isWanted || nowNs - sentNs[partition] < INTERVAL_NS)
        {
            return 0;
        }
        wanted.wrapAndApplyHeader(buffer, 0, header)
            .incarnation(identity.incarnation())
            .partition(partition)
            .slot(identity.slot());
        if (!outbound.offer(partition, buffer, 0, buffer.capacity()))
        {
            return 0;
        }
        sentNs[partition] = nowNs;
        count++;

        return 1;
    }

    public long count()
    {
        return count;
    }
}
