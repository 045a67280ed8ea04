// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.aeron.Aeron;
import io.gradstream.driver.client.ChannelMtu;
import io.gradstream.launcher.ClusterPlan;
import io.gradstream.launcher.LocalCluster;
import io.gradstream.launcher.RunDirectory;
import io.gradstream.launcher.ServerDriver;
import io.gradstream.launcher.ServerPlan;
import io.gradstream.perf.measure.Await;
import io.gradstream.perf.measure.Transceiver;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.aeron.DriverConnection;
import io.gradstream.worker.session.AckLevel;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SystemNanoClock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/** The cluster of a measurement, and any number of clients of this process, all on one thread. */
public final class MeasuredCluster implements AutoCloseable
{
    /** Term length of requests and of raw Aeron in bytes. */
    public static final int TERM_LENGTH = 1024 * 1024;
    /** Longest datagrams of requests and of raw Aeron in bytes: as of processes of one machine told nothing. */
    public static final int MTU = ChannelMtu.onLoopback();
    /** Outstanding transfers in measures that keep several. */
    public static final int DEPTH = 8;
    /** Bytes of a transfer in measures of goodput. */
    public static final int TRANSFER_BYTES = 64 * 1024;

    private static final int SPOOL_BYTES = 8 * 1024 * 1024;
    private static final int MIN_SPOOL_BYTES = 1024 * 1024;
    private static final int MAX_IN_FLIGHT = 1024;
    private static final long OPERATION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    private final RunOptions settings;
    /** Removed at the end, or null. */
    private final Path temporary;
    private final ClusterPlan plan;
    private final RunDirectory run;
    private final LocalCluster processes;
    private final List<GradstreamClient> clients = new ArrayList<>();
    private Aeron aeron;

    private MeasuredCluster(
        final RunOptions settings, final ClusterPlan plan, final Path directory, final Path temporary)
    {
        this.settings = settings;
        this.plan = plan;
        this.temporary = temporary;
        run = RunDirectory.create(directory);
        processes = new LocalCluster(plan, run);
    }

    /**
     * One server whose log is recorded.
     *
     * @param rows most of a table in one partition.
     * @throws IOException if there are no free ports.
     */
    public static ClusterPlan plan(final RunOptions settings, final int partitions, final long rows) throws IOException
    {
        return plan(settings, 1, partitions, rows);
    }

    /**
     * Servers whose logs are recorded, each of which has a replica of every partition.
     *
     * @throws IOException if there are no free ports.
     */
    public static ClusterPlan plan(
        final RunOptions settings, final int replicas, final int partitions, final long rows) throws IOException
    {
        final String profile = settings.profileName();
        final ServerPlan server = replicas > 1 ? ServerPlan.chain(profile, ServerPlan.DEFAULT) :
            new ServerPlan(profile, ServerDriver.INTERNAL, ServerPlan.RECOVERY, "replay", 1, ServerPlan.DEFAULT);
        return ClusterPlan.local(replicas, 1, partitions, rows, server, null).mtu(MTU);
    }

    /**
     * Start the processes in a directory that is removed at the end, and wait until they are ready.
     *
     * @throws IOException if a process cannot be started.
     */
    public static MeasuredCluster start(final RunOptions settings, final ClusterPlan plan) throws IOException
    {
        final Path directory = Files.createTempDirectory(settings.directory(), "perf-");
        return new MeasuredCluster(settings, plan, directory, directory).start();
    }

    /**
     * Start the processes in --dir, which keeps their logs, and wait until they are ready.
     *
     * @throws IOException if a process cannot be started.
     */
    public static MeasuredCluster startAndKeep(final RunOptions settings, final ClusterPlan plan) throws IOException
    {
        return null == settings.namedDirectory() ? start(settings, plan) :
            new MeasuredCluster(settings, plan, settings.namedDirectory(), null).start();
    }

    public LocalCluster processes()
    {
        return processes;
    }

    /** That of this process, on the workers' media driver, or on the first server's if there is none for workers. */
    public Aeron aeron()
    {
        if (null == aeron)
        {
            aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(
                plan.hasWorkersDriver() ? processes.workersAeronDirectory() : processes.serverAeronDirectory(0)));
        }

        return aeron;
    }

    /** A client of its own slot, closed with the cluster. */
    public GradstreamClient connect(final int slot, final AckLevel ackLevel)
    {
        return connect(context(slot, ackLevel).driver(DriverConnection.of(aeron())));
    }

    /** As {@link #context(int, AckLevel)} says, and as changed since. */
    public GradstreamClient connect(final ClientContext context)
    {
        final GradstreamClient client = GradstreamClient.connect(context);
        clients.add(client);

        return client;
    }

    /** A client ends before the cluster does. */
    public void disconnect(final GradstreamClient client)
    {
        clients.remove(client);
        client.close();
    }

    /** Settings of a client that has no driver yet. */
    public ClientContext context(final int slot, final AckLevel ackLevel)
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
    public LoadLoop loop(final Transceiver load)
    {
        return new LoadLoop(load, settings.profile().newIdleStrategy(), SystemNanoClock.INSTANCE);
    }

    public List<String> coordinators()
    {
        return plan.coordinators();
    }

    public long serverPid()
    {
        return processes.serverPid(0);
    }

    /** Process ids of the servers, in the order of their node ids. */
    public List<Long> serverPids()
    {
        return IntStream.range(0, plan.servers()).mapToObj(processes::serverPid).toList();
    }

    /** Let processes be for a while, and make sure that they live. */
    public void rest(final long durationNs)
    {
        Await.rest(durationNs, this::poll);
    }

    /**
     * Wait, and make sure that the processes live.
     *
     * @throws IllegalStateException if the condition does not come true in time.
     */
    public void await(final String what, final long timeoutNs, final BooleanSupplier condition)
    {
        Await.until(what, timeoutNs, condition, this::poll);
    }

    /** Let a client be for a while, as a worker does that has nothing to do. */
    public void idle(final GradstreamClient client, final long durationNs)
    {
        final IdleStrategy idleStrategy = settings.profile().newIdleStrategy();
        Await.rest(durationNs, () -> idleStrategy.idle(client.poll()));
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
            if (null != temporary)
            {
                IoUtil.delete(temporary.toFile(), true);
            }
        }
    }

    private void poll()
    {
        processes.poll();
        processes.idle();
    }

    private MeasuredCluster start() throws IOException
    {
        try
        {
            processes.startHosts();
            return this;
        }
        catch (final IOException | RuntimeException ex)
        {
            close();
            throw ex;
        }
    }
}
