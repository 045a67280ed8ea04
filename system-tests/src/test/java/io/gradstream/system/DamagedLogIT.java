// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.aeron.Aeron;
import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ClusterMap;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.TableSpec;
import io.gradstream.driver.HostDriver;
import io.gradstream.coordinator.member.ClusterMember;
import io.gradstream.coordinator.member.ClusterTiming;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.recovery.recording.RecordingEntry;
import io.gradstream.coordinator.service.CoordinatorListener;
import io.gradstream.coordinator.service.CoordinatorService;
import io.gradstream.server.aeron.ServerNode;
import io.gradstream.worker.aeron.ClusterChannel;
import io.gradstream.worker.aeron.DriverConnection;
import io.gradstream.worker.ClientContext;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two servers that keep both partitions each, of which one finds a log damaged when it starts, over real drivers in one
 * process.
 */
@Tag("faults")
class DamagedLogIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long[] KEYS = { 1, 100, 200, 5000 };
    private static final float[] ONES = { 1, 1, 1, 1 };
    private static final JobSpec JOB = new JobSpec(
        2, 2, 2, JobSpec.DEFAULT_VIRTUAL_NODES, 1000, JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.CHAIN);

    @TempDir
    private Path directory;
    private final ServerNode[] nodes = new ServerNode[2];
    private List<String> coordinators;
    private ClusterMember member;
    private HostDriver workerHost;
    private Aeron aeron;
    private CoordinatorLink link;
    private ClusterMap map;

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
        CloseHelper.closeAll(nodes);
        CloseHelper.closeAll(workerHost, member);
    }

    @Test
    void shouldFetchADamagedLogFromTheOtherCopy() throws IOException
    {
        startNode(0);
        startNode(1);
        try (GradstreamClient client = GradstreamClient.connect(new ClientContext()
            .aeronDirectoryName(workerHost.aeronDirectoryName())
            .coordinators(coordinators)
            .audit(true)))
        {
            final Table table = client.createTable(TableSpec.sparse(0, "counts", 1, "add/1"));
            await("both copies", this::isWhole);
            client.await(table.push(KEYS, ONES));

            nodes[1].close();
            await("the other copy alone", () -> map.chains().chains().stream().allMatch(Chain::isDegraded));
            final Path archive = directory.resolve("node-1").resolve("archive");
            final List<RecordingEntry> logs = RecordingDirectory.open(archive).entries().stream()
                .filter((entry) -> RecordingEntry.Kind.LOG == entry.kind()).toList();
            assertThat(logs).hasSize(JOB.partitions());
            flipLength(archive.resolve(logs.get(0).segmentName(0)));
            Files.delete(archive.resolve("clean-stop"));
            client.await(table.push(KEYS, ONES));
            startNode(1);
            await("both copies again", this::isWhole);

            client.await(table.push(KEYS, ONES));
            nodes[0].close();
            final float[] rows = new float[KEYS.length];
            table.pullAndAwait(KEYS, KEYS.length, rows);
            assertThat(rows).containsOnly(3);
        }
    }

    private boolean isWhole()
    {
        return map.chains().chains().stream().allMatch((chain) -> 2 == chain.members().size());
    }

    /** One bit of the length of the first record, as a disk does. */
    private static void flipLength(final Path segment) throws IOException
    {
        try (RandomAccessFile file = new RandomAccessFile(segment.toFile(), "rw"))
        {
            final int length = file.read();
            file.seek(0);
            file.write(length ^ 0x40);
        }
    }

    private ClusterMember startMember()
    {
        return ClusterMember.launch(new ClusterMember.Context()
            .memberId(0)
            .members(coordinators)
            .dir(directory.resolve("coordinator"))
            .aeronDirectory(aeronDirectory("coordinator"))
            .timing(ClusterTiming.QUIET)
            .service(new CoordinatorService(CoordinatorListener.NONE)));
    }

    private void startNode(final int number)
    {
        final String name = "node-" + number;
        nodes[number] = ServerNode.launch(new ServerNode.Context()
            .nodeId(number)
            .coordinators(coordinators)
            .ingressEndpoint("127.0.0.1:" + freePort())
            .dir(directory.resolve(name))
            .aeronDirectory(aeronDirectory(name))
            .errorHandler((error) -> {}));
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

    private static Path aeronDirectory(final String name)
    {
        return Path.of("/dev/shm/gradstream-test-" + name + "-" + ProcessHandle.current().pid());
    }

    private static int freePort()
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
    private static int freeRange() throws SocketException
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
