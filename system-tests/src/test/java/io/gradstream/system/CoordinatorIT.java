// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.aeron.Aeron;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.TableSpec;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.coordinator.service.CoordinatorListener;
import io.gradstream.coordinator.service.CoordinatorService;
import io.gradstream.driver.HostDriver;
import io.gradstream.coordinator.member.ClusterMember;
import io.gradstream.coordinator.member.ClusterTiming;
import io.gradstream.coordinator.member.CoordinatorNode;
import io.gradstream.server.aeron.ServerNode;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.ClusterDescription.PartitionDescription;
import io.gradstream.worker.ClusterDescription.TableDescription;
import io.gradstream.worker.ClusterDescription;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.aeron.ClusterChannel;
import io.gradstream.worker.aeron.DriverConnection;
import io.gradstream.model.ModelFile;
import io.gradstream.model.ModelOrigin;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A coordinator, servers and a worker that know nothing but its address, over real drivers in one process.
 */
class CoordinatorIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long ASK_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final JobSpec JOB = new JobSpec(
        2, 1, 1, JobSpec.DEFAULT_VIRTUAL_NODES, 1000, JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.REPLAY);

    @TempDir
    private Path directory;
    private final List<ServerNode> nodes = new ArrayList<>();
    private List<String> coordinators;
    private ClusterMember member;
    private HostDriver workerHost;
    private Aeron aeron;
    private CoordinatorLink link;
    private ClusterMap map;
    private long askedNs;

    @BeforeEach
    void start() throws SocketException
    {
        coordinators = List.of("127.0.0.1:" + freeRange());
        member = startMember();
        workerHost = HostDriver.launch(new HostDriver.Context().aeronDirectory(aeronDirectory("worker")));
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(workerHost.aeronDirectoryName())
            .useConductorAgentInvoker(true));
        link = ClusterChannel.link(DriverConnection.of(aeron), coordinators, "127.0.0.1:0", (error) -> {});
        await("a first map", () -> null != map);
        await("the job", () -> link.defineJob(JOB, 7) && null != map.job());
    }

    @AfterEach
    void stop()
    {
        CloseHelper.closeAll(link, aeron);
        nodes.forEach(ServerNode::close);
        CloseHelper.closeAll(workerHost, member);
    }

    @Test
    void shouldLetTheFirstDefinitionOfTheJobCount()
    {
        final long version = map.version();
        final JobSpec other = new JobSpec(
            9, 1, 1, JobSpec.DEFAULT_VIRTUAL_NODES, 1000, JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.REPLAY);
        await("the second definition is taken", () -> link.defineJob(other, 8));
        startNode("node");
        await("the node", () -> map.version() > version);

        assertThat(map.job()).isEqualTo(JOB);
    }

    @Test
    void shouldServeOnWhenTheCoordinatorIsAwayAndBack() throws IOException
    {
        startNode("node");
        try (GradstreamClient client = GradstreamClient.connect(new ClientContext()
            .aeronDirectoryName(workerHost.aeronDirectoryName())
            .coordinators(coordinators)
            .audit(true)))
        {
            final Table table = client.createTable(TableSpec.sparse(0, "counts", 1, "add/1"));
            client.await(table.push(new long[]{1, 100}, new float[]{1, 1}));
            checkModelOfNoIteration();
            checkDescription(client);
            await("every head, and that it has confirmed", () -> map.chains().chains().stream()
                .allMatch((chain) -> !chain.isDegraded() && chain.isConfirmed()));
            final ClusterMap before = map;
            member.close();
            client.await(table.push(new long[]{1, 100}, new float[]{1, 1}));
            member = startMember();
            final float[] rows = new float[2];
            await("the coordinator answers again", this::isStatusThere);
            table.pullAndAwait(new long[]{1, 100}, 2, rows);

            assertThat(rows).containsExactly(2, 2);
            assertThat(link.pollStatus().mapVersion()).isEqualTo(before.version());
        }
    }

    @Test
    void shouldStartAgainAsItWasDefinedWhenTheBoundWasChangedSince()
    {
        final Consistency bound = new Consistency(3, 2);
        await("the new bound", () -> link.setConsistency(map.clusterId(), bound) &&
            bound.equals(map.job().consistency()));
        member.close();
        try (CoordinatorNode again = CoordinatorNode.launch(memberContext(), JOB, CoordinatorListener.NONE))
        {
            assertThat(again.awaitReady(TIMEOUT_NS).job().consistency()).isEqualTo(bound);
        }
    }

    @Test
    void shouldKeepALivingServerWhenAProcessElsewhereHasItsId()
    {
        final ServerNode first = startNode("node");
        final ServerNode other = launch("other");
        await("the other one ends", other::isTerminated);

        assertThat(other.failure()).hasMessageContaining("node 0 is another process")
            .hasMessageContaining("Give this server a --node-id that no other has");
        assertThat(first.isServing()).isTrue();
        assertThat(first.failure()).isNull();
    }

    /** The worker is there, pushes, and has never ended an iteration: there is none to wait for. */
    private void checkModelOfNoIteration() throws IOException
    {
        final Path file = directory.resolve("no-iteration.safetensors");
        try (GradstreamClient observer = GradstreamClient.connect(new ClientContext()
            .aeronDirectoryName(workerHost.aeronDirectoryName())
            .slot(-1)
            .coordinators(coordinators)))
        {
            assertThat(observer.models().save(file, false, TIMEOUT_NS).clock()).isEqualTo(ModelOrigin.NO_CLOCK);
        }
        try (ModelFile model = ModelFile.open(file))
        {
            assertThat(model.tables()).extracting((table) -> table.rows()).containsExactly(2L);
        }
    }

    private void checkDescription(final GradstreamClient client)
    {
        client.await(client.clock());
        try (GradstreamClient observer = GradstreamClient.connect(new ClientContext()
            .aeronDirectoryName(workerHost.aeronDirectoryName())
            .slot(-1)
            .coordinators(coordinators)))
        {
            final ClusterDescription description = observer.describe();
            assertThat(description.job()).isEqualTo(JOB);
            assertThat(description.tables()).extracting(TableDescription::spec)
                .containsExactly(TableSpec.AUDIT, TableSpec.sparse(0, "counts", 1, "add/1"));
            assertThat(description.tables().get(1).rowsPresent()).isEqualTo(2);
            assertThat(description.tables().get(1).partitions()).isEqualTo(2);
            assertThat(description.partitions()).allMatch(
                (partition) -> partition.epoch() > 0 && partition.position() > 0 && 1 == partition.wanted())
                .extracting(PartitionDescription::chain).containsExactly(List.of(0), List.of(0));
            assertThat(description.slots()).hasSize(1);
            assertThat(description.slots().get(0).clock()).isEqualTo(1);
            assertThat(description.slots().get(0).parts()).isEqualTo(client.pushesSent());
        }
    }

    private ClusterMember startMember()
    {
        return ClusterMember.launch(memberContext().service(new CoordinatorService(CoordinatorListener.NONE)));
    }

    private ClusterMember.Context memberContext()
    {
        return new ClusterMember.Context()
            .memberId(0)
            .members(coordinators)
            .dir(directory.resolve("coordinator"))
            .aeronDirectory(aeronDirectory("coordinator"))
            .timing(ClusterTiming.QUIET);
    }

    private ServerNode startNode(final String name)
    {
        final ServerNode node = launch(name);
        await(name + " serves", () -> node.isServing() || node.isTerminated());
        assertThat(node.failure()).isNull();

        return node;
    }

    private ServerNode launch(final String name)
    {
        final ServerNode node = ServerNode.launch(new ServerNode.Context()
            .nodeId(0)
            .coordinators(coordinators)
            .ingressEndpoint("127.0.0.1:" + freePort())
            .dir(directory.resolve(name))
            .aeronDirectory(aeronDirectory(name))
            .errorHandler((error) -> {}));
        nodes.add(node);

        return node;
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!condition.getAsBoolean())
        {
            aeron.conductorAgentInvoker().invoke();
            link.doWork(System.nanoTime());
            final ClusterMap polled = link.poll();
            map = null == polled ? map : polled;
            assertThat(System.nanoTime() - deadlineNs).as("%s; %s", what, link).isNegative();
            LockSupport.parkNanos(PARK_NS);
        }
    }

    private boolean isStatusThere()
    {
        final long nowNs = System.nanoTime();
        if (nowNs - askedNs >= ASK_NS)
        {
            askedNs = link.requestStatus() ? nowNs : askedNs;
        }

        return null != link.pollStatus();
    }

    static Path aeronDirectory(final String name)
    {
        return Path.of("/dev/shm/gradstream-test-" + name + "-" + ProcessHandle.current().pid());
    }

    static int freePort()
    {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
        catch (final SocketException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** The first of as many free ports as a member needs. */
    static int freeRange() throws SocketException
    {
        for (int port = 20_000 + (int)(ProcessHandle.current().pid() % 1000) * ClusterMember.PORTS; true;
            port += ClusterMember.PORTS)
        {
            boolean isFree = true;
            for (int i = 0; i < ClusterMember.PORTS; i++)
            {
                isFree &= isFree(port + i);
            }
            if (isFree)
            {
                return port;
            }
        }
    }

    private static boolean isFree(final int port)
    {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)))
        {
            return socket.getLocalPort() == port;
        }
        catch (final SocketException ex)
        {
            return false;
        }
    }
}
