// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.gradstream.cli.Gradstream;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.TableSpec;
import io.gradstream.driver.HostDriver;
import io.gradstream.launcher.LocalCoordinator;
import io.gradstream.launcher.LoopbackPorts;
import io.gradstream.recovery.replica.Replica;
import io.gradstream.server.aeron.ServerNode;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers are drained one after the other under load. Prints how long a worker's push waits while a lead moves: until
 * the next head begins its epoch, until it is primary, and until the worker has its answer.
 */
@Tag("faults")
@Tag("alone")
class HandOverIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(120);
    private static final int SERVERS = 3;
    private static final int COPIES = 2;
    private static final int PARTITIONS = 24;
    private static final int HAND_OVERS = Integer.getInteger("gradstream.test.hand.overs", 30);
    /** A head that does not stop is waited for longer: for two leases and two heartbeats, 560 ms. */
    private static final long WITHOUT_STOP_NS = TimeUnit.MILLISECONDS.toNanos(400);

    @TempDir
    private Path directory;
    private final List<ServerNode> nodes = new ArrayList<>();
    private final List<Long> pausesNs = new ArrayList<>();
    private final List<Long> untilEpochNs = new ArrayList<>();
    private final List<Long> untilPrimaryNs = new ArrayList<>();
    private final List<Long> untilAnswerNs = new ArrayList<>();
    /** By partition: when its newest head began its epoch, and when that head was primary. */
    private final AtomicLongArray epochBeginsNs = new AtomicLongArray(PARTITIONS);
    private final AtomicLongArray primaryNs = new AtomicLongArray(PARTITIONS);
    private final List<Long> latenciesNs = new ArrayList<>();
    private final long[][] keys = new long[PARTITIONS][1];
    private final long[] tickets = new long[PARTITIONS];
    private final long[] sentNs = new long[PARTITIONS];
    private final long[] epochs = new long[PARTITIONS];
    private LocalCoordinator coordinator;
    private HostDriver workerHost;
    private GradstreamClient client;
    private Table counts;

    @AfterEach
    void stop()
    {
        CloseHelper.closeAll(client);
        CloseHelper.closeAll(nodes);
        CloseHelper.closeAll(workerHost, coordinator);
    }

    @Test
    void shouldLetPushesWaitForMuchLessThanALeaseWhenALeadMoves() throws IOException
    {
        start();
        for (int node = 0; pausesNs.size() < HAND_OVERS; node = (node + 1) % SERVERS)
        {
            final String drained = String.valueOf(node);
            run("drain", "--node-id", drained);
            run("drain", "--node-id", drained, "--cancel");
        }
        print("pause", pausesNs);
        print("  until the epoch", untilEpochNs);
        print("  until primary", untilPrimaryNs);
        print("  until the answer", untilAnswerNs);
        print("other pushes", latenciesNs);

        assertThat(pausesNs.get(pausesNs.size() / 2)).isLessThan(WITHOUT_STOP_NS);
    }

    private void start() throws IOException
    {
        final JobSpec job = new JobSpec(PARTITIONS, COPIES, SERVERS, JobSpec.DEFAULT_VIRTUAL_NODES, 700,
            JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.CHAIN);
        final List<String> endpoints = LoopbackPorts.freeRanges(SERVERS, 1);
        coordinator = LocalCoordinator.start(directory.resolve("coordinator"), null, job);
        workerHost = HostDriver.launch(new HostDriver.Context().aeronDirectory(aeronDirectory("worker")));
        for (int node = 0; node < SERVERS; node++)
        {
            nodes.add(ServerNode.launch(new ServerNode.Context()
                .nodeId(node)
                .coordinators(coordinator.endpoints())
                .ingressEndpoint(endpoints.get(node))
                .dir(directory.resolve("node-" + node))
                .recoveryStateListener(this::onState)
                .aeronDirectory(aeronDirectory("node-" + node))));
        }
        nodes.forEach((node) -> assertThat(node.awaitServing(TIMEOUT_NS)).isTrue());
        client = GradstreamClient.connect(new ClientContext()
            .aeronDirectoryName(workerHost.aeronDirectoryName())
            .coordinators(coordinator.endpoints())
            .slot(0));
        counts = client.createTable(TableSpec.sparse(0, "counts", 1, "add/1"));
        final PartitionFunction function = new PartitionFunction(PARTITIONS);
        for (int partition = 0; partition < PARTITIONS; partition++)
        {
            while (partition != function.partitionOf(0, keys[partition][0]))
            {
                keys[partition][0]++;
            }
            epochs[partition] = client.session(partition).epoch();
            push(partition);
        }
    }

    /** Told by the threads of the nodes. */
    private void onState(final int partition, final Replica.State from, final Replica.State to, final String reason)
    {
        final AtomicLongArray reachedNs = Replica.State.START_EPOCH == to ? epochBeginsNs : primaryNs;
        if (Replica.State.START_EPOCH == to || Replica.State.PRIMARY == to)
        {
            reachedNs.set(partition, System.nanoTime());
        }
    }

    /** A command of the user; pushes go on until it has ended and all of them are acknowledged. */
    private void run(final String... command)
    {
        final List<String> words = new ArrayList<>(List.of(command));
        words.add("--coordinator=" + String.join(",", coordinator.endpoints()));
        final CompletableFuture<Integer> exitCode =
            CompletableFuture.supplyAsync(() -> Gradstream.execute(words.toArray(new String[0])));
        pushUntil(exitCode::isDone);
        assertThat(exitCode.join()).as(() -> words.toString()).isZero();
    }

    private void pushUntil(final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            client.poll();
            for (int partition = 0; partition < PARTITIONS; partition++)
            {
                if (client.isDone(tickets[partition]))
                {
                    onDone(partition);
                    push(partition);
                }
            }
        }
    }

    private void onDone(final int partition)
    {
        final long nowNs = System.nanoTime();
        final long epoch = client.session(partition).epoch();
        if (epochs[partition] == epoch)
        {
            latenciesNs.add(nowNs - sentNs[partition]);
            return;
        }
        epochs[partition] = epoch;
        pausesNs.add(nowNs - sentNs[partition]);
        untilEpochNs.add(epochBeginsNs.get(partition) - sentNs[partition]);
        untilPrimaryNs.add(primaryNs.get(partition) - epochBeginsNs.get(partition));
        untilAnswerNs.add(nowNs - primaryNs.get(partition));
    }

    private void push(final int partition)
    {
        sentNs[partition] = System.nanoTime();
        tickets[partition] = counts.push(keys[partition], new float[]{1});
    }

    private static void print(final String name, final List<Long> timesNs)
    {
        Collections.sort(timesNs);
        System.out.printf(Locale.ROOT, "%-18s %6d  p50 %6.1f ms  p90 %6.1f ms  p99 %6.1f ms  max %6.1f ms%n", name,
            timesNs.size(), ms(timesNs, 0.5), ms(timesNs, 0.9), ms(timesNs, 0.99), ms(timesNs, 1));
    }

    private static double ms(final List<Long> sortedNs, final double quantile)
    {
        return sortedNs.get((int)Math.ceil(quantile * sortedNs.size()) - 1) / 1e6;
    }

    private static Path aeronDirectory(final String of)
    {
        return Path.of("/dev/shm/gradstream-test-hand-over-" + of + "-" + ProcessHandle.current().pid());
    }
}
