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
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.Streams;
import io.gradstream.recovery.archive.ArchiveReplicaStorage;
import io.gradstream.recovery.archive.client.ArchiveClient;
import io.gradstream.recovery.archive.client.LogGeometry;
import io.gradstream.recovery.replica.ChainNode;
import io.gradstream.recovery.replica.NodePort;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.recovery.replica.ReplicaStorage;
import io.gradstream.recovery.replica.SnapshotOnlyStorage;
import io.gradstream.server.coordinator.CoordinatorPort;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.Partition;
import org.agrona.CloseHelper;
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
    private final Supplier<Aeron.Context> clients;
    private final Supplier<AeronArchive.Context> archiveContexts;
    private Aeron aeron;
    private ArchiveClient archive;
    private CoordinatorPort coordinator;
    private long claimedCluster = ClusterMap.NO_CLUSTER;

    NodeParts(
        final ServerNode.Context ctx,
        final Supplier<Aeron.Context> clients,
        final Supplier<AeronArchive.Context> archiveContexts)
    {
        this.ctx = ctx;
        this.clients = clients;
        this.archiveContexts = archiveContexts;
    }

    /**
     * Connect to the driver. The client has no thread: the agent runs its conductor.
     */
    Aeron connect()
    {
        aeron = Aeron.connect(clients.get()
            .useConductorAgentInvoker(true)
            .errorHandler(ctx.errorHandler()));
        archive = new ArchiveClient(aeron, archiveContexts, ctx.errorHandler());

        return aeron;
    }

    /**
     * The coordinator, by way of the driver connected to.
     */
    CoordinatorPort openCoordinator()
    {
        coordinator = ctx.newCoordinator(aeron);
        return coordinator;
    }

    /**
     * The directory's state is of this cluster, or of none yet.
     *
     * @throws io.gradstream.driver.HostDriverException if it is another cluster's.
     */
    void claimDirectory(final long clusterId)
    {
        if (claimedCluster != clusterId && ClusterMap.NO_CLUSTER != clusterId)
        {
            ctx.claimDirectory("cluster", Long.toHexString(clusterId));
            claimedCluster = clusterId;
        }
    }

    /**
     * A replica's own log or snapshots cannot be used.
     */
    void onDamage(final int partition, final String damage)
    {
        ctx.errorHandler().onError(new IllegalStateException(
            "partition=" + partition + " is damaged here and waits for another copy: " + damage));
    }

    /**
     * To be run with each duty cycle.
     */
    ArchiveClient archive()
    {
        return archive;
    }

    /**
     * Has this client of the media driver closed? One that gives up closes its streams first, and itself when it runs
     * next.
     */
    boolean hasLostClient()
    {
        aeron.conductorAgentInvoker().invoke();

        return aeron.isClosed();
    }

    HostedPartition newPartition(
        final JobSpec job, final int number, final long incarnation, final NodePort port)
    {
        final Partition partition = new Partition(
            ctx.jobId(), number, ctx.nodeId(), new PartitionFunction(job.partitions()),
            ctx.rowStoreFactory(job.rowCapacity()), job.mode());
        final ReplicaStorage storage = newStorage(number, job.mode());
        final Replica replica = new Replica(nodeId(), incarnation, number, storage, partition, port, coordinator);

        return new HostedPartition(partition, storage, replica, ctx.snapshotLogBytes());
    }

    private ReplicaStorage newStorage(final int number, final RecoveryMode mode)
    {
        final LogGeometry geometry = LogGeometry.DEFAULT;
        final ReplicaStorage storage = new ArchiveReplicaStorage(
            archive, geometry, ctx.jobId(), number, ctx.keepLogAll(), ctx.acceptsLoss(), SystemNanoClock.INSTANCE);

        return mode.keepsLog() ? storage :
            new SnapshotOnlyStorage(storage, geometry.mtuLength(), geometry.termLength());
    }

    ChainPublisher newChainPublisher(final long incarnation)
    {
        return new ChainPublisher(nodeId(), ctx.jobId(), incarnation,
            (endpoint) -> new NeighbourStreams(aeron, ctx.chainChannel(endpoint)));
    }

    ChainNode newChainNode(final long incarnation, final NodePort port)
    {
        return new ChainNode(
            nodeId(), incarnation, JobSpec.MAX_NODES, ctx.chainTiming(), List.of(), port, coordinator);
    }

    /**
     * Checks what can only be checked once the job is known.
     *
     * @throws IllegalStateException if a setting contradicts it.
     */
    void check(final JobSpec job, final long clusterId)
    {
        if (ClusterMap.NO_CLUSTER == clusterId)
        {
            ctx.requireNoCluster();
        }
        ctx.chainTiming().requireCopies(job.copies());
        // where a key belongs follows from their number
        ctx.claimDirectory("partitions", Integer.toString(job.partitions()));
    }

    long snapshotIntervalNs(final JobSpec job)
    {
        return ctx.snapshotIntervalNs(job.mode());
    }

    String endpoint()
    {
        return ctx.ingressEndpoint();
    }

    int nodeId()
    {
        return ctx.nodeId();
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
        return ctx.incarnationClock().nanoTime();
    }

    int maxResponseLength()
    {
        return ctx.responseTermLength() / MESSAGES_PER_TERM;
    }

    ResponseStream openResponses(final String endpoint, final int streamId)
    {
        return new AeronResponseStream(
            aeron, endpoint, streamId, ctx.responseTermLength(), ctx.mtuLength());
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
        CloseHelper.quietCloseAll(coordinator, archive, aeron);
    }
}
