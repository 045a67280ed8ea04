// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.aeron;

import io.aeron.Aeron;
import io.aeron.archive.client.AeronArchive;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.coordinator.client.CoordinatorPort;
import io.gradstream.driver.DirectoryOwner;
import io.gradstream.recovery.archive.ArchiveReplicaStorage;
import io.gradstream.recovery.archive.client.ArchiveClient;
import io.gradstream.recovery.archive.client.LogGeometry;
import io.gradstream.recovery.chain.ChainTiming;
import io.gradstream.recovery.chain.NodePort;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.log.SnapshotOnlyStorage;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.node.Node;
import io.gradstream.server.node.NodeCounters;
import io.gradstream.server.node.NodeHost;
import io.gradstream.server.node.NodeIdentity;
import io.gradstream.server.node.NodeTiming;
import io.gradstream.server.node.Readiness;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.share.ConnectionLimit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.SystemNanoClock;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The process in which a node runs: its Aeron client, its directory and its Archive. Used by the node's thread only.
 */
final class NodeProcess implements NodeHost, AutoCloseable
{
    /** Name under which the directory keeps the version of the newest map that has changed this node's places. */
    private static final String PLACES_VERSION = "places-version";

    private final ServerNode.Context ctx;
    private final Supplier<Aeron.Context> clients;
    private final Supplier<AeronArchive.Context> archiveContexts;
    private final Runnable recordingAwaited;
    private final NodeCounters counters;
    private final long incarnation;
    private Aeron aeron;
    private ArchiveClient archive;
    private AeronNodeTransport transport;
    private CoordinatorPort coordinator;
    private Node node;
    private NodeDisplay display;
    /** Of the newest map by which places of this node have changed; below 0 while the directory was not read. */
    private long placesVersion = -1;
    private boolean isOlderMapTold;
    private boolean isOtherVersionTold;
    /** As the directory says; null while it has to be read. */
    private Map<Integer, Integer> jobsOnDisk;
    private long claimedCluster = ClusterMap.NO_CLUSTER;

    NodeProcess(
        final ServerNode.Context ctx,
        final Supplier<Aeron.Context> clients,
        final Supplier<AeronArchive.Context> archiveContexts,
        final Runnable recordingAwaited,
        final NodeCounters counters)
    {
        this.ctx = ctx;
        this.clients = clients;
        this.archiveContexts = archiveContexts;
        this.recordingAwaited = recordingAwaited;
        this.counters = counters;
        incarnation = ctx.incarnationClock.nanoTime();
    }

    /** Connect to the driver, by a client whose conductor this thread runs, and make the node. */
    Readiness start()
    {
        aeron = Aeron.connect(clients.get()
            .useConductorAgentInvoker(true)
            .errorHandler(ctx.errorHandler));
        archive = new ArchiveClient(aeron, archiveContexts, ctx.errorHandler);
        coordinator = ctx.newCoordinator(aeron);
        transport = new AeronNodeTransport(ctx, aeron, incarnation);
        display = new NodeDisplay(aeron, ctx.nodeId, counters);
        node = new Node(
            new NodeIdentity(ctx.jobId, ctx.nodeId, incarnation, ctx.ingressEndpoint),
            NodeTiming.of(ctx.chainTiming, ctx.workerTimeoutNs),
            SystemNanoClock.INSTANCE, coordinator, transport, this, counters);

        return node.readiness();
    }

    int doWork()
    {
        final int workCount = aeron.conductorAgentInvoker().invoke();
        if (aeron.isClosed())
        {
            throw new IllegalStateException("the Aeron client was closed: is the media driver running?");
        }

        return workCount + archive.doWork(SystemNanoClock.INSTANCE.nanoTime()) + node.doWork();
    }

    boolean hasLocalWorkers()
    {
        return null != transport && transport.hasLocalWorkers();
    }

    /**
     * True if this client of the media driver has closed. A client that gives up closes its streams first, and closes
     * itself when it runs next.
     */
    boolean hasLostClient()
    {
        if (null != aeron)
        {
            aeron.conductorAgentInvoker().invoke();
        }

        return null != aeron && aeron.isClosed();
    }

    String roleName()
    {
        return "node-" + ctx.nodeId;
    }

    @Override
    public void onCluster(final long clusterId)
    {
        if (claimedCluster != clusterId && ClusterMap.NO_CLUSTER != clusterId)
        {
            if (ClusterMap.NO_CLUSTER != claimedCluster)
            {
                throw new IllegalStateException("the coordinators were cluster " + Long.toHexString(claimedCluster) +
                    " and are cluster " + Long.toHexString(clusterId) + " now: give them back the directories that" +
                    " they had, or start over with an empty --dir of every server");
            }
            ctx.claimDirectory("cluster", Long.toHexString(clusterId));
            claimedCluster = clusterId;
        }
    }

    @Override
    public void onJob(final ClusterMap.Job known)
    {
        final JobSpec job = known.spec();
        ctx.chainTiming.requireCopies(Math.min(job.copies() + 1, ChainTiming.MAX_COPIES));
        checkFunctions(job);
        // where a key belongs follows from their number
        ctx.claimDirectory(DirectoryOwner.partitionsOf(known.id()), Integer.toString(job.partitions()));
        jobsOnDisk = null;
    }

    @Override
    public Map<Integer, Integer> jobsOnDisk()
    {
        if (null == jobsOnDisk)
        {
            jobsOnDisk = ctx.keepLogAll ? Map.of() : ctx.jobsInDirectory();
        }

        return jobsOnDisk;
    }

    @Override
    public void onDeleted(final int jobId)
    {
        ctx.forgetInDirectory(DirectoryOwner.partitionsOf(jobId));
        jobsOnDisk = null;
    }

    /** A job may have update functions that this node lacks. */
    @Override
    public boolean isFitForAnyJob()
    {
        return false;
    }

    /**
     * Check the job before the node is known to the coordinators: a node without the job's functions keeps no
     * partition.
     */
    private void checkFunctions(final JobSpec job)
    {
        final Set<String> missing = new TreeSet<>(job.functions());
        missing.removeAll(ctx.functions.ids());
        if (!missing.isEmpty())
        {
            throw new IllegalStateException("the job has update functions " + missing + ", which node " + ctx.nodeId +
                " lacks: put their jars into its --plugins directory, and start it again. It has " +
                (ctx.functions.ids().isEmpty() ? "none" : ctx.functions.ids()));
        }
    }

    @Override
    public HostedPartition newPartition(
        final ClusterMap.Job known, final int number, final NodePort neighbours)
    {
        final JobSpec job = known.spec();
        final int numberInJob = number - known.firstPartition();
        final Partition partition = new Partition(
            known.id(), numberInJob, ctx.nodeId, new PartitionFunction(job.partitions()),
            ctx.rowStoreFactory(job.rowCapacity()), job.mode(), ctx.functions.only(job.functions()));
        partition.sumClocks(ctx.heldBytesPerPartition(job.partitions()));
        if (ctx.sumCycles)
        {
            partition.sumCycles(ctx.heldBytesPerPartition(job.partitions()));
        }
        final ReplicaStorage storage = newStorage(known.id(), numberInJob, job.mode());
        final Replica replica = new Replica(ctx.nodeId, incarnation, number, storage, partition, neighbours);

        final HostedPartition copy =
            new HostedPartition(partition, storage, replica, ctx.snapshotThreshold(job.mode()));
        copy.snapshotInterval(ctx.snapshotIntervalNs(job.mode()));

        return copy;
    }

    @Override
    public ReplicaStorage leftover(final int jobId, final int partition)
    {
        return ctx.keepLogAll ? null : newStorage(jobId, partition, RecoveryMode.REPLAY);
    }

    @Override
    public void onNotDeleted(final int jobId, final int partition, final RuntimeException problem)
    {
        ctx.errorHandler.onError(new IllegalStateException("partition=" + partition + " of job=" + jobId +
            " is not kept here, and what is left of it here cannot be deleted: " + problem.getMessage(),
            problem));
    }

    @Override
    public void onOutpaced(final int partition)
    {
        ctx.errorHandler.onError(new IllegalStateException("partition=" + partition +
            " is written as fast as a copy that joins is sent its log, so that the copy does not catch up: raise" +
            " --move-bandwidth (" + ServerNode.Configuration.MOVE_BANDWIDTH_PROP_NAME + "=" + ctx.moveBandwidth +
            " bytes a second) of this server"));
    }

    @Override
    public void onNoRoom(final ConnectionLimit.NoRoom noRoom)
    {
        ctx.errorHandler.onError(new IllegalStateException("no room for another worker of job=" + noRoom.jobId() +
            ": it has " + noRoom.ofJob() + " connections here, all jobs have " + noRoom.all() +
            ", and a job may have at most " + ConnectionLimit.MOST_PER_FREE + " times as many as are left free of " +
            ServerNode.Configuration.MAX_CONNECTIONS_PROP_NAME + "=" + noRoom.max() +
            ": raise it on every server, or end workers"));
    }

    @Override
    public void onDropped(final HostedPartition copy)
    {
        display.onDropped(copy.number());
    }

    @Override
    public void onPlaces(final long mapVersion)
    {
        placesVersion = mapVersion;
        ctx.keepInDirectory(PLACES_VERSION, Long.toString(mapVersion));
    }

    @Override
    public long placesVersion()
    {
        if (placesVersion < 0)
        {
            final String kept = ctx.keptInDirectory(PLACES_VERSION);
            placesVersion = null == kept ? 0 : Long.parseLong(kept);
        }

        return placesVersion;
    }

    @Override
    public void onOlderMap(final long mapVersion)
    {
        if (!isOlderMapTold)
        {
            isOlderMapTold = true;
            ctx.errorHandler.onError(new IllegalStateException("the coordinators know their decisions up to " +
                mapVersion + ", and node " + ctx.nodeId + " was told decision " + placesVersion + " before: their" +
                " directories were put back to an older copy, or have lost what they held. Give them the newest" +
                " directories; until they have decided as much again, this server deletes nothing"));
        }
    }

    @Override
    public void onDamage(final int partition, final String damage)
    {
        ctx.errorHandler.onError(new IllegalStateException(
            "partition=" + partition + " cannot be opened with the copy here, and waits for another: " + damage));
    }

    @Override
    public void onState(final int partition, final Replica.State from, final Replica.State to, final String reason)
    {
        ctx.recoveryStateListener.onState(partition, from, to, reason);
    }

    @Override
    public void onLink(final int partition, final Enum<?> from, final Enum<?> to, final String reason)
    {
        ctx.recoveryStateListener.onLink(partition, from, to, reason);
    }

    @Override
    public void onRecordingAwaited()
    {
        recordingAwaited.run();
    }

    @Override
    public void onCounters()
    {
        display.onNode();
        if (!isOtherVersionTold && 0 != counters.get(NodeCounters.Counter.OTHER_VERSION_MESSAGES))
        {
            isOtherVersionTold = true;
            ctx.errorHandler.onError(new IllegalStateException("node " + ctx.nodeId + " is sent messages of another" +
                " version of Gradstream, and ignores them: run the same version of all workers and servers"));
        }
    }

    @Override
    public void onReplica(final HostedPartition copy, final boolean hasLease)
    {
        display.onReplica(copy, hasLease);
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(node, display, transport, coordinator, archive, aeron);
    }

    private ReplicaStorage newStorage(final int jobId, final int number, final RecoveryMode mode)
    {
        final LogGeometry geometry = LogGeometry.DEFAULT;
        final ReplicaStorage storage = new ArchiveReplicaStorage(
            archive, geometry, jobId, number, ctx.keepLogAll, ctx.acceptsLoss, SystemNanoClock.INSTANCE);

        return mode.keepsLog() ? storage :
            new SnapshotOnlyStorage(storage, geometry.mtuLength(), geometry.termLength());
    }
}
