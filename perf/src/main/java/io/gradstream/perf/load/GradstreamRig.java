// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.aeron.Aeron;
import io.gradstream.codecs.TableSpec;
import io.gradstream.perf.measure.Transceiver;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.aeron.DriverConnection;
import io.gradstream.worker.session.AckLevel;
import org.agrona.CloseHelper;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Gradstream between this process and servers: one client at a time, and server processes where none run already. */
final class GradstreamRig implements AutoCloseable
{
    /** Table of the load; a number that jobs hardly use, should the cluster be in use. */
    static final TableSpec TABLE = TableSpec.dense(
        TableSpec.MAX_TABLES - 1, "load", LoadRun.ROWS, LoadRun.DIM, "sgd/1 rate=0.001");

    /** Slot of the first acknowledgement level; each level has its own. */
    private static final int FIRST_SLOT = 60;
    private static final int SPOOL_BYTES = 32 * 1024 * 1024;
    private static final int MAX_PULLS = 512;
    private static final int MAX_PULLED_BYTES = 32 * 1024 * 1024;
    private static final long OPERATION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);

    private final LoadRun run;
    private final Aeron aeron;
    /** Null if the servers are not of this run. */
    private final MeasuredCluster cluster;
    private GradstreamClient client;
    private Table table;

    private GradstreamRig(final LoadRun run, final Aeron aeron, final MeasuredCluster cluster)
    {
        this.run = run;
        this.aeron = aeron;
        this.cluster = cluster;
    }

    /** Start local servers, if none run already: one, or two and each partition with a standby. */
    static GradstreamRig start(final LoadRun run, final Aeron aeron, final int replicas) throws IOException
    {
        if (null != run.coordinators())
        {
            return new GradstreamRig(run, aeron, null);
        }
        run.settings().requireSpace(replicas * run.maxRecordedBytes(replicas > 1), "--window-mib or --windows");
        final MeasuredCluster cluster = MeasuredCluster.start(run.settings(), MeasuredCluster
            .plan(run.settings(), replicas, run.partitions(), LoadRun.ROWS).mtu(run.mtu()).withoutWorkersDriver());
        return new GradstreamRig(run, run.isSharing() ? cluster.aeron() : aeron, cluster);
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
        final int depth = Math.max(Measure.DEPTH, MAX_PULLED_BYTES / (rows * LoadRun.ROW_BYTES) / 2);
        return ClientTransceiver.pulls(client, table, rows, Math.min(depth, LoadLoop.MAX_DEPTH));
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(client, cluster);
    }

    /** Leaderships that moved from one server to another meanwhile: the figures tell of them then. */
    long failovers()
    {
        return null == cluster ? 0 : cluster.processes().view().failovers();
    }

    /** Process ids of local servers, in the order of their node ids. */
    List<Long> serverPids()
    {
        return null == cluster ? List.of() : cluster.serverPids();
    }

    /** Be a client whose pushes are over at a level, in place of the client that was. */
    void connect(final AckLevel ackLevel)
    {
        CloseHelper.close(client);
        client = null;
        client = GradstreamClient.connect(new ClientContext()
            .driver(DriverConnection.of(aeron))
            .slot(FIRST_SLOT + ackLevel.ordinal())
            .ackLevel(ackLevel)
            .coordinators(null == cluster ? run.coordinators() : cluster.coordinators())
            .mtu(run.mtu())
            .termLength(MeasuredCluster.TERM_LENGTH)
            .spoolBytesPerPartition(SPOOL_BYTES)
            .maxPullsPerPartition(MAX_PULLS)
            .operationTimeoutNs(OPERATION_TIMEOUT_NS)
            .idleStrategy(run.settings().profile().newIdleStrategy()));
        final int partitions = client.describe().job().partitions();
        if (partitions != run.partitions())
        {
            throw new IllegalArgumentException(
                "invalid --partitions=" + run.partitions() + ": the running job has " + partitions);
        }
        table = client.createTable(TABLE);
    }
}
