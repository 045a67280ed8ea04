// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.aeron.Aeron;
import io.gradstream.codecs.TableSpec;
import io.gradstream.launcher.ClusterPlan;
import io.gradstream.launcher.LocalCluster;
import io.gradstream.launcher.RunDirectory;
import io.gradstream.launcher.ServerDriver;
import io.gradstream.launcher.ServerPlan;
import io.gradstream.perf.measure.Transceiver;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.aeron.DriverConnection;
import io.gradstream.worker.session.AckLevel;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Gradstream between this process and servers: one client at a time, and server processes where none run already.
 */
final class GradstreamRig implements AutoCloseable
{
    /** Term length of requests, of raw Aeron and of the driver in bytes. */
    static final int TERM_LENGTH = 1024 * 1024;

    /** Table of the load; a number that jobs hardly use, should the cluster be in use. */
    static final TableSpec TABLE = TableSpec.dense(
        TableSpec.MAX_TABLES - 1, "load", LoadSettings.ROWS, LoadSettings.DIM, "sgd/1 rate=0.001");

    private static final int SLOT_UNTIL_REPLICATED = 61;
    private static final int SLOT_UNTIL_APPLIED = 62;
    private static final int SLOT_UNTIL_RECORDED = 63;
    private static final int SPOOL_BYTES = 32 * 1024 * 1024;
    private static final int MAX_PULLS = 512;
    private static final int MAX_PULLED_BYTES = 32 * 1024 * 1024;
    private static final long OPERATION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long FLOOR_BYTES = 1L << 30;

    private final LoadSettings.Cluster cluster;
    private final Aeron aeron;
    private final Path directory;
    private RunDirectory runDirectory;
    private LocalCluster servers;
    private Aeron sharedAeron;
    private List<String> coordinators;
    private int serverCount;
    private GradstreamClient client;
    private Table table;

    private GradstreamRig(final LoadSettings.Cluster cluster, final Aeron aeron, final Path directory)
    {
        this.cluster = cluster;
        this.aeron = aeron;
        this.directory = directory;
        coordinators = cluster.coordinators();
    }

    /**
     * Start local servers, if none run already.
     *
     * @param standbys 0 for one server, 1 for two, each partition with a standby.
     */
    static GradstreamRig start(final LoadSettings settings, final Aeron aeron, final int standbys) throws IOException
    {
        final LoadSettings.Cluster cluster = settings.cluster();
        if (!cluster.isLocal())
        {
            return new GradstreamRig(cluster, aeron, null);
        }
        checkSpace(settings, standbys);
        final GradstreamRig rig = new GradstreamRig(
            cluster, aeron, Files.createTempDirectory(cluster.directory(), "perf-"));
        try
        {
            rig.startServers(standbys);
            return rig;
        }
        catch (final IOException | RuntimeException ex)
        {
            rig.close();
            throw ex;
        }
    }

    /** Be a client whose pushes are over when every copy has applied them. */
    void connectUntilReplicated()
    {
        connect(SLOT_UNTIL_REPLICATED, AckLevel.REPLICATED);
    }

    void connectUntilApplied()
    {
        connect(SLOT_UNTIL_APPLIED, AckLevel.APPLIED);
    }

    void connectUntilRecorded()
    {
        connect(SLOT_UNTIL_RECORDED, AckLevel.RECORDED);
    }

    /** Let the client do what it has to, if one is connected; it may be polled by a load beside. */
    void poll()
    {
        if (null != client)
        {
            client.poll();
        }
    }

    Transceiver pushes(final int rows)
    {
        return ClientTransceiver.pushes(client, table, rows);
    }

    Transceiver pulls(final int rows)
    {
        final int depth = Math.max(Measure.DEPTH, MAX_PULLED_BYTES / (rows * LoadSettings.ROW_BYTES) / 2);
        return ClientTransceiver.pulls(client, table, rows, Math.min(depth, LoadLoop.MAX_DEPTH));
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(client, sharedAeron, servers, runDirectory);
        if (null != directory)
        {
            IoUtil.delete(directory.toFile(), true);
        }
    }

    /** Leaderships that moved from one server to another meanwhile: the figures tell of them then. */
    long failovers()
    {
        return null == servers ? 0 : servers.view().failovers();
    }

    /** Process ids of local servers, in the order of their node ids. */
    List<Long> serverPids()
    {
        final List<Long> pids = new ArrayList<>();
        for (int node = 0; null != servers && node < serverCount; node++)
        {
            pids.add(servers.serverPid(node));
        }

        return pids;
    }

    private void startServers(final int standbys) throws IOException
    {
        final String profile = cluster.profile().name().toLowerCase(Locale.ROOT);
        final ServerPlan how = 0 == standbys ?
            new ServerPlan(profile, ServerDriver.INTERNAL, "needed", "replay", 0, ServerPlan.SHARED) :
            ServerPlan.chain(profile, ServerPlan.SHARED);
        final ClusterPlan plan = ClusterPlan
            .local(1 + standbys, 1, cluster.partitions(), LoadSettings.ROWS, how, null)
            .mtu(cluster.mtu())
            .withoutWorkersDriver();
        coordinators = plan.coordinators();
        serverCount = plan.servers();
        runDirectory = RunDirectory.create(directory);
        servers = new LocalCluster(plan, runDirectory);
        servers.startHosts();
        if (cluster.isSharing())
        {
            sharedAeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(servers.serverAeronDirectory(0)));
        }
    }

    private void connect(final int slot, final AckLevel ackLevel)
    {
        CloseHelper.close(client);
        client = null;
        client = GradstreamClient.connect(new ClientContext()
            .driver(DriverConnection.of(null == sharedAeron ? aeron : sharedAeron))
            .slot(slot)
            .ackLevel(ackLevel)
            .coordinators(coordinators)
            .mtu(cluster.mtu())
            .termLength(TERM_LENGTH)
            .spoolBytesPerPartition(SPOOL_BYTES)
            .maxPullsPerPartition(MAX_PULLS)
            .operationTimeoutNs(OPERATION_TIMEOUT_NS)
            .idleStrategy(cluster.profile().newIdleStrategy()));
        final int partitions = client.describe().job().partitions();
        if (partitions != cluster.partitions())
        {
            throw new IllegalArgumentException(
                "invalid --partitions=" + cluster.partitions() + ": the running job has " + partitions);
        }
        table = client.createTable(TABLE);
    }

    private static void checkSpace(final LoadSettings settings, final int standbys) throws IOException
    {
        final long neededBytes = FLOOR_BYTES + (1L + standbys) * settings.maxRecordedBytes(standbys > 0);
        final long usableBytes = Files.getFileStore(settings.cluster().directory()).getUsableSpace();
        if (usableBytes < neededBytes)
        {
            throw new IllegalStateException("not enough room in " + settings.cluster().directory() + ": the log may " +
                "take " + (neededBytes >> 20) + " MiB, it has " + (usableBytes >> 20) +
                "; lower --window-mib or --windows, or choose another --dir");
        }
    }
}
