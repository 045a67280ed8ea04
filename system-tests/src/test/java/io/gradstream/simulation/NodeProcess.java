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

import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.recovery.replica.ChainNode;
import io.gradstream.recovery.replica.Follower;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.InMemoryRowStore;
import io.gradstream.server.partition.Outcome;
import io.gradstream.server.partition.Partition;

import java.util.ArrayList;
import java.util.List;

/**
 * One life of a node: the production chain, replicas and partitions, driven in the order of the production node's duty
 * cycle, between simulated neighbours, coordinator, workers and storage.
 */
final class NodeProcess
{
    private static final long REGISTER_RETRY_NS = 500_000_000;
    private static final int ROWS = 64;
    private static final long SNAPSHOT_LOG_BYTES = 5_000;

    private final World world;
    private final Cluster cluster;
    private final SimulatedNode node;
    private final long incarnation;
    private final NodeReports reports;
    private final ChainNode chainNode;
    private final HostedPartition[] hosted;
    private final Replica.State[] noted;
    private final SimulatedIngress ingress;
    private final SimulatedEgress egress;
    private final Follower.Forwarded forwarded = new Follower.Forwarded();
    private long registerNs;
    private long mapDueNs;
    private ChainMap map;
    private long nowNs;

    NodeProcess(final World world, final Cluster cluster, final SimulatedNode node, final long incarnation)
    {
        this.world = world;
        this.cluster = cluster;
        this.node = node;
        this.incarnation = incarnation;
        reports = cluster.coordinator().reports(node.id(), incarnation, cluster.lies().lease());
        cluster.lies().lease().onStart(node.id());
        final SimulatedNodePort port =
            new SimulatedNodePort(cluster.network(), cluster.lies(), node.id(), incarnation);
        hosted = new HostedPartition[world.shape.partitions()];
        noted = new Replica.State[hosted.length];
        final List<Replica> replicas = new ArrayList<>();
        for (int number = 0; number < hosted.length; number++)
        {
            if (null != node.storage(number))
            {
                hosted[number] = host(number, port);
                replicas.add(hosted[number].replica());
            }
        }
        chainNode = new ChainNode(
            node.id(), incarnation, world.shape.nodes(), Shape.TIMING, replicas, port, reports);
        ingress = new SimulatedIngress(world, cluster, node.id(), hosted);
        egress = new SimulatedEgress(world, cluster, node.id(), hosted);
        registerNs = node.nowNs() - REGISTER_RETRY_NS;
    }

    private HostedPartition host(final int number, final SimulatedNodePort port)
    {
        final SimulatedStorage storage = node.storage(number);
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

    private boolean hasLease(final HostedPartition host, final long atNs)
    {
        return cluster.lies().lease().hasLease(node.id(), host.replica(), atNs) ||
            chainNode.mayAnswer(host.replica(), atNs);
    }

    /** The coordinator's newest map is on its way to this process, behind those before it. */
    void deliver(final ChainMap newest, final long delayNs)
    {
        mapDueNs = Math.max(mapDueNs, world.events.nowNs() + delayNs);
        world.events.after(mapDueNs - world.events.nowNs(), () -> map = newest);
    }

    void onDeath()
    {
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
        for (int slot = 0; slot < Shape.SLOTS; slot++)
        {
            final int from = slot;
            cluster.link(slot, node.id()).pollAtNode((bytes) -> ingress.onMessage(from, bytes));
        }
        for (final HostedPartition host : hosted)
        {
            if (null != host)
            {
                partitionWork(host);
            }
        }
        egress.doWork(ingress);
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
        if (!chainNode.isKnown() && nowNs - registerNs >= REGISTER_RETRY_NS && reports.register())
        {
            registerNs = nowNs;
        }
    }

    private void chainWork()
    {
        if (null != map)
        {
            chainNode.onMap(cluster.lies().mapOfThisLife(map, node.id(), incarnation), nowNs);
            map = null;
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
        if (message instanceof ChainMessage.Heartbeat heartbeat)
        {
            cluster.lies().lease().onHeartbeat(node.id(), heartbeat);
            chainNode.onHeartbeat(heartbeat.from(), heartbeat.incarnation(), heartbeat.sentNs(), nowNs);
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
        host.doWork(nowNs);
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
