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
package io.gradstream.server.node;

import io.aeron.Aeron;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;
import io.aeron.archive.client.AeronArchive;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.Streams;
import io.gradstream.recovery.archive.ArchiveReplicaStorage;
import io.gradstream.recovery.archive.Archivist;
import io.gradstream.recovery.archive.LogGeometry;
import io.gradstream.recovery.replica.ChainNode;
import io.gradstream.recovery.replica.NodePort;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.recovery.replica.ReplicaStorage;
import io.gradstream.recovery.replica.SnapshotOnlyStorage;
import io.gradstream.server.coordinator.CoordinatorPort;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.Partition;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.agrona.concurrent.SystemNanoClock;

import java.util.List;
import java.util.function.Supplier;

/**
 * Opens what a node's agent works with: its Aeron client and its partitions. Used by the agent's thread only.
 */
final class NodeParts implements AutoCloseable
{
    private static final int MESSAGES_PER_TERM = 8;

    private final ServerNode.Context ctx;
    private final Supplier<AeronArchive.Context> archiveContexts;
    private final Archivist archivist;
    private Aeron aeron;

    NodeParts(
        final ServerNode.Context ctx,
        final Supplier<AeronArchive.Context> archiveContexts,
        final Archivist archivist)
    {
        this.ctx = ctx;
        this.archiveContexts = archiveContexts;
        this.archivist = archivist;
    }

    /**
     * Connect to the driver. The client has no thread: the agent runs its conductor.
     */
    Aeron connect()
    {
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(archiveContexts.get().aeronDirectoryName())
            .useConductorAgentInvoker(true)
            .errorHandler(ctx.errorHandler()));

        return aeron;
    }

    void addPartitions(final long incarnation, final NodePort port, final List<HostedPartition> hosted)
    {
        final PartitionFunction placement = new PartitionFunction(ctx.partitionMap().partitionCount());
        for (final int number : ctx.homePartitions())
        {
            final Partition partition = new Partition(
                ctx.jobId(), number, ctx.nodeId(), placement, ctx.rowStoreFactory(), ctx.recoveryMode());
            final ReplicaStorage storage = newStorage(number);
            final Replica replica = new Replica(
                nodeId(), incarnation, number, storage, partition, port, ctx.coordinator());
            hosted.add(new HostedPartition(partition, storage, replica, ctx.snapshotLogBytes()));
        }
    }

    private ReplicaStorage newStorage(final int number)
    {
        final LogGeometry geometry = LogGeometry.DEFAULT;
        final ReplicaStorage storage = new ArchiveReplicaStorage(
            archivist, geometry, ctx.jobId(), number, ctx.keepLogAll(), SystemNanoClock.INSTANCE);

        return ctx.recoveryMode().keepsLog() ? storage :
            new SnapshotOnlyStorage(storage, geometry.mtuLength(), geometry.termLength());
    }

    ChainPublisher newChainPublisher(final long incarnation)
    {
        return new ChainPublisher(nodeId(), ctx.jobId(), incarnation, ctx.partitionMap().nodes().size(),
            (neighbour) -> new NeighbourStreams(aeron, ctx.chainChannel(neighbour)));
    }

    ChainNode newChainNode(final long incarnation, final NodePort port, final List<HostedPartition> hosted)
    {
        return new ChainNode(
            nodeId(), incarnation, ctx.partitionMap().nodes().size(), ctx.chainTiming(),
            hosted.stream().map(HostedPartition::replica).toList(), port, ctx.coordinator());
    }

    long snapshotIntervalNs()
    {
        return ctx.snapshotIntervalNs();
    }

    CoordinatorPort coordinator()
    {
        return ctx.coordinator();
    }

    int nodeId()
    {
        return ctx.partitionMap().nodes().get(ctx.nodeIndex()).nodeId();
    }

    int jobId()
    {
        return ctx.jobId();
    }

    /**
     * A number that grows with each start of the node.
     */
    long incarnation()
    {
        return new SystemEpochNanoClock().nanoTime();
    }

    int maxResponseLength()
    {
        return ctx.responseTermLength() / MESSAGES_PER_TERM;
    }

    ResponseStream openResponses(final String endpoint, final int streamId)
    {
        return new AeronResponseStream(
            aeron, endpoint, streamId, ctx.responseTermLength(), ctx.responseMtuLength());
    }

    String ingressChannel()
    {
        return new ChannelUriStringBuilder()
            .media(CommonContext.UDP_MEDIA)
            .endpoint(ctx.ingressEndpoint())
            .build();
    }

    int ingressStreamId()
    {
        return Streams.INGRESS;
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(aeron);
    }
}
