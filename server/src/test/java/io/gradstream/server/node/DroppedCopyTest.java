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
import io.gradstream.recovery.replica.AttachAnswer;
import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.InMemoryStorage;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.snapshot.SnapshotThreshold;
import io.gradstream.server.table.InMemoryRowStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A place that moves to this node, and away again before the copy has come.
 */
class DroppedCopyTest
{
    private static final JobSpec JOB = new JobSpec(
        1, 2, 3, JobSpec.DEFAULT_VIRTUAL_NODES, 16, JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.CHAIN);
    private static final int HEAD = 0;
    private static final int NODE = 1;
    private static final int OTHER = 2;
    private static final long INCARNATION = 1000;

    private final List<Integer> dropped = new ArrayList<>();
    private final List<Long> attachments = new ArrayList<>();
    private final NodePort neighbours = port(NodePort.class, (proxy, method, arguments) ->
        method.isDefault() ? InvocationHandler.invokeDefault(proxy, method, arguments) :
        !"attach".equals(method.getName()) || attachments.add(((ChainLink)arguments[0]).attachment()));
    private final Node node = new Node(
        new NodeIdentity(1, NODE, INCARNATION, "127.0.0.1:1"),
        NodeTiming.of(ChainTiming.QUIET, Long.MAX_VALUE),
        () -> this.nowNs,
        port(CoordinatorPort.class, (proxy, method, arguments) -> switch (method.getName())
        {
            case "poll" -> pollMap();
            case "doWork" -> 0;
            case "connection" -> 1L;
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
            case "newPartition" -> newPartition();
            case "leftover" -> leftover();
            case "onDropped" -> onDropped((HostedPartition)arguments[0]);
            case "isFitForAnyJob" -> true;
            case "jobsOnDisk" -> Map.of();
            case "placesVersion" -> this.placesVersion;
            case "onPlaces" -> onPlaces((long)arguments[0]);
            default -> null;
        }),
        new NodeCounters());

    private long nowNs = 1_000_000_000;
    private long version;
    private ClusterMap map;
    private int made;
    private int wipes;
    private boolean isWiped;
    private long placesVersion;
    private Consumer<NeighbourMessages> arriving = (receiver) -> {};

    /** How far the join has come. */
    private enum Join
    {
        ATTACHING(null, Replica.State.FOLLOW_LOG),
        FOLLOWING(AttachAnswer.GO_ON, Replica.State.FOLLOW_LOG),
        FETCHING(AttachAnswer.WIPE, Replica.State.FETCH_SNAPSHOT);

        private final AttachAnswer answer;
        private final Replica.State reached;

        Join(final AttachAnswer answer, final Replica.State reached)
        {
            this.answer = answer;
            this.reached = reached;
        }
    }

    @ParameterizedTest
    @EnumSource(Join.class)
    void shouldDeleteACopyThatIsDroppedWhileItJoinsAndBeginAnewWhenThePlaceComesBack(final Join join)
    {
        join();
        final long attachment = attachments.get(0);
        if (null != join.answer)
        {
            hearing((receiver) -> receiver.onAttachAnswer(0, attachment, join.answer, 0));
        }
        assertThat(node.hosted(0).replica().state()).isEqualTo(join.reached);

        give(List.of(HEAD, OTHER), List.of(HEAD, OTHER), Chain.NONE);
        cycles(3);
        assertThat(node.hosted(0)).isNull();
        assertThat(dropped).containsExactly(0);
        assertThat(wipes).isPositive();

        // what is under way for the copy that was dropped reaches nobody
        hearing((receiver) ->
        {
            receiver.onAttachAnswer(0, attachment, AttachAnswer.GO_ON, 0);
            receiver.onForward(0, attachment, 0, 64, null, 0, 64);
        });
        give(List.of(HEAD, NODE), List.of(HEAD), NODE);
        cycles(3);
        assertThat(node.hosted(0)).as("it is still being deleted").isNull();

        isWiped = true;
        cycles(10);
        assertThat(made).isEqualTo(2);
        assertThat(node.hosted(0).replica().state()).isEqualTo(Replica.State.FOLLOW_LOG);
        assertThat(attachments.get(attachments.size() - 1)).isNotEqualTo(attachment);
    }

    @Test
    void shouldKeepACopyThatTheHeadStillNeedsUntilItIsConfirmedWithoutIt()
    {
        join();
        version++;
        tell(List.of(HEAD, OTHER),
            new Chain(1, version, List.of(HEAD, OTHER), Chain.NONE, 2, Chain.NONE, List.of(), List.of(HEAD)));
        cycles(3);
        assertThat(node.hosted(0)).isNotNull();

        give(List.of(HEAD, OTHER), List.of(HEAD, OTHER), Chain.NONE);
        cycles(3);
        assertThat(node.hosted(0)).isNull();
    }

    @Test
    void shouldKeepACopyWhileTheChainWithoutItIsShort()
    {
        join();
        give(List.of(HEAD, OTHER), List.of(HEAD), OTHER);
        cycles(3);
        assertThat(node.hosted(0)).isNotNull();
        assertThat(wipes).isZero();
    }

    @Test
    void shouldKeepACopyWhereTheChainIsOlderThanTheCopyKnows()
    {
        version = 5;
        join();
        version++;
        tell(List.of(HEAD, OTHER), new Chain(1, 3, List.of(HEAD, OTHER), Chain.NONE, 2));
        cycles(3);
        assertThat(node.hosted(0)).isNotNull();
        assertThat(wipes).isZero();
    }

    @Test
    void shouldDeleteNothingByAMapThatIsOlderThanTheOneByWhichAnEarlierProcessHadAPlace()
    {
        placesVersion = 2;
        give(List.of(HEAD, OTHER), List.of(HEAD, OTHER), Chain.NONE);
        cycles(3);
        assertThat(wipes).isZero();
        assertThat(placesVersion).isEqualTo(2);

        give(List.of(HEAD, OTHER), List.of(HEAD, OTHER), Chain.NONE);
        cycles(3);
        assertThat(wipes).isPositive();
    }

    @Test
    void shouldNoteTheMapByWhichItHasAPlace()
    {
        version = 5;
        join();
        assertThat(placesVersion).isEqualTo(6);
    }

    private void join()
    {
        give(List.of(HEAD, NODE), List.of(HEAD), NODE);
        cycles(10);
        assertThat(attachments).isNotEmpty();
    }

    private void give(final List<Integer> places, final List<Integer> members, final int joiner)
    {
        version++;
        tell(places, new Chain(1, version, members, joiner, 2));
    }

    private void tell(final List<Integer> places, final Chain chain)
    {
        map = new ClusterMap(JOB, List.of("127.0.0.1:0", "127.0.0.1:1", "127.0.0.1:2"), List.of(places),
            new ChainMap(version, List.of(3L, INCARNATION, 2L), List.of(chain)));
    }

    private void hearing(final Consumer<NeighbourMessages> messages)
    {
        arriving = messages;
        cycles(1);
        arriving = (receiver) -> {};
        cycles(2);
    }

    private void cycles(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            nowNs += NodeTiming.SLOW_TICK_NS;
            node.doWork();
        }
    }

    private HostedPartition newPartition()
    {
        made++;
        final InMemoryStorage storage = new InMemoryStorage();
        final Partition partition = new Partition(1, 0, NODE, new PartitionFunction(1),
            (table, spec, length) -> new InMemoryRowStore(length, 4));

        return new HostedPartition(partition, storage,
            new Replica(NODE, INCARNATION + made, 0, storage, partition, neighbours),
            SnapshotThreshold.fixed(Long.MAX_VALUE));
    }

    private ReplicaStorage leftover()
    {
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
