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
package io.gradstream.simulation;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.recovery.replica.ChainNode;
import io.gradstream.recovery.replica.Follower;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.coordinator.ClusterCoordinator;
import io.gradstream.server.coordinator.CoordinatorPort;
import io.gradstream.server.coordinator.state.ReplicaPositions;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.InMemoryRowStore;
import io.gradstream.server.partition.Outcome;
import io.gradstream.server.partition.Partition;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One life of a node: the production chain, replicas and partitions, driven in the order of the production node's duty
 * cycle, between simulated neighbours, coordinator, workers and storage.
 */
final class NodeProcess
{
    private static final long REGISTER_RETRY_NS = 500_000_000 / SimulatedCoordinator.TIME_SCALE;
    private static final long ALIVE_INTERVAL_NS =
        CoordinatorPort.ALIVE_INTERVAL_NS / SimulatedCoordinator.TIME_SCALE;
    private static final int ROWS = 64;
    private static final long SNAPSHOT_LOG_BYTES = 5_000;

    private final World world;
    private final Cluster cluster;
    private final SimulatedNode node;
    private final long incarnation;
    private final CoordinatorPort coordinator;
    private final NodeReports reports;
    private final SimulatedNodePort port;
    private final ChainNode chainNode;
    private final HostedPartition[] hosted;
    private final Replica.State[] noted;
    private final SimulatedIngress ingress;
    private final SimulatedEgress egress;
    private final Follower.Forwarded forwarded = new Follower.Forwarded();
    private long registerNs;
    private long aliveNs;
    private long mapVersion;
    private long nowNs;
    /** When the duty cycle before this one was. */
    private long doneNs;

    NodeProcess(final World world, final Cluster cluster, final SimulatedNode node, final long incarnation)
    {
        this.world = world;
        this.cluster = cluster;
        this.node = node;
        this.incarnation = incarnation;
        coordinator = new ClusterCoordinator(
            (listener) -> cluster.coordinator().connect(node.id(), listener),
            (error) ->
            {
                throw new IllegalStateException(error);
            });
        reports = new NodeReports(
            world, coordinator, cluster.coordinator().lies(), cluster.lies().lease(), node.id());
        cluster.lies().lease().onStart(node.id());
        port = new SimulatedNodePort(cluster, node.id(), incarnation);
        hosted = new HostedPartition[world.shape.partitions()];
        noted = new Replica.State[hosted.length];
        chainNode = new ChainNode(
            node.id(), incarnation, world.shape.nodes(), Shape.TIMING, List.of(), port, reports);
        ingress = new SimulatedIngress(world, cluster, node.id(), hosted);
        egress = new SimulatedEgress(world, cluster, node.id(), hosted);
        registerNs = node.nowNs() - REGISTER_RETRY_NS;
        aliveNs = registerNs;
    }

    private HostedPartition host(final int number)
    {
        final SimulatedStorage storage = node.keep(number);
        final Partition partition = new Partition(
            1, number, node.id(), new PartitionFunction(world.shape.partitions()),
            (id, spec, rowLength) -> new InMemoryRowStore(rowLength, ROWS));
        storage.start(partition::readRow, () -> cluster.mayDie(node));
        storage.file().onAppended((epoch, end, hash) -> cluster.checker().onAppended(number, epoch, end, hash));
        final Replica replica = new Replica(node.id(), incarnation, number, storage, partition, port, reports);

        return new HostedPartition(partition, storage, replica, SNAPSHOT_LOG_BYTES);
    }

    /** The partition as it is kept here, or null if it is not. */
    HostedPartition hosted(final int partition)
    {
        return hosted[partition];
    }

    SimulatedIngress ingress()
    {
        return ingress;
    }

    /** Would it answer workers, if it were asked now? */
    boolean mayAnswer(final int partition)
    {
        final HostedPartition host = hosted[partition];
        return null != host && host.isPrimary() && hasLease(host, node.nowNs());
    }

    private boolean hasLease(final HostedPartition host, final long nodeNs)
    {
        final long atNs = world.isPlanted(PlantedFault.LEASE_UNCHECKED_AFTER_PAUSE) ? doneNs : nodeNs;
        return cluster.lies().lease().hasLease(node.id(), host.replica(), atNs) ||
            chainNode.mayAnswer(host.replica(), atNs);
    }

    void onDeath()
    {
        coordinator.close();
        for (final HostedPartition host : hosted)
        {
            if (null != host)
            {
                cluster.checker().onDeath(node.id(), host);
            }
        }
    }

    void doWork()
    {
        nowNs = node.nowNs();
        slowTick();
        chainWork();
        for (int client = 0; client < Shape.CLIENTS; client++)
        {
            final int from = client;
            cluster.link(client, node.id()).pollAtNode((bytes) -> ingress.onMessage(from, bytes));
        }
        for (final HostedPartition host : hosted)
        {
            if (null != host)
            {
                partitionWork(host);
            }
        }
        egress.doWork(ingress);
        doneNs = nowNs;
    }

    private void slowTick()
    {
        for (final HostedPartition host : hosted)
        {
            if (null != host)
            {
                cluster.checker().checkHalted(host.replica());
            }
        }
        if (!chainNode.isKnown() && nowNs - registerNs >= REGISTER_RETRY_NS &&
            coordinator.register(node.id(), incarnation, "node-" + node.id() + ":1"))
        {
            registerNs = nowNs;
        }
        if (chainNode.isKnown() && nowNs - aliveNs >= ALIVE_INTERVAL_NS && showLife())
        {
            aliveNs = nowNs;
        }
    }

    private boolean showLife()
    {
        final Map<Integer, ReplicaPositions> positions = new TreeMap<>();
        for (final HostedPartition host : hosted)
        {
            if (null != host)
            {
                positions.put(host.number(), new ReplicaPositions(host.partition().cursor().position(), 0, 0));
            }
        }

        return coordinator.alive(positions);
    }

    private void onMap(final ClusterMap map)
    {
        Violation.check(map.version() > mapVersion, Violation.Kind.MAP_WENT_BACK, "node, version, before", node.id(),
            map.version(), mapVersion);
        mapVersion = map.version();
        for (int partition = 0; partition < map.homes().size(); partition++)
        {
            if (null == hosted[partition] && map.homes().get(partition).contains(node.id()))
            {
                hosted[partition] = host(partition);
                chainNode.add(hosted[partition].replica());
            }
        }
        final ChainMap told = cluster.coordinator().lies().map(map.chains());
        cluster.lies().lease().onMap(node.id(), told);
        chainNode.onMap(cluster.lies().mapOfThisLife(told, node.id(), incarnation), nowNs);
        for (int partition = 0; partition < told.chains().size(); partition++)
        {
            final Chain chain = told.chains().get(partition);
            cluster.lies().lease().onChain(node.id(), partition, chain.heir() == node.id());
            if (chain.heir() == node.id() && world.isPlanted(PlantedFault.CLAIM_AT_ONCE))
            {
                reports.claim(partition, chain.version());
            }
        }
    }

    private void chainWork()
    {
        coordinator.doWork(nowNs);
        final ClusterMap map = coordinator.poll();
        if (null != map)
        {
            onMap(map);
        }
        cluster.network().poll(node.id(), this::onChainMessage);
        chainNode.doWork(nowNs);
        for (final HostedPartition host : hosted)
        {
            if (null != host)
            {
                host.hasLease(host.isPrimary() && hasLease(host, nowNs));
            }
        }
    }

    private boolean onChainMessage(final ChainMessage message)
    {
        if (null != message.link() && null == hosted[message.link().partition()])
        {
            return true;
        }
        if (message instanceof ChainMessage.Heartbeat heartbeat)
        {
            cluster.lies().lease().onHeartbeat(node.id(), heartbeat);
            chainNode.onHeartbeat(heartbeat.from(), heartbeat.peer(), nowNs);
        }
        else if (message instanceof ChainMessage.Progress progress)
        {
            replica(progress.link().partition()).messages().onProgress(
                progress.link(), progress.applied(), progress.recorded(), progress.covered(),
                cluster.lies().lease().echoed(progress.echoNs(), nowNs), nowNs);
        }
        else if (message instanceof ChainMessage.Attach attach)
        {
            note(attach.link().partition(), "is asked to be followed", attach.link(), attach.position());
            replica(attach.link().partition()).messages().onAttach(
                attach.link(), attach.history(), attach.position(), nowNs);
        }
        else if (message instanceof ChainMessage.Answer answer)
        {
            note(answer.link().partition(), "is answered", answer.answer(), answer.position());
            replica(answer.link().partition()).messages().onAttachAnswer(
                answer.link().attachment(), answer.answer(), answer.position());
        }
        else if (message instanceof ChainMessage.Frame frame)
        {
            replica(frame.link().partition()).messages().onSnapshotFrame(
                frame.link().attachment(), frame.index(), frame.bytes(), 0, frame.bytes().capacity());
        }
        else if (message instanceof ChainMessage.Forward forward)
        {
            return replica(forward.link().partition()).messages().onForward(forwarded
                .at(forward.link().attachment(), forward.previousPosition(), forward.endPosition())
                .of(forward.bytes(), 0, forward.bytes().capacity()));
        }

        return true;
    }

    private Replica replica(final int partition)
    {
        return hosted[partition].replica();
    }

    private void partitionWork(final HostedPartition host)
    {
        cluster.lies().leaveUnasked(host.replica());
        host.doWork(nowNs);
        if (Replica.State.HALTED == host.replica().state() &&
            cluster.transitRot().hasMisled(node.id(), host.number()))
        {
            note(host.number(), "ends", host.replica().haltReason());
            throw new SimulatedCrash();
        }
        if (world.shape.isCovered() && 0 == world.faults.work().nextInt(40))
        {
            host.onSnapshotWanted();
        }
        host.startSnapshotIfDue();
        final Partition partition = host.partition();
        if (host.isPrimary() && null == partition.tableSpec(Workload.COUNTS.tableId()) &&
            0 == world.faults.work().nextInt(4))
        {
            final Outcome outcome = partition.onCreateTable(Workload.COUNTS, partition.epoch());
            Violation.check(Outcome.REFUSED != outcome, Violation.Kind.INVARIANT_BROKEN, "table refused");
        }
        final Replica.State state = host.replica().state();
        if (state != noted[host.number()])
        {
            noted[host.number()] = state;
            world.events.trace(state.ordinal());
            note(host.number(), "is", state, "epoch=" + partition.cursor().epoch(),
                "position=" + partition.cursor().position(), host.replica().chain(),
                null == host.replica().damage() ? "" : host.replica().damage());
        }
    }

    private void note(final int partition, final String what, final Object... values)
    {
        world.journal.note("node-" + node.id() + "/" + partition, what, values);
    }
}
