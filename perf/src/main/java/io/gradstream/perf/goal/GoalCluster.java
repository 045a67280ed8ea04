// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.goal;

import io.aeron.Aeron;
import io.gradstream.launcher.ClusterPlan;
import io.gradstream.launcher.LocalCluster;
import io.gradstream.launcher.RunDirectory;
import io.gradstream.launcher.ServerDriver;
import io.gradstream.launcher.ServerPlan;
import io.gradstream.perf.load.LoadLoop;
import io.gradstream.perf.measure.InterruptedRunException;
import io.gradstream.perf.measure.Transceiver;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.aeron.DriverConnection;
import io.gradstream.worker.session.AckLevel;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.concurrent.SystemNanoClock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One server with its coordinator, and any number of clients of this process, all on one thread.
 */
final class GoalCluster implements AutoCloseable
{
    /** Term length of requests and of raw Aeron in bytes. */
    static final int TERM_LENGTH = 1024 * 1024;
    /** Datagrams of requests and of raw Aeron in bytes. */
    static final int MTU = 8192;
    /** Outstanding transfers in measures that keep several. */
    static final int DEPTH = 8;
    /** Bytes of a transfer in measures of goodput. */
    static final int TRANSFER_BYTES = 64 * 1024;

    private static final int SPOOL_BYTES = 8 * 1024 * 1024;
    private static final int MIN_SPOOL_BYTES = 1024 * 1024;
    private static final int MAX_IN_FLIGHT = 1024;
    private static final long OPERATION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    private final GoalSettings settings;
    private final Path directory;
    private final ClusterPlan plan;
    private final RunDirectory run;
    private final LocalCluster processes;
    private final List<GradstreamClient> clients = new ArrayList<>();
    private Aeron aeron;

    private GoalCluster(final GoalSettings settings, final ClusterPlan plan, final Path directory)
    {
        this.settings = settings;
        this.plan = plan;
        this.directory = directory;
        run = RunDirectory.create(directory);
        processes = new LocalCluster(plan, run);
    }

    /**
     * One server whose log is recorded.
     *
     * @param rows most of a table in one partition.
     * @throws IOException if there are no free ports.
     */
    static ClusterPlan plan(final GoalSettings settings, final int partitions, final long rows) throws IOException
    {
        final ServerPlan server = new ServerPlan(
            settings.profileName(), ServerDriver.INTERNAL, "needed", "replay", 0, ServerPlan.SHARED);
        return ClusterPlan.local(1, 1, partitions, rows, server, null).mtu(MTU);
    }

    /**
     * Start it, and wait until it is ready.
     *
     * @throws IOException if a process cannot be started.
     */
    static GoalCluster start(final GoalSettings settings, final ClusterPlan plan) throws IOException
    {
        final GoalCluster cluster = new GoalCluster(
            settings, plan, Files.createTempDirectory(settings.directory(), "perf-"));
        try
        {
            cluster.processes.startHosts();
            cluster.aeron = Aeron.connect(
                new Aeron.Context().aeronDirectoryName(cluster.processes.workersAeronDirectory()));
            return cluster;
        }
        catch (final IOException | RuntimeException ex)
        {
            cluster.close();
            throw ex;
        }
    }

    LocalCluster processes()
    {
        return processes;
    }

    /** That of this process, on the workers' media driver. */
    Aeron aeron()
    {
        return aeron;
    }

    /** A client of its own slot, closed with the cluster. */
    GradstreamClient connect(final int slot, final AckLevel ackLevel)
    {
        return connect(context(slot, ackLevel).driver(DriverConnection.of(aeron)));
    }

    /** As {@link #context(int, AckLevel)} says, and as changed since. */
    GradstreamClient connect(final ClientContext context)
    {
        final GradstreamClient client = GradstreamClient.connect(context);
        clients.add(client);

        return client;
    }

    /** A client ends before the cluster does. */
    void disconnect(final GradstreamClient client)
    {
        clients.remove(client);
        client.close();
    }

    /** Settings of a client that has no driver yet. */
    ClientContext context(final int slot, final AckLevel ackLevel)
    {
        return new ClientContext()
            .slot(slot)
            .ackLevel(ackLevel)
            .coordinators(plan.coordinators())
            .mtu(MTU)
            .termLength(TERM_LENGTH)
            .spoolBytesPerPartition(Math.max(MIN_SPOOL_BYTES, Integer.highestOneBit(SPOOL_BYTES / plan.partitions())))
            .maxInFlight(MAX_IN_FLIGHT)
            .operationTimeoutNs(OPERATION_TIMEOUT_NS)
            .idleStrategy(settings.profile().newIdleStrategy());
    }

    /** A loop that waits as the profile says. */
    LoadLoop loop(final Transceiver load)
    {
        return new LoadLoop(load, settings.profile().newIdleStrategy(), SystemNanoClock.INSTANCE);
    }

    long serverPid()
    {
        return processes.serverPid(0);
    }

    /** Let processes be for a while, and make sure that they live. */
    void rest(final long durationNs)
    {
        final long beginNs = System.nanoTime();
        while (System.nanoTime() - beginNs < durationNs)
        {
            processes.poll();
            processes.idle();
            checkInterrupt();
        }
    }

    static void checkInterrupt()
    {
        if (Thread.interrupted())
        {
            throw new InterruptedRunException();
        }
    }

    @Override
    public void close()
    {
        try
        {
            CloseHelper.closeAll(clients);
            CloseHelper.closeAll(aeron, processes, run);
        }
        finally
        {
            IoUtil.delete(directory.toFile(), true);
        }
    }
}
