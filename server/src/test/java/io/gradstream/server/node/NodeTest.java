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
import io.gradstream.recovery.chain.PeerHeartbeat;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.replica.AttachAnswer;
import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.recovery.replica.Upstream;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.InMemoryStorage;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.snapshot.SnapshotThreshold;
import io.gradstream.server.table.InMemoryRowStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a node makes of time that passes while it hears its neighbours, and when it answers as a head.
 */
class NodeTest
{
    private static final ChainTiming TIMING = ChainTiming.QUIET;
    private static final JobSpec JOB = new JobSpec(
        1, 3, 3, JobSpec.DEFAULT_VIRTUAL_NODES, 16, JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.CHAIN);
    private static final int HEAD = 0;
    private static final int NODE = 1;
    private static final int LAST = 2;
    private static final long INCARNATION = 1000;
    private static final long HEADS_INCARNATION = 3;
    /** By the head's clock. */
    private static final long SENT = 77;
    private static final long SENT_LATER = 99;

    private final InMemoryStorage storage = new InMemoryStorage();
    private final List<Long> grants = new ArrayList<>();
    private final Set<Integer> attached = new HashSet<>();
    private final NodePort neighbours = port(NodePort.class, (proxy, method, arguments) -> switch (method.getName())
    {
        case "progress" -> grants.add((Long)arguments[arguments.length - 1]);
        case "attach" -> attach(((ChainLink)arguments[0]).partition());
        case "queueLength", "moveBandwidth" -> InvocationHandler.invokeDefault(proxy, method, arguments);
        default -> true;
    });
    private final Node node = new Node(
        new NodeIdentity(1, NODE, INCARNATION, "127.0.0.1:1"),
        NodeTiming.of(TIMING, Long.MAX_VALUE),
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
            default -> null;
        }),
        port(NodeHost.class, (proxy, method, arguments) -> switch (method.getName())
        {
            case "newPartition" -> newPartition((Integer)arguments[1]);
            case "jobsOnDisk" -> Map.of();
            case "placesVersion" -> 0L;
            case "isFitForAnyJob" -> this.isFitForAnyJob;
            default -> null;
        }),
        new NodeCounters());

    private long nowNs = 1_000_000_000;
    private boolean isFitForAnyJob = true;
    private int reports;
    private int roomForAttaches = Integer.MAX_VALUE;
    private ClusterMap map;
    private Consumer<NeighbourMessages> arriving = (receiver) -> {};

    /**
     * The head answers until its lease is over that began with that heartbeat, though another process is its node. The
     * shorter pause is one that the node does not take for an absence of its own.
     */
    @ParameterizedTest
    @ValueSource(longs = {100_000_000, 5_000_000_000L})
    void shouldCountTheLeaseItGrantsFromWhenTheHeartbeatWasHereAfterAPause(final long pauseNs)
    {
        follow(List.of(HEAD, NODE));
        cycle((receiver) ->
        {
            nowNs += pauseNs;
            heartbeat(receiver, SENT);
        });
        final long heardNs = nowNs;
        assertThat(newestGrant()).isEqualTo(SENT);

        map = map(2, HEADS_INCARNATION + 1, List.of(NODE));
        final HostedPartition copy = node.hosted(0);
        for (int i = 0; i < 10 && !copy.isPrimary(); i++)
        {
            cycle((receiver) -> {});
            storage.recordAll();
        }

        assertThat(copy.isPrimary()).isTrue();
        assertThat(node.mayAnswer(copy, heardNs + TIMING.suspicionNs() - 1)).isFalse();
        assertThat(node.mayAnswer(copy, heardNs + TIMING.suspicionNs())).isTrue();
    }

    @Test
    void shouldGrantNothingForAHeartbeatAfterAPauseInWhichItsOwnLeaseHasRunOut()
    {
        final ChainLink link = new ChainLink(LAST, 0, 5);
        follow(List.of(HEAD, NODE, LAST));
        cycle((receiver) ->
        {
            receiver.onAttach(link, new EpochHistory(), 0);
            receiver.onProgress(link, 0, 0, 0, nowNs);
            heartbeat(receiver, SENT);
        });
        assertThat(newestGrant()).isEqualTo(SENT);

        cycle((receiver) ->
        {
            nowNs += TIMING.suspicionNs();
            heartbeat(receiver, SENT_LATER);
        });
        cycle((receiver) -> {});
        assertThat(newestGrant()).isEqualTo(SENT);

        cycle((receiver) -> receiver.onProgress(link, 0, 0, 0, nowNs));
        assertThat(newestGrant()).isEqualTo(SENT_LATER);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldAnswerNobodyBeforeTheCoordinatorsKnowThatItGoesOnWithoutThoseWhoWereRemoved(final boolean isAlone)
    {
        final List<Integer> members = isAlone ? List.of(NODE) : List.of(NODE, LAST);
        follow(isAlone ? List.of(HEAD, NODE) : List.of(HEAD, NODE, LAST));
        map = needing(2, members, List.of(HEAD));
        final HostedPartition copy = node.hosted(0);
        for (int i = 0; i < 10 && !copy.isPrimary(); i++)
        {
            cycle((receiver) -> {});
            storage.recordAll();
        }
        takeLease(isAlone, copy);
        assertThat(node.mayAnswer(copy, nowNs)).isFalse();
        assertThat(copy.isAnswering()).isFalse();

        map = needing(3, members, List.of());
        takeLease(isAlone, copy);
        assertThat(node.mayAnswer(copy, nowNs)).isTrue();
        assertThat(copy.isAnswering()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTellTheCoordinatorsNothingOfItselfBeforeItKnowsAJobThatItMayNotBeFitFor(final boolean isFit)
    {
        isFitForAnyJob = isFit;
        cycle((receiver) -> {});
        assertThat(reports).isEqualTo(isFit ? 1 : 0);

        map = map(1, HEADS_INCARNATION, List.of(HEAD, NODE));
        nowNs += TIMING.suspicionNs();
        cycle((receiver) -> {});
        assertThat(reports).isPositive();
    }

    /** Every copy has something to send in each cycle, and the stream that they share has room for one message. */
    @Test
    void shouldLetEveryCopySendWhenTheirStreamHasLittleRoom()
    {
        final Chain chain = new Chain(1, 1, List.of(HEAD, NODE), Chain.NONE, 2);
        final List<Integer> nodes = List.of(HEAD, NODE, LAST);
        map = new ClusterMap(
            new JobSpec(3, 3, 3, JobSpec.DEFAULT_VIRTUAL_NODES, 16, JobSpec.DEFAULT_REPAIR_DELAY_MS,
            RecoveryMode.CHAIN),
            List.of("127.0.0.1:0", "127.0.0.1:1", "127.0.0.1:2"), List.of(nodes, nodes, nodes),
            new ChainMap(1, List.of(HEADS_INCARNATION, INCARNATION, 2L), List.of(chain, chain, chain)));
        for (int i = 0; i < 20; i++)
        {
            roomForAttaches = 1;
            nowNs += Upstream.ATTACH_RETRY_NS;
            cycle((receiver) -> {});
        }

        assertThat(attached).containsExactlyInAnyOrder(0, 1, 2);
    }

    private void takeLease(final boolean isAlone, final HostedPartition copy)
    {
        final ChainLink link = new ChainLink(LAST, 0, 5);
        nowNs += 1_000_000;
        if (!isAlone)
        {
            cycle((receiver) -> receiver.onAttach(link, new EpochHistory(), 0));
            cycle((receiver) -> receiver.onProgress(link, 0, 0, 0, nowNs));
            cycle((receiver) -> receiver.onProgress(link, copy.partition().cursor().position(), 0, 0, nowNs));
        }
        cycle((receiver) -> {});
    }

    /** Under one version of the chain. */
    private static ClusterMap needing(
        final long mapVersion, final List<Integer> members, final List<Integer> needed)
    {
        return new ClusterMap(JOB, List.of("127.0.0.1:0", "127.0.0.1:1", "127.0.0.1:2"),
            List.of(List.of(HEAD, NODE, LAST)), new ChainMap(mapVersion, List.of(HEADS_INCARNATION, INCARNATION, 2L),
            List.of(new Chain(2, 2, members, Chain.NONE, members.size(), Chain.NONE, List.of(), needed))));
    }

    private static <T> T port(final Class<T> type, final InvocationHandler handler)
    {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type}, handler));
    }

    private HostedPartition newPartition(final int number)
    {
        final InMemoryStorage own = 0 == number ? storage : new InMemoryStorage();
        final Partition partition = new Partition(1, number, NODE, new PartitionFunction(number + 1),
            (table, spec, length) -> new InMemoryRowStore(length, 4));

        return new HostedPartition(partition, own, new Replica(NODE, INCARNATION, number, own, partition, neighbours),
            SnapshotThreshold.fixed(Long.MAX_VALUE));
    }

    private boolean attach(final int partition)
    {
        final boolean hasRoom = 0 < roomForAttaches;
        if (hasRoom)
        {
            roomForAttaches--;
            attached.add(partition);
        }

        return hasRoom;
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

    private void cycle(final Consumer<NeighbourMessages> whatArrives)
    {
        arriving = whatArrives;
        node.doWork();
    }

    private void follow(final List<Integer> members)
    {
        map = map(1, HEADS_INCARNATION, members);
        for (int i = 0; i < 10; i++)
        {
            cycle((receiver) -> {});
        }
        cycle((receiver) -> receiver.onAttachAnswer(0, INCARNATION + 1, AttachAnswer.GO_ON, 0));
        assertThat(node.hosted(0).replica().upstream().attachment()).isEqualTo(INCARNATION + 1);
    }

    private static ClusterMap map(final long version, final long headsIncarnation, final List<Integer> members)
    {
        return new ClusterMap(JOB, List.of("127.0.0.1:0", "127.0.0.1:1", "127.0.0.1:2"),
            List.of(List.of(HEAD, NODE, LAST)), new ChainMap(version, List.of(headsIncarnation, INCARNATION, 2L),
            List.of(new Chain(version, version, members, Chain.NONE, members.size()))));
    }

    private static void heartbeat(final NeighbourMessages receiver, final long sentNs)
    {
        receiver.onHeartbeat(1, HEAD, new PeerHeartbeat(HEADS_INCARNATION, sentNs, 0, 0, Long.MAX_VALUE));
    }

    private long newestGrant()
    {
        return grants.get(grants.size() - 1);
    }
}
