// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.aeron.Aeron;
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
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A stateless job whose server finds every snapshot broken when it starts again.
 */
@Tag("faults")
class BrokenSnapshotsIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final JobSpec JOB = new JobSpec(
        1, 1, 1, JobSpec.DEFAULT_VIRTUAL_NODES, 1000, JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.STATELESS);

    @TempDir
    private Path directory;
    private final List<ServerNode> nodes = new ArrayList<>();
    private List<String> coordinators;
    private ClusterMember member;
    private HostDriver workerHost;

    @BeforeEach
    void start() throws SocketException
    {
        coordinators = List.of("127.0.0.1:" + CoordinatorIT.freeRange());
        member = ClusterMember.launch(new ClusterMember.Context()
            .memberId(0)
            .members(coordinators)
            .dir(directory.resolve("coordinator"))
            .aeronDirectory(CoordinatorIT.aeronDirectory("coordinator"))
            .timing(ClusterTiming.QUIET)
            .service(new CoordinatorService(CoordinatorListener.NONE)));
        workerHost = HostDriver.launch(
            new HostDriver.Context().aeronDirectory(CoordinatorIT.aeronDirectory("worker")));
        defineJob();
    }

    @AfterEach
    void stop()
    {
        nodes.forEach(ServerNode::close);
        CloseHelper.closeAll(workerHost, member);
    }

    @Test
    void shouldEndWithTheFilesNamedWhenEverySnapshotIsBrokenAndBeginEmptyWhenLossIsAccepted() throws IOException
    {
        final ServerNode first = startNode(false);
        await("it serves", () -> first.isServing() || first.isTerminated());
        assertThat(first.failure()).isNull();
        assertThat(push()).isEqualTo(2f);
        first.close();
        final List<String> files = breakSnapshots();
        assertThat(files).hasSize(2);

        final ServerNode second = startNode(false);
        await("it ends", second::isTerminated);
        assertThat(second.failure()).hasMessageContaining("none of its snapshots is sound")
            .hasMessageContaining(files.get(0)).hasMessageContaining(files.get(1))
            .hasMessageContaining("--allow-data-loss");
        second.close();

        final ServerNode third = startNode(true);
        await("it serves", () -> third.isServing() || third.isTerminated());
        assertThat(third.failure()).isNull();
        assertThat(push()).isEqualTo(2f);
    }

    /** Push twice to one row, wait until that is covered, and read it. */
    private float push()
    {
        try (GradstreamClient client = GradstreamClient.connect(new ClientContext()
            .aeronDirectoryName(workerHost.aeronDirectoryName())
            .coordinators(coordinators)))
        {
            final Table table = client.createTable(TableSpec.sparse(0, "counts", 1, "add/1"));
            table.push(new long[]{1}, new float[]{1});
            table.push(new long[]{1}, new float[]{1});
            client.awaitAll();
            final float[] rows = new float[1];
            table.pullAndAwait(new long[]{1}, 1, rows);

            return rows[0];
        }
    }

    /** One bit in the middle of each; returns what names their files. */
    private List<String> breakSnapshots() throws IOException
    {
        final RecordingDirectory recordings =
            RecordingDirectory.open(RecordingDirectory.find(directory.resolve("node")));
        final List<String> names = new ArrayList<>();
        for (final RecordingEntry snapshot : recordings.snapshots(1, 0))
        {
            final Path file = recordings.path().resolve(snapshot.segmentName(0));
            try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw"))
            {
                bytes.seek(snapshot.stopPosition() / 2);
                final int value = bytes.read();
                bytes.seek(snapshot.stopPosition() / 2);
                bytes.write(value ^ 1);
            }
            names.add(snapshot.recordingId() + "-*.rec");
        }

        return names;
    }

    private void defineJob()
    {
        try (Aeron aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(workerHost.aeronDirectoryName())
            .useConductorAgentInvoker(true));
            CoordinatorLink link = ClusterChannel.link(
                DriverConnection.of(aeron), coordinators, "127.0.0.1:0", (error) -> {}))
        {
            await("the job", () ->
            {
                aeron.conductorAgentInvoker().invoke();
                link.doWork(System.nanoTime());
                link.defineJob(JOB, 7);
                final ClusterMap map = link.poll();
                return null != map && null != map.job();
            });
        }
    }

    private ServerNode startNode(final boolean acceptsLoss)
    {
        final ServerNode node = ServerNode.launch(new ServerNode.Context()
            .nodeId(0)
            .coordinators(coordinators)
            .ingressEndpoint("127.0.0.1:" + CoordinatorIT.freePort())
            .dir(directory.resolve("node"))
            .aeronDirectory(CoordinatorIT.aeronDirectory("node"))
            .acceptsLoss(acceptsLoss)
            .errorHandler((error) -> {}));
        nodes.add(node);

        return node;
    }

    private static void await(final String what, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime() - deadlineNs).as(what).isNegative();
            LockSupport.parkNanos(PARK_NS);
        }
    }
}
