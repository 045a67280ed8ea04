// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.TableSpec;
import io.gradstream.coordinator.state.Placement;
import io.gradstream.driver.DriverProfile;
import io.gradstream.driver.HostDriver;
import io.gradstream.launcher.LocalCoordinator;
import io.gradstream.launcher.LoopbackPorts;
import io.gradstream.recovery.recording.RecordingDirectory;
import io.gradstream.server.aeron.ServerNode;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.ClusterDescription.PartitionDescription;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** A server that joins a running cluster gets its share of the partitions, while a worker pushes and pulls. */
class NodeJoinIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int PARTITIONS = 12;
    private static final long[] KEYS = {3, 70, 700, 7_000, 70_000, 700_000};

    @TempDir
    private Path directory;
    private final List<ServerNode> nodes = new ArrayList<>();
    private List<String> endpoints;
    private LocalCoordinator coordinator;
    private HostDriver workerHost;
    private GradstreamClient client;
    private Table counts;
    private int pushes;
    private long moveBandwidth;

    @AfterEach
    void stop()
    {
        CloseHelper.closeAll(client);
        CloseHelper.closeAll(nodes);
        CloseHelper.closeAll(workerHost, coordinator);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldGiveANewNodeItsShareOfPlaces(final int copies) throws IOException
    {
        start(copies, 2);
        final Placement before =
            Placement.initial(List.of(0, 1), PARTITIONS, copies, JobSpec.DEFAULT_VIRTUAL_NODES);
        final int expected = before.with(2).placesOf(2);

        startNode(2);
        push(() -> expected == placesOf(2) && isWhole(copies));

        assertThat(Placement.moved(before, before.with(2))).isEqualTo(expected);
        assertNothingLost();
        final List<Integer> kept = IntStream.range(0, copies * PARTITIONS).map((i) -> i / copies).boxed().toList();
        push(() -> kept.equals(keptOnDisk()));
    }

    @Test
    void shouldEmptyADrainedNodeAndSayWhenItMayBeStopped() throws IOException, InterruptedException
    {
        start(2, 3);
        final Process draining = drain(1);
        push(() -> !draining.isAlive());

        final Command drained = Command.awaitEnd(draining, directory, 1);
        assertThat(drained.exitCode()).as(drained.err()).isZero();
        assertThat(drained.out()).contains("partitions are left")
            .endsWith("server 1 keeps nothing any more, and may be stopped" + System.lineSeparator());
        assertThat(placesOf(1)).isZero();
        nodes.get(1).close();
        push(() -> isWhole(2));
        assertNothingLost();

        final Command refused = Command.awaitEnd(drain(2), directory, TimeUnit.NANOSECONDS.toSeconds(TIMEOUT_NS));
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains("start another server first");
    }

    /** The commands run in this process, beside the pushes. */
    @Test
    void shouldShowInStatusHowFarADrainIsThatNobodyWaitsFor() throws IOException
    {
        start(2, 3);
        assertThat(run("drain", "--node-id", "1", "--no-wait"))
            .contains("server 1 is being drained: status says how many partitions are left");
        final List<String> seen = new ArrayList<>();
        push(() -> seen.add(run("status")) && last(seen).contains("server 1 is drained, and may be stopped"));
        assertThat(seen)
            .anyMatch((text) -> text.matches("(?s).*server 1 is being drained: \\d+ partitions are left.*"));
        assertThat(placesOf(1)).isZero();

        assertThat(run("drain", "--node-id", "1", "--cancel")).contains("server 1 may have partitions again");
        push(() -> placesOf(1) > 0 && isWhole(2));
        assertThat(run("status")).doesNotContain("drained");
        assertNothingLost();
    }

    private String run(final String... command)
    {
        return Command.askInProcess(coordinator.endpoints(), command);
    }

    private static String last(final List<String> texts)
    {
        return texts.get(texts.size() - 1);
    }

    private Process drain(final int node) throws IOException
    {
        return Command.start(directory, "drain", "--coordinator", String.join(",", coordinator.endpoints()),
            "--node-id", String.valueOf(node));
    }

    @Test
    void shouldFinishAMoveWhoseNewNodeIsKilledOnTheWay() throws IOException
    {
        start(2, 2);
        startNode(2);
        push(() -> placesOf(2) > 0);
        nodes.remove(2).close();
        push(() -> 0 == placesOf(2));
        startNode(2);
        push(() -> placesOf(2) == 2 * PARTITIONS / 3 && isWhole(2));

        assertNothingLost();
    }

    /** Nothing is pushed meanwhile: what moves is what there was. */
    @Test
    void shouldSendANewNodeNoMoreThanTheLimitAllows() throws IOException
    {
        moveBandwidth = 1024 * 1024;
        start(1, 1);
        final Table rows = client.createTable(TableSpec.sparse(2, "rows", 1024, "add/1"));
        final float[] gradients = new float[1024];
        Arrays.fill(gradients, 1f);
        for (long i = 0; i < 6 * 1024; i++)
        {
            rows.push(new long[]{i % 256 << PartitionFunction.BLOCK_BITS}, gradients);
        }
        client.awaitAll();

        final long beginNs = System.nanoTime();
        startNode(1);
        while (PARTITIONS / 2 != placesOf(1) || !isWhole(1))
        {
            assertThat(System.nanoTime() - beginNs).isLessThan(TIMEOUT_NS);
            assertRows();
        }
        final double seconds = (System.nanoTime() - beginNs) / 1e9;
        final long moved = partitions().stream().filter((partition) -> partition.chain().contains(1))
            .mapToLong(PartitionDescription::position).sum();
        System.out.printf("moved %d bytes in %.1f s%n", moved, seconds);
        assertThat(moved).isGreaterThan(8L * moveBandwidth);
        assertThat(seconds).isBetween(0.95 * moved / moveBandwidth, 20 + 1.5 * moved / moveBandwidth);
        assertNothingLost();
    }

    private void start(final int copies, final int servers) throws IOException
    {
        final JobSpec job = new JobSpec(PARTITIONS, copies, servers, JobSpec.DEFAULT_VIRTUAL_NODES, 700,
            JobSpec.DEFAULT_REPAIR_DELAY_MS, 1 == copies ? RecoveryMode.REPLAY : RecoveryMode.CHAIN);
        endpoints = LoopbackPorts.freeRanges(3, 1);
        coordinator = LocalCoordinator.start(directory.resolve("coordinator"), null, job);
        workerHost = HostDriver.launch(new HostDriver.Context().aeronDirectory(aeronDirectory("worker")));
        for (int node = 0; node < servers; node++)
        {
            nodes.add(launch(node));
        }
        nodes.forEach((node) -> assertThat(node.awaitServing(TIMEOUT_NS)).isTrue());
        client = GradstreamClient.connect(new ClientContext()
            .aeronDirectoryName(workerHost.aeronDirectoryName())
            .coordinators(coordinator.endpoints())
            .slot(0)
            .audit(true));
        counts = client.createTable(TableSpec.sparse(0, "counts", 1, "add/1"));
    }

    private void startNode(final int node)
    {
        nodes.add(launch(node));
        assertThat(nodes.get(node).awaitServing(TIMEOUT_NS)).isTrue();
    }

    private ServerNode launch(final int node)
    {
        return ServerNode.launch(new ServerNode.Context()
            .nodeId(node)
            .coordinators(coordinator.endpoints())
            .ingressEndpoint(endpoints.get(node))
            .dir(directory.resolve("node-" + node))
            .moveBandwidth(moveBandwidth)
            .profile(DriverProfile.DEV)
            .aeronDirectory(aeronDirectory("node-" + node)));
    }

    private static Path aeronDirectory(final String of)
    {
        return Path.of("/dev/shm/gradstream-test-join-" + of + "-" + ProcessHandle.current().pid());
    }

    /** Push and pull until something is so. */
    private void push(final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        final float[] ones = new float[KEYS.length];
        Arrays.fill(ones, 1f);
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime()).as(() -> partitions().toString()).isLessThan(deadlineNs);
            for (int i = 0; i < 50; i++)
            {
                counts.push(KEYS, ones);
                pushes++;
            }
            client.awaitAll();
            assertRows();
        }
    }

    private void assertRows()
    {
        final float[] rows = new float[KEYS.length];
        counts.pullAndAwait(KEYS, KEYS.length, rows);
        assertThat(rows).containsOnly(pushes);
    }

    private List<PartitionDescription> partitions()
    {
        return client.describe().partitions();
    }

    private int placesOf(final int node)
    {
        return (int)partitions().stream().filter((partition) -> partition.chain().contains(node)).count();
    }

    private boolean isWhole(final int copies)
    {
        return partitions().stream().allMatch((partition) -> copies == partition.chain().size());
    }

    private void assertNothingLost()
    {
        assertRows();
        for (int partition = 0; partition < PARTITIONS; partition++)
        {
            final long[] sums = new long[TableSpec.AUDIT.dim()];
            client.await(client.pullSystem(partition, TableSpec.AUDIT, new long[]{0}, sums));
            assertThat(sums[0]).isEqualTo(client.pushCounts(partition).count());
            assertThat(sums[1]).isEqualTo(client.pushCounts(partition).sequenceSum());
            assertThat(sums[2]).isEqualTo(client.pushCounts(partition).sequenceSquareSum());
        }
    }

    /** The partitions of which anything is on the disk of a node, as often as there is: what has moved is deleted. */
    private List<Integer> keptOnDisk()
    {
        final List<Integer> kept = new ArrayList<>();
        for (int node = 0; node < nodes.size(); node++)
        {
            kept.addAll(
                RecordingDirectory.open(RecordingDirectory.find(directory.resolve("node-" + node))).partitions(1));
        }
        Collections.sort(kept);

        return kept;
    }
}
