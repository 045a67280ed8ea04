// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.node;

import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.coordinator.client.CoordinatorPort;
import io.gradstream.recovery.chain.NodePort;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.node.Node;
import io.gradstream.server.node.NodeCounters;
import io.gradstream.server.node.NodeHost;
import io.gradstream.server.node.NodeIdentity;
import io.gradstream.server.node.NodeTiming;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.table.InMemoryRowStore;
import io.gradstream.simulator.coordinator.SimulatedCoordinator;
import io.gradstream.simulator.storage.SimulatedStorage;
import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.ScenarioConfig;
import io.gradstream.simulator.world.World;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** One life of a node: the production node between simulated neighbours, coordinators, workers and disks. */
public final class SimulatedProcess implements NodeHost
{
    /** By the clock of a node, which runs ten times as fast as a real one's. */
    private static final long OTHER_PROCESS_NS = NodeTiming.OTHER_PROCESS_NS / SimulatedCoordinator.TIME_SCALE;
    private static final long NEVER_NS = Long.MAX_VALUE;
    private static final int ROWS = 64;

    private final World world;
    private final Cluster cluster;
    private final SimulatedNode simulated;
    private final long incarnation;
    private final CoordinatorPort coordinator;
    private final Node node;
    /** When the duty cycle began, for a planted fault. */
    private long cycleNs;
    private boolean isPollingWorkers;
    private final Set<Integer> jobsOfThisLife = new TreeSet<>();

    SimulatedProcess(final World world, final Cluster cluster, final SimulatedNode simulated, final long incarnation)
    {
        this.world = world;
        this.cluster = cluster;
        this.simulated = simulated;
        this.incarnation = incarnation;
        cluster.lies().lease().onStart(simulated.seat());
        cycleNs = simulated.nowNs();
        coordinator = new WatchedCoordinator(world, cluster, simulated.seat(), incarnation);
        node = new Node(
            new NodeIdentity(ScenarioConfig.JOB_ID, simulated.id(), incarnation, "node-" + simulated.seat() + ":1"),
            timing(cluster.hasOther(simulated)), this::clockNs,
            coordinator, new SimulatedTransport(world, cluster, this, simulated), this, new NodeCounters());
    }

    /**
     * Returns the times of a node. A process that was alone when it started has to end as soon as it hears that it is
     * no longer the node.
     */
    private static NodeTiming timing(final boolean isSecond)
    {
        return new NodeTiming(
            ScenarioConfig.TIMING,
            0,
            NodeTiming.REPORT_NS / SimulatedCoordinator.TIME_SCALE,
            10_000_000,
            500_000_000,
            isSecond ? OTHER_PROCESS_NS : NEVER_NS);
    }

    /** A clock that stands still for a while shows what happens where it is not looked at again. */
    private long clockNs()
    {
        final boolean isOld = world.isPlanted(PlantedFault.LEASE_UNCHECKED_AFTER_PAUSE) ||
            world.isPlanted(PlantedFault.WELCOME_BY_OLD_LEASE) && isPollingWorkers;

        return isOld ? cycleNs : simulated.nowNs();
    }

    void isPollingWorkers(final boolean isPolling)
    {
        isPollingWorkers = isPolling;
    }

    int seat()
    {
        return simulated.seat();
    }

    /** True if the node says that all is in sync that belongs there. */
    public boolean isReady()
    {
        return node.readiness().isReady();
    }

    /** The partition as it is kept here, or null if it is not. */
    public HostedPartition hosted(final int partition)
    {
        return node.hosted(partition);
    }

    /** True if it would answer workers now. */
    public boolean mayAnswer(final int partition)
    {
        final HostedPartition copy = hosted(partition);
        return null != copy && copy.isPrimary() && (node.mayAnswer(copy, simulated.nowNs()) ||
            cluster.lies().lease().hasLease(simulated.seat(), copy.replica(), simulated.nowNs()));
    }

    void doWork()
    {
        cycleNs = simulated.nowNs();
        node.doWork();
    }

    void onDeath()
    {
        coordinator.close();
        for (int partition = 0; partition < world.config().partitions(); partition++)
        {
            if (null != hosted(partition))
            {
                cluster.listener().onDeath(simulated.seat(), hosted(partition));
            }
        }
    }

    @Override
    public void onCluster(final long clusterId)
    {
        // there is one
    }

    @Override
    public void onJob(final ClusterMap.Job job)
    {
        simulated.jobs().put(job.id(), job.spec().partitions());
        jobsOfThisLife.add(job.id());
    }

    @Override
    public Map<Integer, Integer> jobsOnDisk()
    {
        final Map<Integer, Integer> jobs = new TreeMap<>(simulated.jobs());
        if (world.isPlanted(PlantedFault.JOB_DELETED_WHILE_AWAY_KEPT))
        {
            jobs.keySet().retainAll(jobsOfThisLife);
        }

        return jobs;
    }

    /** As in production: a directory names a deleted job until nothing is left of any of its partitions. */
    @Override
    public void onDeleted(final int jobId)
    {
        world.journal().note("node-" + simulated.id(), "has nothing of job any more", jobId);
        simulated.onDeleted(jobId);
    }

    @Override
    public HostedPartition newPartition(
        final ClusterMap.Job job, final int number, final NodePort neighbours)
    {
        if (ScenarioConfig.JOB_ID != job.id())
        {
            return newPartitionOfOther(job, number, neighbours);
        }
        final SimulatedStorage storage = simulated.keep(job.id(), number);
        final Partition partition = new Partition(
            ScenarioConfig.JOB_ID, number, simulated.id(), new PartitionFunction(world.config().partitions()),
            (id, spec, rowLength) -> new InMemoryRowStore(rowLength, ROWS));
        partition.sumClocks(ScenarioConfig.MAX_HELD_BYTES);
        if (world.config().isCycleSummed())
        {
            partition.sumCycles(ScenarioConfig.MAX_HELD_BYTES);
        }
        storage.start(partition.rows()::read, () -> cluster.policy().mayDie(simulated),
            () -> null != hosted(number) && hosted(number).isPrimary());
        storage.onCut(() -> cluster.listener().onLogCut(simulated.seat(), number));
        storage.file().onAppended((epoch, end, hash) -> cluster.listener().onAppended(number, epoch, end, hash));
        final Replica replica = new Replica(simulated.id(), incarnation, number, storage,
            PlantedScheduleFaults.of(world, partition,
                PlantedSums.of(world, partition, cluster.histories().history(number))), neighbours);

        return new SimulatedPartition(world, cluster, simulated, partition, storage, replica);
    }

    private HostedPartition newPartitionOfOther(
        final ClusterMap.Job job, final int number, final NodePort neighbours)
    {
        final int numberInJob = number - job.firstPartition();
        if (world.isPlanted(PlantedFault.COPY_OF_DELETED_JOB_OPENED))
        {
            simulated.takeOfDeletedJob(cluster, job.id(), numberInJob);
        }
        final SimulatedStorage storage = simulated.keep(job.id(), numberInJob);
        final Partition partition = new Partition(
            job.id(), numberInJob, simulated.id(), new PartitionFunction(job.spec().partitions()),
            (id, spec, rowLength) -> new InMemoryRowStore(rowLength, ROWS));
        partition.sumClocks(ScenarioConfig.MAX_HELD_BYTES);
        storage.start(partition.rows()::read, () -> cluster.policy().mayDie(simulated),
            () -> null != hosted(number) && hosted(number).isPrimary());
        storage.onCut(() -> onLogCut(job.id(), numberInJob));
        storage.file().onAppended((epoch, end, hash) ->
            cluster.jobListener().onAppended(job.id(), numberInJob, epoch, end, hash));
        world.journal().note("node-" + simulated.id() + "/" + number, "is opened for job", job.id());

        return new OtherJobPartition(world, cluster, simulated, partition, storage,
            new Replica(simulated.id(), incarnation, number, storage, partition, neighbours));
    }

    private void onLogCut(final int jobId, final int partition)
    {
        if (ScenarioConfig.JOB_ID == jobId)
        {
            cluster.listener().onLogCut(simulated.seat(), partition);
        }
        else
        {
            cluster.jobListener().onLogCut(simulated.seat(), jobId, partition);
        }
    }

    @Override
    public ReplicaStorage leftover(final int jobId, final int partition)
    {
        final int wiped = world.isPlanted(PlantedFault.ANOTHER_JOB_WIPED) ? ScenarioConfig.JOB_ID : jobId;
        final SimulatedStorage storage = simulated.storage(wiped, partition);
        if (null != storage)
        {
            storage.start((tableId, key, destination, offset) -> {}, () -> cluster.policy().mayDie(simulated),
                () -> false);
            storage.onCut(() -> onLogCut(wiped, partition));
        }

        return storage;
    }

    @Override
    public void onNotDeleted(final int jobId, final int partition, final RuntimeException problem)
    {
        world.journal().note("node-" + simulated.id() + "/" + partition, "is not deleted", problem.getMessage());
    }

    @Override
    public void onDropped(final HostedPartition copy)
    {
        world.journal().note("node-" + simulated.id() + "/" + copy.number(), "is dropped");
        if (ScenarioConfig.JOB_ID == copy.jobId())
        {
            cluster.listener().onDeath(simulated.seat(), copy);
        }
    }

    @Override
    public void onDamage(final int partition, final String damage)
    {
        world.journal().note("node-" + simulated.id() + "/" + partition, "is damaged", damage);
        if (partition < world.config().partitions())
        {
            cluster.policy().onDamage(partition);
        }
    }

    @Override
    public void onState(final int partition, final Replica.State from, final Replica.State to, final String reason)
    {
        world.events().trace(to.ordinal());
        world.journal().note("node-" + simulated.id() + "/" + partition, "is", to, "because", reason);
    }

    @Override
    public void onLink(final int partition, final Enum<?> from, final Enum<?> to, final String reason)
    {
        world.journal().note("node-" + simulated.id() + "/" + partition, "has a link", to, "because", reason);
    }

    @Override
    public void onRecordingAwaited()
    {
        // it is recorded when the scenario says so
    }

    @Override
    public void onCounters()
    {
        // nobody looks
    }

    @Override
    public void onReplica(final HostedPartition copy, final boolean hasLease)
    {
        // nobody looks
    }
}
