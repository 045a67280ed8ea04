// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.Chain;
import io.gradstream.recovery.chain.NodePort;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.replica.AttachAnswer;
import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.recovery.replica.Replica;
import org.agrona.DirectBuffer;

import java.util.List;

/**
 * A chain of one replica and its coordinator: a replica that has recovered is made head, one epoch above its log's last
 * and above every epoch granted before.
 */
public final class LoneChain implements NodePort
{
    private long version;
    private long grantedEpoch;

    /**
     * Let a replica recover for one duty cycle, and give it its role when it asks for one.
     *
     * @param replica that has no neighbours.
     */
    public void drive(final Replica replica)
    {
        replica.doWork(0);
        if (Replica.State.AWAIT_ROLE == replica.state() && Chain.DAMAGED != replica.logEpoch())
        {
            grantedEpoch = Math.max(grantedEpoch, replica.logEpoch()) + 1;
            replica.onChain(new Chain(grantedEpoch, ++version, List.of(0), Chain.NONE, 1));
        }
    }

    @Override
    public boolean heartbeat(
        final int nodeId, final long sentNs, final long heardNs, final long silentNs, final long mapVersion)
    {
        throw new IllegalStateException("nobody is there, nodeId=" + nodeId);
    }

    @Override
    public boolean progress(
        final ChainLink link, final long applied, final long recorded, final long snapshotted, final long grantNs)
    {
        throw new IllegalStateException("nobody is there: " + link);
    }

    @Override
    public boolean attach(final ChainLink link, final EpochHistory history, final long position)
    {
        throw new IllegalStateException("nobody is there: " + link);
    }

    @Override
    public boolean attachAnswer(final ChainLink link, final AttachAnswer answer, final long position)
    {
        throw new IllegalStateException("nobody is there: " + link);
    }

    @Override
    public boolean forward(
        final ChainLink link,
        final long previousPosition,
        final long endPosition,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        throw new IllegalStateException("nobody is there: " + link);
    }

    @Override
    public boolean snapshotFrame(
        final ChainLink link, final long index, final DirectBuffer buffer, final int offset, final int length)
    {
        throw new IllegalStateException("nobody is there: " + link);
    }
}
