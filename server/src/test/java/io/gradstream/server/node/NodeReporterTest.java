// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.TableSpec;
import io.gradstream.coordinator.client.CoordinatorPort;
import io.gradstream.coordinator.client.LogEnd;
import io.gradstream.coordinator.client.NodeReport;
import io.gradstream.coordinator.client.ReplicaReport;
import io.gradstream.coordinator.client.ReplicaReport.Status;
import io.gradstream.coordinator.client.Suspicion;
import io.gradstream.recovery.chain.ChainMonitor;
import io.gradstream.recovery.chain.ChainTiming;
import io.gradstream.recovery.chain.NodePort;
import io.gradstream.recovery.chain.PeerHeartbeat;
import io.gradstream.recovery.log.EpochHistory;
import io.gradstream.recovery.replica.ChainLink;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.recovery.replica.RecoveryStateListener;
import io.gradstream.server.partition.HostedPartition;
import io.gradstream.server.partition.InMemoryStorage;
import io.gradstream.server.partition.Partition;
import io.gradstream.server.snapshot.SnapshotThreshold;
import io.gradstream.server.table.InMemoryRowStore;
import org.junit.jupiter.api.Test;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * When a node reports, and what.
 */
class NodeReporterTest
{
    private static final long INTERVAL_NS = NodeTiming.REPORT_NS;
    private static final long GAP_NS = INTERVAL_NS / NodeReporter.MOST_PER_INTERVAL;
    private static final ChainTiming TIMING = ChainTiming.QUIET;
    private static final long BEGIN_NS = -1_000_000_000_000L;

    private final InMemoryStorage storage = new InMemoryStorage();
    private final Partition partition = new Partition(
        1, 0, 0, new PartitionFunction(1), (number, spec, length) -> new InMemoryRowStore(length, 4));
    private final NodePort neighbours = (NodePort)Proxy.newProxyInstance(
        getClass().getClassLoader(), new Class<?>[]{NodePort.class}, (proxy, method, arguments) ->
        method.isDefault() ? InvocationHandler.invokeDefault(proxy, method, arguments) : true);
    private final Replica replica = new Replica(0, 5, 0, storage, partition, neighbours);
    private final ChainMonitor monitor =
        new ChainMonitor(0, 5, 2, TIMING, List.of(replica), neighbours, (sinceNs) -> true);
    private final HostedPartitions partitions = new HostedPartitions();
    private final List<NodeReport> reports = new ArrayList<>();
    private final Coordinators coordinators = new Coordinators();
    private final NodeReporter reporter = new NodeReporter(
        new NodeIdentity(1, 0, 5, "127.0.0.1:1"), INTERVAL_NS, coordinators, partitions, monitor);

    @Test
    void shouldReportAtOnceAndThenAtTheInterval()
    {
        work(BEGIN_NS);
        assertThat(reports).containsExactly(new NodeReport(0, 5, 1, false, "127.0.0.1:1", List.of()));

        work(BEGIN_NS + INTERVAL_NS - 1);
        assertThat(reports).hasSize(1);
        work(BEGIN_NS + INTERVAL_NS);
        assertThat(reports.get(1).number()).isEqualTo(2);
    }

    @Test
    void shouldReportAChangeAtOnceAndHowFarItIsOnlyInPassing()
    {
        host();
        recover();
        work(BEGIN_NS);
        assertThat(replica().status()).isEqualTo(Status.RECOVERED);
        assertThat(replica().logEnd()).isEqualTo(new LogEnd(0, 0));

        lead(List.of(0));
        work(BEGIN_NS + GAP_NS);
        assertThat(replica().status()).isEqualTo(Status.LEADS);
        assertThat(replica().chainVersion()).isEqualTo(1);
        assertThat(replica().logEnd()).isEqualTo(LogEnd.NONE);

        partition.onCreateTable(TableSpec.sparse(1, "counts", 1, "add/1"), partition.epoch());
        work(BEGIN_NS + 2 * GAP_NS);
        assertThat(reports).hasSize(2);
        work(BEGIN_NS + INTERVAL_NS);
        assertThat(replica().positions().applied()).isEqualTo(partition.cursor().position());
    }

    @Test
    void shouldTellChangesThatFollowEachOtherTogether()
    {
        work(BEGIN_NS);
        host();
        work(BEGIN_NS + GAP_NS - 1);
        assertThat(reports).hasSize(1);
        recover();
        work(BEGIN_NS + GAP_NS);
        assertThat(reports).hasSize(2);
        assertThat(replica().status()).isEqualTo(Status.RECOVERED);
    }

    @Test
    void shouldReportAgainOnEachNewSessionAndNotWithoutOne()
    {
        work(BEGIN_NS);
        coordinators.connection = 0;
        work(BEGIN_NS + 2 * INTERVAL_NS);
        assertThat(reports).hasSize(1);

        coordinators.connection = 2;
        work(BEGIN_NS + 2 * INTERVAL_NS + 1);
        coordinators.connection = 3;
        work(BEGIN_NS + 2 * INTERVAL_NS + 1 + GAP_NS);
        assertThat(reports).hasSize(3);
    }

    @Test
    void shouldTryAgainSoonWhenAReportWasNotTaken()
    {
        coordinators.isBlocked = true;
        work(BEGIN_NS);
        coordinators.isBlocked = false;
        work(BEGIN_NS + GAP_NS - 1);
        assertThat(reports).isEmpty();
        work(BEGIN_NS + GAP_NS);
        assertThat(reports).hasSize(1);
    }

    @Test
    void shouldSayWhetherTheCoordinatorsHaveAnsweredSinceTheTimedReportBefore()
    {
        work(BEGIN_NS);
        coordinators.answeredNs = BEGIN_NS + 1;
        work(BEGIN_NS + INTERVAL_NS);
        assertThat(reports.get(1).isAnswered()).isTrue();

        work(BEGIN_NS + 2 * INTERVAL_NS);
        assertThat(reports.get(2).isAnswered()).isFalse();
    }

    @Test
    void shouldReportANeighbourThatIsSilentWithEachReportUntilTheChainChanges()
    {
        host();
        recover();
        lead(List.of(0, 1));
        monitor.onHeartbeat(1, new PeerHeartbeat(7, 1, 0, 0, 9), 0);
        for (long nowNs = 0; nowNs <= TIMING.suspicionNs(); nowNs += TIMING.heartbeatNs())
        {
            monitor.doWork(nowNs);
            work(nowNs);
        }
        assertThat(replica().suspicions()).containsExactly(new Suspicion(1, true));

        final int size = reports.size();
        work(TIMING.suspicionNs() + INTERVAL_NS);
        assertThat(reports).hasSize(size + 1);
        assertThat(replica().suspicions()).containsExactly(new Suspicion(1, true));
        monitor.onMap(map(2, List.of(0), Chain.NONE), TIMING.suspicionNs() + INTERVAL_NS);
        work(TIMING.suspicionNs() + INTERVAL_NS + GAP_NS);
        assertThat(replica().suspicions()).isEmpty();
    }

    @Test
    void shouldTakeTheJoinerForOneThatMayBeAdmittedOnceThatWasReported()
    {
        final List<String> links = new ArrayList<>();
        replica.recoveryStateListener(new RecoveryStateListener()
        {
            @Override
            public void onState(
                final int number, final Replica.State from, final Replica.State to, final String reason)
            {
            }

            @Override
            public void onLink(final int number, final Enum<?> from, final Enum<?> to, final String reason)
            {
                links.add(to.name());
            }
        });
        host();
        recover();
        lead(List.of(0), 1);
        join();
        coordinators.isBlocked = true;
        work(BEGIN_NS);
        assertThat(links).contains("JOINER_IN_SET").doesNotContain("ADMISSION_ASKED");

        coordinators.isBlocked = false;
        work(BEGIN_NS + GAP_NS);
        assertThat(replica().joiner()).isEqualTo(1);
        assertThat(links).contains("ADMISSION_ASKED");
        work(BEGIN_NS + GAP_NS + INTERVAL_NS);
        assertThat(replica().joiner()).isEqualTo(1);
    }

    private void join()
    {
        final ChainLink link = new ChainLink(1, 0, 100);
        final long position = partition.cursor().position();
        replica.downstream().onAttach(link, new EpochHistory(), 0, 1);
        for (int i = 0; i < 10; i++)
        {
            replica.downstream().onProgress(link, position, position, 0, 2, 3);
            replica.doWork(3);
        }
    }

    private void work(final long nowNs)
    {
        reporter.doWork(nowNs);
    }

    private ReplicaReport replica()
    {
        return reports.get(reports.size() - 1).replicas().get(0);
    }

    private void host()
    {
        partitions.add(new HostedPartition(partition, storage, replica, SnapshotThreshold.fixed(Long.MAX_VALUE)));
    }

    private void recover()
    {
        while (Replica.State.AWAIT_ROLE != replica.state())
        {
            replica.doWork(0);
        }
    }

    private void lead(final List<Integer> members)
    {
        lead(members, Chain.NONE);
    }

    private void lead(final List<Integer> members, final int joiner)
    {
        monitor.onMap(map(1, members, joiner), 0);
        while (!replica.isPrimary())
        {
            replica.doWork(0);
            storage.recordAll();
        }
    }

    private static ChainMap map(final long version, final List<Integer> members, final int joiner)
    {
        return new ChainMap(version, List.of(5L, 7L), List.of(new Chain(1, version, members, joiner, 2)));
    }

    private final class Coordinators implements CoordinatorPort
    {
        private long connection = 1;
        private long answeredNs = BEGIN_NS - 1;
        private boolean isBlocked;

        @Override
        public boolean report(final NodeReport report)
        {
            return !isBlocked && reports.add(report);
        }

        @Override
        public boolean isAnswered(final long sinceNs)
        {
            return answeredNs - sinceNs >= 0;
        }

        @Override
        public void ask()
        {
            throw new AssertionError("a report is answered unasked");
        }

        @Override
        public long connection()
        {
            return connection;
        }

        @Override
        public int doWork(final long nowNs)
        {
            return 0;
        }

        @Override
        public ClusterMap poll()
        {
            return null;
        }

        @Override
        public void close()
        {
        }
    }
}
