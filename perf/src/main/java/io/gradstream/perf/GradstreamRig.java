/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.perf;

import io.aeron.Aeron;
import io.gradstream.codecs.PartitionMap;
import io.gradstream.codecs.TableSpec;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.session.AckLevel;
import org.agrona.CloseHelper;

import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;

/**
 * Gradstream between this process and servers: one client at a time, and a server process where none runs already.
 */
final class GradstreamRig implements AutoCloseable
{
    /** Term length of requests, of raw Aeron and of the driver in bytes. */
    static final int TERM_LENGTH = 1024 * 1024;

    /** Table of the load; a number that jobs hardly use, should the cluster be in use. */
    static final TableSpec TABLE = TableSpec.dense(
        TableSpec.MAX_TABLES - 1, "load", LoadSettings.ROWS, LoadSettings.DIM, "sgd/1 rate=0.001");

    private static final int SLOT_UNTIL_APPLIED = 62;
    private static final int SLOT_UNTIL_RECORDED = 63;
    private static final int SPOOL_BYTES = 32 * 1024 * 1024;
    private static final int MAX_PULLS = 512;
    private static final int MAX_PULLED_BYTES = 32 * 1024 * 1024;
    private static final long OPERATION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long FLOOR_BYTES = 1L << 30;
    private static final int PUSH_MEASURES = 4;

    private final LoadSettings.Cluster cluster;
    private final Aeron aeron;
    private LocalServer server;
    private GradstreamClient client;
    private Table table;

    private GradstreamRig(final LoadSettings.Cluster cluster, final Aeron aeron)
    {
        this.cluster = cluster;
        this.aeron = aeron;
    }

    /**
     * Start a local server, if none runs already.
     *
     * @param settings of the run.
     * @param aeron    client of this process's driver.
     */
    static GradstreamRig start(final LoadSettings settings, final Aeron aeron) throws IOException
    {
        final LoadSettings.Cluster cluster = settings.cluster();
        final GradstreamRig rig = new GradstreamRig(cluster, aeron);
        if (cluster.isLocal())
        {
            checkSpace(settings);
            rig.server = LocalServer.start(cluster.profile(), cluster.partitions(), cluster.directory());
        }

        return rig;
    }

    /** Be a client whose pushes are over when they are applied. */
    void connectUntilApplied()
    {
        connect(SLOT_UNTIL_APPLIED, AckLevel.APPLIED);
    }

    /** Be a client whose pushes are over when they are recorded. */
    void connectUntilRecorded()
    {
        connect(SLOT_UNTIL_RECORDED, AckLevel.RECORDED);
    }

    Transceiver pushes(final int rows)
    {
        return new PushTransceiver(client, table, rows);
    }

    Transceiver pulls(final int rows)
    {
        final int depth = Math.max(Measure.DEPTH, MAX_PULLED_BYTES / (rows * LoadSettings.ROW_BYTES) / 2);
        return new PullTransceiver(client, table, rows, Math.min(depth, LoadLoop.MAX_DEPTH));
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(client, server);
    }

    private void connect(final int slot, final AckLevel ackLevel)
    {
        CloseHelper.close(client);
        client = GradstreamClient.connect(new ClientContext()
            .aeron(aeron)
            .slot(slot)
            .ackLevel(ackLevel)
            .partitionMap(PartitionMap.fixed(
                cluster.partitions(), cluster.isLocal() ? server.endpoint() : cluster.servers()))
            .mtu(cluster.mtu())
            .termLength(TERM_LENGTH)
            .spoolBytesPerPartition(SPOOL_BYTES)
            .maxPullsPerPartition(MAX_PULLS)
            .operationTimeoutNs(OPERATION_TIMEOUT_NS)
            .idleStrategy(cluster.profile().newIdleStrategy()));
        table = client.createTable(TABLE);
    }

    private static void checkSpace(final LoadSettings settings) throws IOException
    {
        final long neededBytes = FLOOR_BYTES + PUSH_MEASURES * (settings.windows() + 1L) * settings.maxWindowBytes();
        final long usableBytes = Files.getFileStore(settings.cluster().directory()).getUsableSpace();
        if (usableBytes < neededBytes)
        {
            throw new IllegalStateException("not enough room in " + settings.cluster().directory() + ": the log may " +
                "take " + (neededBytes >> 20) + " MiB, it has " + (usableBytes >> 20) +
                "; lower --window-mib or --windows, or choose another --dir");
        }
    }
}
