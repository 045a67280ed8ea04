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
package io.gradstream.server.partition;

import io.gradstream.codecs.Chain;
import io.gradstream.recovery.chain.NodePort;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.replica.AttachAnswer;
import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.recovery.replica.ReplicaReports;
import org.agrona.DirectBuffer;

import java.util.List;

/**
 * A chain of one replica and its coordinator: whoever has climbed is made head, one epoch above its log's last and
 * above every epoch granted before.
 */
public final class LoneChain implements NodePort, ReplicaReports
{
    private long version;
    private long climbedEpoch = -1;
    private long grantedEpoch;

    /**
     * Let a replica climb for one duty cycle, and give it its role when it asks for one.
     *
     * @param replica that has no neighbours.
     */
    public void drive(final Replica replica)
    {
        replica.doWork(0);
        if (climbedEpoch >= 0)
        {
            grantedEpoch = Math.max(grantedEpoch, climbedEpoch) + 1;
            replica.onChain(new Chain(grantedEpoch, ++version, List.of(0), Chain.NONE, 1));
            climbedEpoch = -1;
        }
    }

    @Override
    public boolean climbed(final int partition, final long epoch, final long position)
    {
        climbedEpoch = epoch;
        return true;
    }

    @Override
    public boolean leave(final int partition, final long leftVersion)
    {
        throw new IllegalStateException("nobody joins, partition=" + partition);
    }

    @Override
    public boolean confirm(final int partition, final long confirmedVersion)
    {
        return true;
    }

    @Override
    public boolean admit(final int partition, final long joinVersion, final int nodeId)
    {
        throw new IllegalStateException("nobody joins, nodeId=" + nodeId);
    }

    @Override
    public boolean claim(final int partition, final long version)
    {
        return true;
    }

    @Override
    public boolean suspect(
        final int partition, final long suspectVersion, final int nodeId, final boolean isAnswered)
    {
        throw new IllegalStateException("nobody is there, nodeId=" + nodeId);
    }

    @Override
    public boolean isAnswered(final long sinceNs)
    {
        throw new IllegalStateException("nobody is there");
    }

    @Override
    public boolean heartbeat(
        final int nodeId, final long sentNs, final long heardNs, final long silentNs, final long mapVersion)
    {
        throw new IllegalStateException("nobody is there, nodeId=" + nodeId);
    }

    @Override
    public boolean progress(
        final ChainLink link, final long applied, final long recorded, final long snapshotted, final long echoNs)
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
