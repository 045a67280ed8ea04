// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.recovery.replica;

import io.gradstream.recovery.log.EpochHistory;
import org.agrona.DirectBuffer;

/**
 * Sends what a replica says to its neighbours in the chain. Calls never wait; a call that returns false has not been
 * taken and is made again. A message that was taken may still be lost. To one node, answers, records and frames arrive
 * in order.
 */
public interface ChainPort
{
    /**
     * Ask to follow.
     *
     * @param history  of this replica's log.
     * @param position where it ends, or {@link Upstream#WANTS_SNAPSHOT}.
     * @return false if not now.
     */
    boolean attach(ChainLink link, EpochHistory history, long position);

    /** Answer a follower. False if not now. */
    boolean attachAnswer(ChainLink link, AttachAnswer answer, long position);

    /**
     * Hand on a record.
     *
     * @param previousPosition where the record before it ends.
     * @param endPosition      where it ends.
     * @return false if not now.
     */
    boolean forward(
        ChainLink link, long previousPosition, long endPosition, DirectBuffer buffer, int offset, int length);

    /**
     * Hand on a frame of a snapshot.
     *
     * @param index of the frame, from 0 on.
     * @return false if not now.
     */
    boolean snapshotFrame(ChainLink link, long index, DirectBuffer buffer, int offset, int length);

    /**
     * Bytes of records that may wait for this port in each replica; a follower that lags further behind is sent the
     * recorded log again.
     *
     * @return a power of two, at least eight times the longest record.
     */
    default int queueLength()
    {
        return Downstream.QUEUE_LENGTH;
    }

    /** The limit of what this node reads for copies that join, the same for all its replicas. */
    default MoveBandwidth moveBandwidth()
    {
        return MoveBandwidth.UNLIMITED;
    }
}
