// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.driver.status.StreamCounter;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Streams;
import io.gradstream.codecs.TableSpec;
import io.gradstream.driver.DriverProfile;
import io.gradstream.driver.HostDriver;
import io.gradstream.launcher.LocalCoordinator;
import io.gradstream.server.aeron.ServerNode;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.ClusterDescription.TableDescription;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.PushRefusedException;
import io.gradstream.worker.Table;
import io.gradstream.worker.TableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.offset;

/**
 * A node and a worker over real drivers and a real Archive, in one process: each with a driver of its own, or both with
 * one, over IPC, on which the node has its own Archive.
 */
@ParameterizedClass
@ValueSource(booleans = {false, true})
class NodeRestartIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int PARTITIONS = 3;
    private static final JobSpec JOB = new JobSpec(
        PARTITIONS, 1, 1, JobSpec.DEFAULT_VIRTUAL_NODES, 700, JobSpec.DEFAULT_REPAIR_DELAY_MS, RecoveryMode.REPLAY);

    @Parameter
    private boolean isDriverShared;
    @TempDir
    private Path directory;
    private LocalCoordinator coordinator;
    private String endpoint;
    private HostDriver workerHost;
    private ServerNode node;
    private GradstreamClient client;

    @BeforeEach
    void start() throws IOException
    {
        endpoint = "127.0.0.1:" + freePort();
        coordinator = LocalCoordinator.start(directory.resolve("coordinator"), null, JOB);
        workerHost = HostDriver.launch(new HostDriver.Context()
            .aeronDirectory(Path.of("/dev/shm/gradstream-test-worker-" + ProcessHandle.current().pid())));
        startNode();
        client = connect(0);
    }

    @AfterEach
    void stop()
    {
        client.close();
        node.close();
        workerHost.close();
        coordinator.close();
    }

    @Test
    void shouldGoOnWithoutLossWhenTheNodeIsStartedAgain()
    {
        final Table counts = client.createTable(TableSpec.sparse(0, "counts", 4, "add/1"));
        final long[] keys = {3, 70, 700, 7_000, 70_000};
        final float[] ones = new float[keys.length * 4];
        Arrays.fill(ones, 1f);
        for (int i = 0; i < 100; i++)
        {
            counts.push(keys, ones);
        }
        client.awaitAll();

        node.close();
        for (int i = 0; i < 50; i++)
        {
            counts.push(keys, ones);
        }
        startNode();
        client.awaitAll();

        awaitOverUdp(!isDriverShared);
        final float[] rows = new float[keys.length * 4];
        counts.pullAndAwait(keys, keys.length, rows);
        assertThat(rows).containsOnly(150f);
        assertAudit();
    }

    @Test
    void shouldPushAndPullLargeRangesInChunks()
    {
        final int rows = 600;
        final Table dense = client.createTable(TableSpec.dense(0, "dense", 1_000, 1_024, "sgd/1 rate=1"));
        final float[] gradient = new float[rows * 1_024];
        for (int i = 0; i < gradient.length; i++)
        {
            gradient[i] = i;
        }
        client.await(dense.pushRange(10, rows, gradient));

        final float[] values = new float[gradient.length];
        dense.pullRangeAndAwait(10, rows, values);
        for (int i = 0; i < values.length; i++)
        {
            assertThat(values[i]).isEqualTo(-gradient[i]);
        }
        assertAudit();
    }

    @Test
    void shouldRunTheTrainingLoopOfTheReadme()
    {
        final Table weights = client.createTable(TableSpec.sparse(0, "weights", 1, "sgd/1 rate=0.1"));
        final long[] keys = {1, 5, 64, 900};
        final float[] target = {1f, -2f, 0.5f, 4f};
        final float[] w = new float[keys.length];
        final float[] gradient = new float[keys.length];
        for (int batch = 0; batch < 200; batch++)
        {
            weights.pullAndAwait(keys, keys.length, w);
            for (int i = 0; i < w.length; i++)
            {
                gradient[i] = w[i] - target[i];
            }
            weights.push(keys, gradient);
            client.clock();
        }
        client.awaitAll();

        weights.pullAndAwait(keys, keys.length, w);
        assertThat(w).containsExactly(target, offset(1e-4f));
        assertThat(client.clocksDone()).isEqualTo(200);
    }

    @Test
    void shouldTellTheWorkerWhenAServerRefusesTheContent()
    {
        final Table small = client.createTable(TableSpec.sparse(0, "small", 1, "add/1"));
        final long[] keys = new long[3_000];
        for (int i = 0; i < keys.length; i++)
        {
            keys[i] = (long)i << 6;
        }
        final long ticket = small.push(keys, new float[keys.length]);

        assertThatExceptionOfType(PushRefusedException.class).isThrownBy(() -> client.await(ticket))
            .satisfies((refused) -> assertThat(refused.refusal()).isEqualTo(Refusal.OUT_OF_ROWS));
        client.await(small.push(new long[]{1}, new float[]{2f}));
        final float[] value = new float[1];
        small.pullAndAwait(new long[]{1}, 1, value);
        assertThat(value[0]).isEqualTo(2f);
    }

    @Test
    void shouldLetAnObserverPullWhatAWorkerPushed()
    {
        final TableSpec spec = TableSpec.sparse(0, "counts", 1, "add/1");
        client.await(client.createTable(spec).push(new long[]{9}, new float[]{4f}));
        try (GradstreamClient observer = connect(-1))
        {
            final float[] value = new float[2];
            observer.openTable(spec).pullRangeAndAwait(8, 2, value);
            assertThat(value).containsExactly(0f, 4f);
        }
    }

    @Test
    void shouldCountRowsThatOverflowAlsoAfterARestartAndRefuseThemWhereToldTo()
    {
        final Table sums = client.createTable(TableSpec.sparse(0, "sums", 1, "add/1"));
        final Table guarded = client.createTable(TableSpec.sparse(1, "guarded", 1, "add/1 refuse-non-finite"));
        final float[] huge = {3e38f, 1f};
        final long[] keys = {3, 70};
        for (final Table table : new Table[]{sums, guarded})
        {
            client.await(table.push(keys, huge));
        }
        client.await(sums.push(keys, huge));
        final long refusedTicket = guarded.push(keys, 0, 1, huge);

        assertThatExceptionOfType(PushRefusedException.class).isThrownBy(() -> client.await(refusedTicket))
            .withMessageContaining("clip=C")
            .satisfies((refused) -> assertThat(refused.refusal()).isEqualTo(Refusal.ROW_NOT_FINITE));
        node.close();
        startNode();
        assertThat(client.describe().tables()).extracting(TableDescription::rowsNotFinite).containsExactly(0L, 1L, 0L);
        final float[] rows = new float[2];
        guarded.pullAndAwait(keys, 2, rows);
        assertThat(rows).containsExactly(huge);
    }

    @Test
    void shouldSayWhatIsWrongWithATable()
    {
        final TableSpec spec = TableSpec.sparse(0, "counts", 1, "add/1");
        client.createTable(spec);

        assertThatExceptionOfType(TableException.class)
            .isThrownBy(() -> client.createTable(TableSpec.sparse(1, "weights", 1, "rmsprop/1")))
            .withMessageContaining("refused table 1 'weights' with INVALID_TABLE: unknown update function 'rmsprop/1'");
        assertThatExceptionOfType(TableException.class)
            .isThrownBy(() -> client.createTable(TableSpec.sparse(1, "counts", 1, "add/1")))
            .withMessageContaining("table 0 has this name");
        assertThatExceptionOfType(TableException.class)
            .isThrownBy(() -> client.openTable(TableSpec.sparse(0, "counts", 2, "add/1")))
            .withMessageContaining("it has dim=1 instead of dim=2");
    }

    private void assertAudit()
    {
        for (int partition = 0; partition < PARTITIONS; partition++)
        {
            final long[] sums = new long[TableSpec.AUDIT.dim()];
            client.await(client.pullSystem(partition, TableSpec.AUDIT, new long[]{0}, sums));
            assertThat(sums[0]).isEqualTo(client.pushCounts(partition).count());
            assertThat(sums[1]).isEqualTo(client.pushCounts(partition).sequenceSum());
            assertThat(sums[2]).isEqualTo(client.pushCounts(partition).sequenceSquareSum());
            assertThat(sums[3]).isEqualTo(client.pushCounts(partition).contentSum());
        }
    }

    private void startNode()
    {
        final ServerNode.Context ctx = new ServerNode.Context()
            .nodeId(0)
            .coordinators(coordinator.endpoints())
            .ingressEndpoint(endpoint)
            .dir(directory.resolve("node"))
            .profile(DriverProfile.DEV)
            .snapshotLogBytes(1 << 20);
        node = ServerNode.launch(isDriverShared ? ctx.sharedDriver(Path.of(workerHost.aeronDirectoryName())) :
            ctx.aeronDirectory(Path.of("/dev/shm/gradstream-test-node-" + ProcessHandle.current().pid())));
        assertThat(node.awaitServing(TIMEOUT_NS)).isTrue();
    }

    /** A worker tries it over UDP while the node is away, and a stream lingers when it is closed. */
    private void awaitOverUdp(final boolean isWanted)
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (isWanted != isOverUdp())
        {
            assertThat(System.nanoTime()).as("requests over UDP: not %s", isWanted).isLessThan(deadlineNs);
            client.poll();
        }
    }

    /** Does the worker's driver send requests through a socket? */
    private boolean isOverUdp()
    {
        final AtomicBoolean isFound = new AtomicBoolean();
        try (Aeron aeron = Aeron.connect(workerHost.aeronContext()))
        {
            aeron.countersReader().forEach((counterId, typeId, key, label) ->
            {
                if (AeronCounters.DRIVER_SENDER_LIMIT_TYPE_ID == typeId &&
                    Streams.INGRESS == key.getInt(StreamCounter.STREAM_ID_OFFSET) && label.contains(endpoint))
                {
                    isFound.set(true);
                }
            });
        }

        return isFound.get();
    }

    private GradstreamClient connect(final int slot)
    {
        return GradstreamClient.connect(new ClientContext()
            .aeronDirectoryName(workerHost.aeronDirectoryName())
            .coordinators(coordinator.endpoints())
            .slot(slot)
            .audit(slot >= 0));
    }

    private static int freePort() throws SocketException
    {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
    }
}
