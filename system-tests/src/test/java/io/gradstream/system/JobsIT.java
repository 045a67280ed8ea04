// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.TableSpec;
import io.gradstream.driver.DriverProfile;
import io.gradstream.driver.HostDriver;
import io.gradstream.launcher.LocalCoordinator;
import io.gradstream.launcher.LoopbackPorts;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.server.aeron.ServerNode;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.GradstreamException;
import io.gradstream.worker.PushRefusedException;
import io.gradstream.worker.Table;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Two jobs on the same servers: neither sees the other, and what was deleted leaves nothing behind. */
class JobsIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long[] KEYS = {3, 70, 700, 7_000, 70_000, 700_000};
    private static final float[] VALUES = new float[KEYS.length];

    @TempDir
    private Path directory;
    private final List<ServerNode> nodes = new ArrayList<>();
    private List<String> endpoints;
    private LocalCoordinator coordinator;
    private HostDriver workerHost;
    private final List<Worker> workers = new ArrayList<>();

    /** One worker of one job, and how often it has pushed. */
    private static final class Worker
    {
        private final GradstreamClient client;
        private final Table counts;
        private final int step;
        private int pushes;

        Worker(final GradstreamClient client, final int step)
        {
            this.client = client;
            this.step = step;
            counts = client.createTable(TableSpec.sparse(0, "counts", 1, "add/1"));
        }

        void push()
        {
            Arrays.fill(VALUES, step);
            for (int i = 0; i < 20; i++)
            {
                counts.push(KEYS, VALUES);
                pushes++;
            }
            client.awaitAll();
        }

        void assertRows()
        {
            final float[] rows = new float[KEYS.length];
            counts.pullAndAwait(KEYS, KEYS.length, rows);
            assertThat(rows).containsOnly(pushes * step);
            for (int partition = 0; partition < client.describe().partitions().size(); partition++)
            {
                final long[] sums = new long[TableSpec.AUDIT.dim()];
                client.await(client.pullSystem(partition, TableSpec.AUDIT, new long[]{client.slot()}, sums));
                assertThat(sums[0]).isEqualTo(client.pushCounts(partition).count());
                assertThat(sums[1]).isEqualTo(client.pushCounts(partition).sequenceSum());
            }
        }
    }

    @AfterEach
    void stop()
    {
        workers.forEach((worker) -> CloseHelper.quietClose(worker.client));
        CloseHelper.closeAll(nodes);
        CloseHelper.closeAll(workerHost, coordinator);
    }

    @Test
    void shouldTrainTwoJobsAtOnceAndLeaveNothingOfOneThatIsDeleted() throws IOException
    {
        start();
        final int number = create("--partitions=3", "--mode=chain");
        assertThat(run("job", "list")).contains("default", "other");
        final Worker first = worker("default", 1);
        final Worker second = worker("other", 1000);
        pushUntil(() -> first.pushes > 100);
        assertRows();
        assertThat(run("status", "--job=other")).contains("job name      other", "3 partitions");
        assertThat(run("status")).contains("4 partitions").doesNotContain("job name");

        // a failover, and a server that comes back: its directory holds both
        nodes.remove(0).close();
        pushUntil(() -> first.pushes > 200);
        nodes.add(0, launch(0));
        assertThat(nodes.get(0).awaitServing(TIMEOUT_NS)).isTrue();
        pushUntil(() -> isWhole(first) && isWhole(second));
        assertRows();
        assertThat(jobsOnDisk()).containsExactly(1, number);

        nodes.remove(1).close();
        assertThat(run("job", "delete", "other", "--yes"))
            .contains("job other, number " + number + ", is deleted");
        assertThatThrownBy(() ->
        {
            while (true)
            {
                second.push();
            }
        }).isInstanceOf(GradstreamException.class).hasMessageContaining("was deleted");
        second.client.close();
        workers.remove(second);
        nodes.add(launch(1));
        assertThat(nodes.get(1).awaitServing(TIMEOUT_NS)).isTrue();
        pushUntil(() -> List.of(1).equals(jobsOnDisk()) && isWhole(first));

        assertThatThrownBy(() -> worker("other", 1)).hasMessageContaining("job=other")
            .hasMessageContaining("[default]");
        final int next = create("--partitions=2", "--mode=replay");
        assertThat(next).isGreaterThan(number);
        final Worker third = worker("other", 5, 7);
        pushUntil(() -> third.pushes > 100);
        assertRows();
        assertThat(jobsOnDisk()).containsExactly(1, next);
        pushUntil(() -> run("status", "--job=other").contains("workers       in slots 5"));
        assertThat(run("status")).contains("workers       in slots 0");
    }

    @Test
    void shouldRefuseRowsBeyondTheLimitOfAJobAndLetTheOtherJobGoOn() throws IOException
    {
        start();
        // each partition may hold one of the six rows
        create("--partitions=2", "--mode=chain", "--max-row-bytes=8", "--push-rate=1m");
        assertThat(run("job", "list", "--json")).contains("\"maxRowBytes\":8,\"pushRate\":1048576");
        assertThat(run("status", "--job=other"))
            .contains("limits        rows of at most 8 bytes, pushes of at most 1048576 bytes a second a server");
        final Worker first = worker("default", 1);
        final Worker second = worker("other", 1000);
        assertThatThrownBy(second::push)
            .isInstanceOf(GradstreamException.class).hasMessageContaining("OUT_OF_ROWS")
            .hasMessageContaining("raise it (job set --max-row-bytes)");
        second.client.close();
        workers.remove(second);
        first.push();
        first.assertRows();

        assertThat(run("job", "set", "--job=other", "--max-row-bytes=0"))
            .contains("rows of any length, pushes of at most 1048576 bytes a second a server");
        pushUntil(() -> isTaken(worker("other", 7, 1)));
        assertThat(run("status", "--job=other")).contains("limits        rows of any length");
    }

    /** True if all pushes of a new worker are taken. If they are not, it ends. */
    private boolean isTaken(final Worker worker)
    {
        workers.remove(worker);
        try (GradstreamClient client = worker.client)
        {
            worker.push();
            return 0 == client.refusedTickets();
        }
        catch (final PushRefusedException ex)
        {
            return false;
        }
    }

    private int create(final String... shape)
    {
        final List<String> words = new ArrayList<>(List.of("job", "create", "other"));
        words.addAll(List.of(shape));
        final String said = run(words.toArray(new String[0]));
        assertThat(said).startsWith("job other, number ").contains("partitions, mode");

        return Integer.parseInt(said.substring("job other, number ".length(), said.indexOf(':')));
    }

    private void assertRows()
    {
        workers.forEach(Worker::assertRows);
    }

    private void start() throws IOException
    {
        final JobSpec job = new JobSpec(4, 2, 2, JobSpec.DEFAULT_VIRTUAL_NODES, 700,
            JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.CHAIN);
        endpoints = LoopbackPorts.freeRanges(2, 1);
        coordinator = LocalCoordinator.start(directory.resolve("coordinator"), null, job);
        workerHost = HostDriver.launch(new HostDriver.Context().aeronDirectory(aeronDirectory("worker")));
        nodes.add(launch(0));
        nodes.add(launch(1));
        nodes.forEach((node) -> assertThat(node.awaitServing(TIMEOUT_NS)).isTrue());
    }

    private Worker worker(final String job, final int step)
    {
        return worker(job, 0, step);
    }

    private Worker worker(final String job, final int slot, final int step)
    {
        workers.add(new Worker(GradstreamClient.connect(new ClientContext()
            .aeronDirectoryName(workerHost.aeronDirectoryName())
            .coordinators(coordinator.endpoints())
            .job(job)
            .slot(slot)
            .audit(true)), step));

        return workers.get(workers.size() - 1);
    }

    private ServerNode launch(final int node)
    {
        return ServerNode.launch(new ServerNode.Context()
            .nodeId(node)
            .coordinators(coordinator.endpoints())
            .ingressEndpoint(endpoints.get(node))
            .dir(directory.resolve("node-" + node))
            .profile(DriverProfile.DEV)
            .aeronDirectory(aeronDirectory("node-" + node)));
    }

    private static Path aeronDirectory(final String of)
    {
        return Path.of("/dev/shm/gradstream-test-jobs-" + of + "-" + ProcessHandle.current().pid());
    }

    private void pushUntil(final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            workers.forEach(Worker::push);
        }
    }

    private static boolean isWhole(final Worker worker)
    {
        return worker.client.describe().partitions().stream().allMatch((partition) -> 2 == partition.chain().size());
    }

    private List<Integer> jobsOnDisk()
    {
        final TreeSet<Integer> jobs = new TreeSet<>();
        for (int node = 0; node < nodes.size(); node++)
        {
            jobs.addAll(
                RecordingDirectory.open(RecordingDirectory.find(directory.resolve("node-" + node))).jobIds());
        }

        return List.copyOf(jobs);
    }

    private String run(final String... command)
    {
        return Command.askInProcess(coordinator.endpoints(), command);
    }
}
