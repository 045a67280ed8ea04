// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.coordinator.client.CoordinatorPort;
import io.gradstream.recovery.chain.ChainTiming;
import io.gradstream.recovery.chain.NodePort;
import io.gradstream.recovery.log.ReplicaStorage;
import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.InMemoryStorage;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.snapshot.SnapshotThreshold;
import io.gradstream.server.table.InMemoryRowStore;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A node between two others that a test stands for: it hears what the test says, and its time is the test's.
 */
final class NodeRig
{
    static final int HEAD = 0;
    static final int NODE = 1;
    static final int OTHER = 2;
    static final long INCARNATION = 1000;
    static final long HEADS_INCARNATION = 3;

    private static final long OTHERS_INCARNATION = 2;
    private static final List<String> ENDPOINTS = List.of("127.0.0.1:0", "127.0.0.1:1", "127.0.0.1:2");

    /** The newest grant is the last. */
    final List<Long> grants = new ArrayList<>();
    final List<ChainLink> attached = new ArrayList<>();
    final List<Integer> dropped = new ArrayList<>();
    /** Of which something was to be deleted: job/partition. */
    final List<String> opened = new ArrayList<>();
    final Map<Integer, Integer> jobsOnDisk = new TreeMap<>();
    long nowNs = 1_000_000_000;
    boolean isFitForAnyJob = true;
    /** Attaches that the stream has room for. */
    int roomForAttaches = Integer.MAX_VALUE;
    /** To be heard in the next duty cycle, or null. */
    ClusterMap map;
    int reports;
    int made;
    int wipes;
    boolean isWiped;
    long placesVersion;
    /** Of the newest copy of partition 0. */
    InMemoryStorage storage;
    private Consumer<NeighbourMessages> arriving = (receiver) -> {};

    private final NodePort neighbours = port(NodePort.class, (proxy, method, arguments) ->
        method.isDefault() ? InvocationHandler.invokeDefault(proxy, method, arguments) : switch (method.getName())
        {
            case "progress" -> grants.add((Long)arguments[arguments.length - 1]);
            case "attach" -> attach((ChainLink)arguments[0]);
            default -> true;
        });
    final Node node = new Node(
        new NodeIdentity(1, NODE, INCARNATION, ENDPOINTS.get(NODE)),
        NodeTiming.of(ChainTiming.QUIET, Long.MAX_VALUE),
        () -> this.nowNs,
        port(CoordinatorPort.class, (proxy, method, arguments) -> switch (method.getName())
        {
            case "poll" -> pollMap();
            case "doWork" -> 0;
            case "connection" -> 1L;
            case "report" -> ++this.reports > 0;
            case "toString" -> "connected";
            default -> true;
        }),
        port(NodeTransport.class, (proxy, method, arguments) -> switch (method.getName())
        {
            case "neighbours" -> this.neighbours;
            case "pollNeighbours" -> hear((NeighbourMessages)arguments[0]);
            case "pollWorkers" -> 0;
            case "maxResponseLength" -> 64 * 1024;
            case "maxConnections" -> 64;
            case "maxKeyListBytes" -> 1024L * 1024;
            default -> null;
        }),
        port(NodeHost.class, (proxy, method, arguments) -> switch (method.getName())
        {
            case "newPartition" -> newPartition((ClusterMap.Job)arguments[0], (Integer)arguments[1]);
            case "leftover" -> leftover((Integer)arguments[0], (Integer)arguments[1]);
            case "onDropped" -> onDropped((HostedPartition)arguments[0]);
            case "jobsOnDisk" -> this.jobsOnDisk;
            case "onDeleted" -> this.jobsOnDisk.remove(arguments[0]);
            case "isFitForAnyJob" -> this.isFitForAnyJob;
            case "placesVersion" -> this.placesVersion;
            case "onPlaces" -> onPlaces((long)arguments[0]);
            default -> null;
        }),
        new NodeCounters());

    /** A map of a job in which each partition has such places, and such a chain. */
    static ClusterMap map(
        final long version,
        final int copies,
        final long headsIncarnation,
        final List<Integer> places,
        final List<Chain> chains)
    {
        final JobSpec job = new JobSpec(chains.size(), copies, ENDPOINTS.size(), JobSpec.DEFAULT_VIRTUAL_NODES, 16,
            JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.CHAIN);
        return new ClusterMap(job, ENDPOINTS, chains.stream().map((chain) -> places).toList(),
            new ChainMap(version, List.of(headsIncarnation, INCARNATION, OTHERS_INCARNATION), chains));
    }

    /** One duty cycle, in which this arrives of neighbours. */
    void cycle(final Consumer<NeighbourMessages> whatArrives)
    {
        arriving = whatArrives;
        node.doWork();
        arriving = (receiver) -> {};
    }

    private HostedPartition newPartition(final ClusterMap.Job job, final int number)
    {
        final InMemoryStorage own = new InMemoryStorage();
        storage = 0 == number ? own : storage;
        made++;
        final Partition partition = new Partition(
            job.id(), number - job.firstPartition(), NODE, new PartitionFunction(number + 1),
            (table, spec, length) -> new InMemoryRowStore(length, 4));

        return new HostedPartition(partition, own,
            new Replica(NODE, INCARNATION, number, own, partition, neighbours),
            SnapshotThreshold.fixed(Long.MAX_VALUE));
    }

    private boolean attach(final ChainLink link)
    {
        final boolean hasRoom = 0 < roomForAttaches;
        if (hasRoom)
        {
            roomForAttaches--;
            attached.add(link);
        }

        return hasRoom;
    }

    private ReplicaStorage leftover(final int jobId, final int partition)
    {
        opened.add(jobId + "/" + partition);
        return port(ReplicaStorage.class, (proxy, method, arguments) -> switch (method.getName())
        {
            case "wipe" -> wipe();
            case "isReady" -> true;
            default -> null;
        });
    }

    private boolean wipe()
    {
        wipes++;
        return isWiped;
    }

    private Void onPlaces(final long mapVersion)
    {
        placesVersion = mapVersion;
        return null;
    }

    private Void onDropped(final HostedPartition copy)
    {
        dropped.add(copy.number());
        return null;
    }

    private ClusterMap pollMap()
    {
        final ClusterMap newest = map;
        map = null;
        return newest;
    }

    private int hear(final NeighbourMessages receiver)
    {
        arriving.accept(receiver);
        return 1;
    }

    private static <T> T port(final Class<T> type, final InvocationHandler handler)
    {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, handler));
    }
}
