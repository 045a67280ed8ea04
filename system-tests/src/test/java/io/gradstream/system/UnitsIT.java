// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.aeron.Aeron;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.TableSpec;
import io.gradstream.coordinator.client.CoordinatorLink;
import io.gradstream.coordinator.client.WorkStatus;
import io.gradstream.driver.HostDriver;
import io.gradstream.launcher.LocalCoordinator;
import io.gradstream.server.aeron.ServerNode;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Units;
import io.gradstream.worker.aeron.ClusterChannel;
import io.gradstream.worker.aeron.DriverConnection;
import io.gradstream.worker.work.WorkUnit;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;

/** Workers without a slot of their own come, die and come, and all batches of their work are done once. */
@Tag("faults")
class UnitsIT
{
    private static final int TIMEOUT_SECONDS = 90;
    private static final int BATCHES = 3_000;
    private static final int SLOTS = 8;
    private static final JobSpec JOB = new JobSpec(
        2, 1, 2, JobSpec.DEFAULT_VIRTUAL_NODES, 100, JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.REPLAY);

    @TempDir
    private Path directory;
    private final List<Process> workers = new ArrayList<>();
    private LocalCoordinator coordinator;
    private final ServerNode[] servers = new ServerNode[JOB.nodes()];
    private HostDriver workerHost;
    private WorkStatus status;

    @BeforeEach
    void start() throws Exception
    {
        coordinator = LocalCoordinator.start(directory.resolve("coordinator"), null, JOB);
        startServer(0);
        startServer(1);
        workerHost = HostDriver.launch(new HostDriver.Context());
        awaitServing();
        Files.writeString(directory.resolve("data.svm"), "1 1:1\n0 1:1\n".repeat(BATCHES / 2));
    }

    @AfterEach
    void stop()
    {
        workers.forEach(Process::destroyForcibly);
        CloseHelper.closeAll(workerHost, servers[0], servers[1], coordinator);
    }

    private void startServer(final int node)
    {
        servers[node] = ServerNode.launch(new ServerNode.Context()
            .coordinators(coordinator.endpoints())
            .ingressEndpoint("127.0.0.1:" + CoordinatorIT.freePort())
            .nodeId(node)
            .dir(directory.resolve("node-" + node)));
    }

    private void awaitServing() throws InterruptedException
    {
        for (final ServerNode server : servers)
        {
            assertThat(server.awaitServing(TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS))).isTrue();
        }
    }

    @Test
    void shouldDoEveryBatchOnceWhoeverDies() throws Exception
    {
        startWorker(1, 1);
        startWorker(1, 1);
        awaitStatus(() -> status.batchesDone() > 0 &&
            2 == status.slots().stream().filter((slot) -> slot.openBatches() >= 16).count());
        workers.get(0).destroyForcibly().waitFor();
        startWorker(1, 1);

        assertEnded(1);
        assertEnded(2);
        awaitStatus(() -> true);
        assertThat(status.batchesTotal()).isEqualTo(BATCHES);
        assertThat(status.batchesDone() + status.batchesLeftOut()).isEqualTo(BATCHES);
        assertThat(status.batchesDropped()).isZero();
        assertThat(status.slotsAdopted()).isEqualTo(1);
        assertThat(status.unitsReissued()).isPositive();
        assertThat(status.slots()).extracting(WorkStatus.Slot::slot).containsExactly(0, 1, 2);
        // the batch that the killed worker may have begun is left out
        assertThat(pushesOfTheOnlyFeature()).isBetween(BATCHES - 1L, (long)BATCHES);

        startWorker(2, BATCHES / 30);
        final Command next = Command.awaitEnd(workers.get(3), logs(3), TIMEOUT_SECONDS);
        assertThat(next.exitCode()).as(next.err()).isZero();
        awaitStatus(() -> 2 == status.workId() && 30 == status.batchesDone());
        assertThat(status.slots()).as("slots are used again").extracting(WorkStatus.Slot::slot)
            .containsExactly(0, 1, 2);
    }

    @Test
    void shouldTakeAnotherSlotWhenItsWorkWasTakenAwayWhileItStoodStill() throws Exception
    {
        startWorker(1, 1);
        startWorker(1, 1);
        awaitStatus(() -> status.batchesDone() > 0 &&
            2 == status.slots().stream().filter((slot) -> slot.openBatches() >= 16).count());
        signal("-STOP", workers.get(0));
        assertEnded(1);
        awaitStatus(() -> BATCHES == status.batchesDone() + status.batchesLeftOut());
        signal("-CONT", workers.get(0));

        final Command late = Command.awaitEnd(workers.get(0), logs(0), TIMEOUT_SECONDS);
        assertThat(late.exitCode()).as(late.err()).isZero();
        assertThat(late.err()).contains("it asks for another slot");
        assertThat(status.slotsAdopted()).isEqualTo(1);
        assertThat(pushesOfTheOnlyFeature()).isBetween(BATCHES - 1L, (long)BATCHES);
    }

    @Test
    void shouldCountNothingAsDoneThatAServerLacksWhichWasAwayWhenAWorkerDied() throws Exception
    {
        final int ended = 3;
        final int endedAtOne = 7;
        try (GradstreamClient first = connect())
        {
            first.units(1, 100, 10, 1).next();
            clock(first, ended);
            first.awaitAll();
            servers[1].close();
            clock(first, endedAtOne - ended);
            final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
            while (endedAtOne != Math.max(
                first.session(0).acknowledgedThrough(), first.session(1).acknowledgedThrough()))
            {
                assertThat(System.nanoTime()).isLessThan(deadlineNs);
                first.poll();
                Thread.onSpinWait();
            }
        }
        startServer(1);
        awaitServing();

        final Units units;
        try (GradstreamClient second = connect())
        {
            assertThat(second.clocksDone()).isEqualTo(endedAtOne);
            units = second.units(1, 100, 10, 1);
            for (WorkUnit unit = units.next(); null != unit; unit = units.next())
            {
                clock(second, unit.batches());
            }
        }
        awaitStatus(() -> true);
        assertThat(status.batchesLeftOut()).as("with the batch that the first may have begun")
            .isEqualTo(endedAtOne - ended + 1);
        assertThat(status.batchesDone()).isEqualTo(100 - status.batchesLeftOut()).isEqualTo(units.batchesDone());
    }

    private GradstreamClient connect()
    {
        return GradstreamClient.connect(new ClientContext()
            .anySlot()
            .coordinators(coordinator.endpoints())
            .aeronDirectoryName(workerHost.aeronDirectoryName()));
    }

    private static void clock(final GradstreamClient client, final int times)
    {
        for (int i = 0; i < times; i++)
        {
            client.clock();
        }
    }

    private static void signal(final String signal, final Process process) throws Exception
    {
        assertThat(new ProcessBuilder("kill", signal, String.valueOf(process.pid())).start().waitFor()).isZero();
    }

    private void startWorker(final int work, final int batch) throws IOException
    {
        workers.add(Command.start(logs(workers.size()), "worker", "--units=8", "--batch=" + batch, "--passes=1",
            "--work=" + work, "--step-time=4ms", "--data=" + directory.resolve("data.svm"), "--hold-out=0",
            "--coordinator=" + coordinator.endpoints().get(0), "--aeron-dir=" + workerHost.aeronDirectoryName()));
    }

    private void assertEnded(final int worker) throws Exception
    {
        final Command ended = Command.awaitEnd(workers.get(worker), logs(worker), TIMEOUT_SECONDS);
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        assertThat(ended.out()).contains(" of " + BATCHES + " by all slots").contains("0 pushes refused");
    }

    private Path logs(final int worker) throws IOException
    {
        return Files.createDirectories(directory.resolve("worker-" + worker));
    }

    /** At the partition that has the feature: every batch is one push there. */
    private long pushesOfTheOnlyFeature()
    {
        final long[] slots = LongStream.range(0, SLOTS).toArray();
        final long[] rows = new long[SLOTS * TableSpec.AUDIT.dim()];
        long most = 0;
        try (GradstreamClient observer = GradstreamClient.connect(new ClientContext()
            .slot(ClientContext.OBSERVER)
            .coordinators(coordinator.endpoints())
            .aeronDirectoryName(workerHost.aeronDirectoryName())))
        {
            for (int partition = 0; partition < JOB.partitions(); partition++)
            {
                observer.await(observer.pullSystem(partition, TableSpec.AUDIT, slots, rows));
                most = Math.max(
                    most, Arrays.stream(slots).map((slot) -> rows[(int)slot * TableSpec.AUDIT.dim()]).sum());
            }
        }

        return most;
    }

    private void awaitStatus(final BooleanSupplier condition) throws InterruptedException
    {
        try (Aeron aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(workerHost.aeronDirectoryName())
            .useConductorAgentInvoker(true));
            CoordinatorLink link = ClusterChannel.link(
                DriverConnection.of(aeron), coordinator.endpoints(), "127.0.0.1:0", (error) -> {}))
        {
            final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
            long askedNs = System.nanoTime() - CoordinatorLink.RETRY_NS;
            status = null;
            while (null == status || !condition.getAsBoolean())
            {
                final long nowNs = System.nanoTime();
                assertThat(nowNs).as("%s", status).isLessThan(deadlineNs);
                aeron.conductorAgentInvoker().invoke();
                link.doWork(nowNs);
                status = null == link.pollWorkStatus() ? status : link.pollWorkStatus();
                if (nowNs - askedNs >= CoordinatorLink.RETRY_NS && link.requestStatus())
                {
                    askedNs = nowNs;
                }
                Thread.onSpinWait();
            }
        }
    }
}
