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
import io.aeron.ControlledFragmentAssembler;
import io.aeron.Image;
import io.aeron.Subscription;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.Streams;
import io.gradstream.recovery.replica.ChainNode;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.recovery.replica.ReplicaProgress;
import io.gradstream.server.coordinator.CoordinatorPort;
import io.gradstream.server.coordinator.state.ReplicaPositions;
import io.gradstream.server.node.NodeCounters.Counter;
import io.gradstream.server.partition.HostedPartition;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.NanoClock;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The one thread of a node that touches its partitions: it moves bytes between workers, partitions and the Archive.
 */
final class NodeAgent implements Agent
{
    /** Most fragments taken in one duty cycle. */
    static final int FRAGMENT_LIMIT = 32;
    /** A worker hears from its server at least so often. */
    static final long SIGN_OF_LIFE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** A node that the coordinator does not know yet registers again after so long. */
    static final long REGISTER_RETRY_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long SLOW_TICK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int INITIAL_MESSAGE_LENGTH = 64 * 1024;

    private final NodeParts parts;
    private final NodeCounters counters;
    private final NanoClock nanoClock;
    private final long workerTimeoutNs;
    private final List<HostedPartition> hosted = new ArrayList<>();
    private final BitSet hostedPartitions = new BitSet();
    private final BitSet toldDamage = new BitSet();
    /** Partitions whose place is here by the newest map. */
    private final BitSet homes = new BitSet();
    private CoordinatorPort coordinator;
    private final Map<Integer, ReplicaPositions> positions = new TreeMap<>();
    private JobSpec job;
    private boolean isPlaced;
    private long aliveNs;
    private Aeron aeron;
    private ChainPublisher chainPublisher;
    private ChainNode chainNode;
    private ChainAdapter chainAdapter;
    private long incarnation;
    private Registration registration;
    private long registerNs;
    private long snapshotIntervalNs;
    private long snapshotNs;
    private Subscription ingress;
    private ControlledFragmentAssembler assembler;
    private IngressAdapter adapter;
    private WorkerConnections connections;
    private PendingPulls pulls;
    private PendingDescriptions descriptions;
    private EgressPublisher egress;
    private WatermarksPublisher watermarks;
    private long slowTickNs;
    private final Readiness readiness;
    private boolean isClosing;
    private volatile boolean hasLostClient;
    private volatile Throwable failure;

    NodeAgent(
        final NodeParts parts, final NodeCounters counters, final NanoClock nanoClock, final long workerTimeoutNs)
    {
        this.parts = parts;
        this.counters = counters;
        this.nanoClock = nanoClock;
        this.workerTimeoutNs = workerTimeoutNs;
        readiness = new Readiness(parts.nodeId());
    }

    boolean isServing()
    {
        return readiness.isReady() && null == failure;
    }

    /**
     * What it waits for before it serves.
     */
    String waitingFor()
    {
        return readiness.waitingFor();
    }

    /**
     * Why the node ended, or null.
     */
    Throwable failure()
    {
        return failure;
    }

    /**
     * Once the node ended: had its client of the media driver closed?
     */
    boolean hasLostClient()
    {
        return hasLostClient;
    }

    void fail(final Throwable reason)
    {
        readiness.onEnd();
        if (null == failure)
        {
            failure = reason;
        }
    }

    @Override
    public void onStart()
    {
        try
        {
            open();
        }
        catch (final RuntimeException ex)
        {
            fail(ex);
        }
    }

    @Override
    public int doWork()
    {
        if (null != failure)
        {
            throw new AgentTerminationException(failure);
        }
        try
        {
            return work();
        }
        catch (final RuntimeException ex)
        {
            hasLostClient = parts.hasLostClient();
            fail(ex);
            throw new AgentTerminationException(ex);
        }
    }

    private int work()
    {
        final long nowNs = nanoClock.nanoTime();
        int workCount = aeron.conductorAgentInvoker().invoke() + parts.archive().doWork(nowNs);
        if (nowNs - slowTickNs >= SLOW_TICK_NS)
        {
            slowTickNs = nowNs;
            workCount += slowTick(nowNs);
        }
        workCount += chainWork(nowNs);
        adapter.nowNs(nowNs);
        workCount += ingress.controlledPoll(assembler, FRAGMENT_LIMIT);
        if (null != adapter.failure())
        {
            throw adapter.failure();
        }
        for (int i = 0, size = hosted.size(); i < size; i++)
        {
            workCount += partitionWork(hosted.get(i), nowNs);
        }
        // a pause since the beginning of this cycle may have cost the leases
        checkLeases(nanoClock.nanoTime());
        workCount += pulls.doWork() + descriptions.doWork();
        workCount += answer(nowNs);

        return workCount;
    }

    @Override
    public void onClose()
    {
        readiness.onEnd();
        isClosing = true;
        CloseHelper.quietCloseAll(connections, chainAdapter, chainPublisher);
        CloseHelper.quietCloseAll(hosted);
        CloseHelper.quietClose(ingress);
        CloseHelper.quietClose(parts);
    }

    @Override
    public String roleName()
    {
        return "node-" + parts.nodeId();
    }

    private void open()
    {
        aeron = parts.connect();
        incarnation = parts.incarnation();
        registration = new Registration(parts.nodeId(), incarnation, parts.endpoint());
        registerNs = nanoClock.nanoTime() - REGISTER_RETRY_NS;
        snapshotNs = nanoClock.nanoTime();
        aliveNs = registerNs;
        coordinator = parts.openCoordinator();
        chainPublisher = parts.newChainPublisher(incarnation);
        chainNode = parts.newChainNode(incarnation, chainPublisher);
        chainAdapter = new ChainAdapter(
            parts.jobId(), chainNode, counters,
            aeron.addSubscription(parts.ingressChannel(), Streams.CHAIN_CONTROL, (image) -> {}, this::onNeighbourGone),
            aeron.addSubscription(parts.ingressChannel(), Streams.CHAIN, (image) -> {}, this::onNeighbourGone));
        egress = new EgressPublisher(parts.nodeId(), incarnation, parts.maxResponseLength());
        watermarks = new WatermarksPublisher(parts.nodeId(), incarnation, hosted);
        pulls = new PendingPulls(egress, counters);
        connections = new WorkerConnections(parts.jobId(), parts::openResponses, counters);
        descriptions = new PendingDescriptions(new DescriptionPublisher());
        adapter = new IngressAdapter(hosted, connections, pulls, descriptions, egress, counters);
        assembler = new ControlledFragmentAssembler(adapter, INITIAL_MESSAGE_LENGTH, true);
        ingress = aeron.addSubscription(
            parts.ingressChannel(), parts.ingressStreamId(), (image) -> {},
            (image) ->
            {
                if (!isClosing)
                {
                    assembler.freeSessionBuffer(image.sessionId());
                }
            });
    }

    private void onNeighbourGone(final Image image)
    {
        if (!isClosing && null != chainAdapter)
        {
            chainAdapter.onSessionGone(image.sessionId());
        }
    }

    private int slowTick(final long nowNs)
    {
        long brokenRecords = 0;
        for (final HostedPartition host : hosted)
        {
            checkReplica(host.number(), host.replica(), job.copies());
            tellDamage(host.number(), host.replica().damage());
            brokenRecords += host.replica().progress().brokenRecords();
        }
        readiness.onTick(hosted, isPlaced ? homes : null, coordinator, nowNs);
        counters.set(Counter.BROKEN_RECORDS, brokenRecords);
        if (snapshotIntervalNs > 0 && nowNs - snapshotNs >= snapshotIntervalNs)
        {
            snapshotNs = nowNs;
            wantSnapshots();
        }
        registration.check(nowNs);
        if (!chainNode.isKnown() && nowNs - registerNs >= REGISTER_RETRY_NS &&
            coordinator.register(parts.nodeId(), incarnation, parts.endpoint()))
        {
            registerNs = nowNs;
        }
        if (chainNode.isKnown() && nowNs - aliveNs >= CoordinatorPort.ALIVE_INTERVAL_NS && showLife())
        {
            aliveNs = nowNs;
        }
        if (aeron.isClosed())
        {
            throw new IllegalStateException("the Aeron client was closed: is the media driver running?");
        }

        return connections.slowTick(nowNs, workerTimeoutNs);
    }

    private void wantSnapshots()
    {
        for (final HostedPartition host : hosted)
        {
            if (host.isPrimary())
            {
                host.onSnapshotWanted();
            }
        }
    }

    /** Where there is another copy nobody else would say why this one is fetched, or why none is opened. */
    private void tellDamage(final int partition, final String damage)
    {
        if (null != damage && !toldDamage.get(partition))
        {
            parts.onDamage(partition, damage);
        }
        toldDamage.set(partition, null != damage);
    }

    private static void checkReplica(final int partition, final Replica replica, final int copies)
    {
        if (null != replica.haltReason())
        {
            throw new IllegalStateException("partition=" + partition + " halted: " + replica.haltReason());
        }
        if (null != replica.damage() && copies <= 1)
        {
            throw new IllegalStateException("partition=" + partition + " has no other copy: " + replica.damage());
        }
    }

    private int chainWork(final long nowNs)
    {
        final int coordinatorWork = coordinator.doWork(nowNs);
        final ClusterMap map = coordinator.poll();
        if (null != map)
        {
            onMap(map, nowNs);
        }
        final int workCount = coordinatorWork + chainAdapter.poll(nowNs) + chainNode.doWork(nowNs);
        checkLeases(nowNs);

        return workCount;
    }

    /**
     * Keep what belongs here from now on. What does not any more stays on disk, and without a role.
     */
    private void onMap(final ClusterMap map, final long nowNs)
    {
        parts.claimDirectory(map.clusterId());
        registration.onMap(map, nowNs);
        if (null == job && null != map.job())
        {
            job = map.job();
            parts.check(job, map.clusterId());
            snapshotIntervalNs = parts.snapshotIntervalNs(job);
        }
        isPlaced = isPlacedBy(map);
        chainPublisher.onEndpoints(map.endpoints());
        for (int partition = 0; partition < map.homes().size(); partition++)
        {
            homes.set(partition, map.homes().get(partition).contains(parts.nodeId()));
            if (homes.get(partition) && !hostedPartitions.get(partition))
            {
                host(partition);
            }
        }
        chainNode.onMap(map.chains(), nowNs);
    }

    /** Has the coordinator placed partitions, and does it know this process? */
    private boolean isPlacedBy(final ClusterMap map)
    {
        final int nodeId = parts.nodeId();
        return map.homes().stream().anyMatch((nodes) -> !nodes.isEmpty()) &&
            nodeId < map.chains().incarnations().size() && incarnation == map.chains().incarnations().get(nodeId);
    }

    private void host(final int partition)
    {
        final HostedPartition host = parts.newPartition(job, partition, incarnation, chainPublisher);
        hosted.add(host);
        hostedPartitions.set(partition);
        chainNode.add(host.replica());
        chainAdapter.add(host.replica());
        adapter.onHosted(hosted.size() - 1);
    }

    private boolean showLife()
    {
        positions.clear();
        for (final HostedPartition host : hosted)
        {
            final ReplicaProgress progress = host.replica().progress();
            final boolean hasRole = host.isPrimary() || 0 != progress.attachment();
            positions.put(host.number(), new ReplicaPositions(
                host.partition().cursor().position(),
                hasRole ? progress.replicatedPosition() : 0,
                hasRole ? progress.recordedPosition() : 0));
        }

        return coordinator.alive(positions);
    }

    private void checkLeases(final long nowNs)
    {
        for (int i = 0, size = hosted.size(); i < size; i++)
        {
            final HostedPartition host = hosted.get(i);
            host.hasLease(host.isPrimary() && chainNode.mayAnswer(host.replica(), nowNs));
        }
    }

    private int partitionWork(final HostedPartition host, final long nowNs)
    {
        final int workCount = host.doWork(nowNs);
        if (host.startSnapshotIfDue())
        {
            counters.increment(Counter.STARTED_SNAPSHOTS);
        }

        return workCount;
    }

    private int answer(final long nowNs)
    {
        int workCount = 0;
        final List<WorkerConnection> all = connections.all();
        for (int i = 0, size = all.size(); i < size; i++)
        {
            final WorkerConnection connection = all.get(i);
            if (connection.responses().isConnected())
            {
                workCount += answer(connection, nowNs) ? 1 : 0;
            }
        }

        return workCount;
    }

    private boolean answer(final WorkerConnection connection, final long nowNs)
    {
        if (connection.isConnectedDue())
        {
            if (!egress.connected(connection))
            {
                return false;
            }
            connection.onConnectedSent();
        }
        final boolean isSignOfLife = connection.startSignOfLife(nowNs, SIGN_OF_LIFE_NS);
        final boolean isSent = watermarks.publish(connection, isSignOfLife);
        if (isSent && isSignOfLife)
        {
            connection.onSignOfLife(nowNs);
        }

        return isSent;
    }
}
