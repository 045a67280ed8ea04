// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.driver.DriverProfile;
import io.gradstream.driver.HostDriver;
import io.gradstream.driver.client.ChannelMtu;
import io.gradstream.coordinator.member.ClusterMember;
import io.gradstream.coordinator.member.ClusterTiming;

/**
 * The plan of a local cluster: its coordinators, its servers, its workers if there are any, and the command line of
 * each process. A coordinator that is alone, and the workers' media driver, run in the launching process unless the
 * plan says otherwise.
 */
public final class ClusterPlan
{
    /** The class whose commands the processes run, by name: the launcher does not know the commands. */
    public static final String MAIN_CLASS = "io.gradstream.cli.Gradstream";

    private static final int UNSET = -1;
    private static final String STOP_ON_EOF = "--stop-on-eof";
    /** A killed server of a local cluster comes back, so its places wait for it. */
    private static final Duration REPAIR_AFTER = Duration.ofHours(1);

    private final List<String> endpoints;
    private final List<String> coordinators;
    private final int partitions;
    private final long rows;
    private final ServerPlan servers;
    private final WorkerPlan workers;
    private List<List<String>> launchers = List.of();
    private Duration repairAfter = REPAIR_AFTER;
    private int mtu = ChannelMtu.OF_INTERFACE;
    private boolean hasWorkersDriver = true;
    private boolean hasOwnProcesses;
    private boolean isCoordinatorSynced;
    private int restarts = UNSET;
    private int spares;
    private Consistency consistency = Consistency.EVENTUAL;

    /**
     * A cluster at given addresses.
     *
     * @param endpoints    where servers listen, by node id.
     * @param coordinators where coordinators listen, by member id.
     * @param rows         most rows of a table in one partition.
     * @param workers      what they do; null for none.
     */
    public ClusterPlan(
        final List<String> endpoints,
        final List<String> coordinators,
        final int partitions,
        final long rows,
        final ServerPlan servers,
        final WorkerPlan workers)
    {
        this.endpoints = List.copyOf(endpoints);
        this.coordinators = List.copyOf(coordinators);
        this.partitions = partitions;
        this.rows = rows;
        this.servers = servers;
        this.workers = workers;
    }

    /**
     * A cluster on free ports of this machine.
     *
     * @param coordinatorCount 1 or 3.
     * @param rows             most rows of a table in one partition.
     * @param workers          what they do; null for none.
     * @throws IOException if ports cannot be had.
     */
    public static ClusterPlan local(
        final int serverCount,
        final int coordinatorCount,
        final int partitions,
        final long rows,
        final ServerPlan servers,
        final WorkerPlan workers) throws IOException
    {
        return new ClusterPlan(LoopbackPorts.free(serverCount),
            LoopbackPorts.freeRanges(coordinatorCount, ClusterMember.PORTS), partitions, rows, servers, workers);
    }

    /**
     * Run each process on a host of its own: server and coordinator n on host n, the workers' media driver on the last.
     *
     * @param newEndpoints    where servers listen, by node id.
     * @param newCoordinators where coordinators listen, by member id.
     * @param newLaunchers    of each host the command that starts a command there.
     */
    public ClusterPlan onHosts(
        final List<String> newEndpoints, final List<String> newCoordinators, final List<List<String>> newLaunchers)
    {
        final ClusterPlan plan = new ClusterPlan(newEndpoints, newCoordinators, partitions, rows, servers, workers);
        plan.launchers = List.copyOf(newLaunchers);
        plan.repairAfter = repairAfter;
        plan.mtu = mtu;
        plan.isCoordinatorSynced = isCoordinatorSynced;
        plan.restarts = restarts;
        plan.spares = spares;
        plan.consistency = consistency;
        return plan;
    }

    /**
     * Run the coordinator and the workers' media driver in processes of their own, even where they could run in the
     * launching process, so that they can be killed.
     */
    public ClusterPlan withOwnProcesses()
    {
        hasOwnProcesses = true;
        return this;
    }

    /** True if the coordinator runs in the launching process. */
    boolean isCoordinatorEmbedded()
    {
        return 1 == coordinators.size() && isEmbedding();
    }

    /** True if the workers' media driver runs in the launching process. */
    boolean isWorkersDriverEmbedded()
    {
        return hasWorkersDriver && isEmbedding();
    }

    private boolean isEmbedding()
    {
        return !hasOwnProcesses && launchers.isEmpty();
    }

    /** Start no media driver for workers: clients bring their own. */
    public ClusterPlan withoutWorkersDriver()
    {
        hasWorkersDriver = false;
        return this;
    }

    /**
     * Set the time after which the coordinators give the places of a silent server to others.
     *
     * @param delay at least {@link io.gradstream.codecs.JobSpec#MIN_REPAIR_DELAY_MS}; an hour unless set.
     */
    public ClusterPlan repairAfter(final Duration delay)
    {
        repairAfter = delay;
        return this;
    }

    /** Host of the workers' media driver. */
    int workersHost()
    {
        return launchers.size() - 1;
    }

    /** The command that starts a command on a host. */
    List<String> launched(final int host, final List<String> command)
    {
        if (launchers.isEmpty())
        {
            return command;
        }

        final List<String> launched = new ArrayList<>(launchers.get(host));
        launched.addAll(command);
        return launched;
    }

    /**
     * Set the longest datagram of every process.
     *
     * @param length in bytes; {@link ChannelMtu#OF_INTERFACE} unless set: the longest that fits.
     */
    public ClusterPlan mtu(final int length)
    {
        mtu = length;
        return this;
    }

    /** Set whether coordinators force their decisions to disk; false unless set. */
    public ClusterPlan coordinatorSync(final boolean isSynced)
    {
        isCoordinatorSynced = isSynced;
        return this;
    }

    /**
     * Set how often within ten minutes a part that ended by itself is started again.
     *
     * @param most of each part; 0 unless set: the first such end also ends the run.
     */
    public ClusterPlan restarts(final int most)
    {
        restarts = most;
        return this;
    }

    int restarts()
    {
        return Math.max(0, restarts);
    }

    /**
     * Set how many of the servers, the last ones, are not started with the others: {@link LocalCluster#addServer()}
     * starts them. Their addresses, memory and media drivers are there from the start.
     *
     * @param count fewer than there are servers; 0 unless set.
     */
    public ClusterPlan spares(final int count)
    {
        spares = count;
        return this;
    }

    /** Set how far workers may run apart; {@link Consistency#EVENTUAL} unless set. */
    public ClusterPlan consistency(final Consistency newConsistency)
    {
        consistency = newConsistency;
        return this;
    }

    /** True if workers have a media driver of their own. */
    public boolean hasWorkersDriver()
    {
        return hasWorkersDriver;
    }

    /** Where servers listen, those that may be added later too: host:port by node id. */
    public List<String> endpoints()
    {
        return endpoints;
    }

    /** Number of servers that are started first. */
    public int servers()
    {
        return endpoints.size() - spares;
    }

    /** Where coordinators listen: host:port by member id. */
    public List<String> coordinators()
    {
        return coordinators;
    }

    /** Number of partitions. */
    public int partitions()
    {
        return partitions;
    }

    ServerDriver serverDriver()
    {
        return servers.driver();
    }

    WorkerPlan workerPlan()
    {
        return workers;
    }

    int workers()
    {
        return null == workers ? 0 : workers.workers();
    }

    /** The settings of the workers' media driver in the launching process. */
    HostDriver.Context embeddedDriver(final Path aeronDirectory)
    {
        return new HostDriver.Context().aeronDirectory(aeronDirectory).profile(profile()).mtuLength(mtu)
            .clientLivenessNs(workersLivenessNs());
    }

    /** A driver that servers share must drop the streams of a killed server soon. */
    private long workersLivenessNs()
    {
        return ServerDriver.SHARED == servers.driver() ?
            profile().timeouts().clientLivenessNs() : HostDriver.PATIENT_NS;
    }

    /** The settings of the coordinator in the launching process. */
    ClusterMember.Context embeddedCoordinator(final Path directory, final Path aeronDirectory)
    {
        return new ClusterMember.Context()
            .members(coordinators)
            .dir(directory)
            .aeronDirectory(aeronDirectory)
            .profile(profile())
            .mtuLength(mtu)
            .timing(ServerPlan.FAST.equals(servers.failureDetection()) ? ClusterTiming.QUIET : ClusterTiming.SHARED)
            .sync(isCoordinatorSynced);
    }

    private DriverProfile profile()
    {
        return DriverProfile.parse(servers.profile());
    }

    /** The job as the coordinators know it. */
    JobSpec job()
    {
        return new JobSpec(partitions, servers.replicas(), servers(), JobSpec.DEFAULT_VIRTUAL_NODES,
            Math.toIntExact(rows), (int)repairAfter.toMillis(), RecoveryMode.of(servers.mode()))
            .with(consistency);
    }

    /** The command line of the workers' media driver. */
    public List<String> workersDriver(final Path aeronDirectory)
    {
        return List.of("media-driver", "--profile=" + servers.profile(), "--mtu=" + mtu,
            "--client-timeout=" + TimeUnit.NANOSECONDS.toMillis(workersLivenessNs()) + "ms",
            "--aeron-dir=" + aeronDirectory, STOP_ON_EOF);
    }

    /** The command line of a server's media driver, where it has a process of its own. */
    public List<String> serversDriver(final Path directory, final Path aeronDirectory)
    {
        return List.of("media-driver", "--profile=" + servers.profile(), "--mtu=" + mtu, "--dir=" + directory,
            "--aeron-dir=" + aeronDirectory, STOP_ON_EOF);
    }

    /** The command line of a coordinator that keeps its decisions in a directory. */
    public List<String> coordinator(final int member, final Path directory, final Path aeronDirectory)
    {
        final List<String> command = withAddresses(
            "coordinator",
            "--member=" + member,
            "--members=" + String.join(",", coordinators),
            "--dir=" + directory,
            "--aeron-dir=" + aeronDirectory,
            "--profile=" + servers.profile(),
            "--mtu=" + mtu,
            "--failure-detection=" + servers.failureDetection(),
            "--partitions=" + partitions,
            "--servers=" + servers(),
            "--replicas=" + servers.replicas(),
            "--mode=" + servers.mode(),
            "--rows=" + rows,
            "--node-timeout=" + repairAfter.toMillis() + "ms",
            "--slots=" + consistency.slots(),
            "--staleness=" + consistency.label(),
            "--journal",
            STOP_ON_EOF);
        if (isCoordinatorSynced)
        {
            command.add("--coordinator-sync");
        }

        return command;
    }

    /**
     * The command line of a server.
     *
     * @param directory      where its logs and snapshots are.
     * @param aeronDirectory that it makes, or that its media driver has made.
     */
    public List<String> server(final int node, final Path directory, final Path aeronDirectory)
    {
        return withAddresses(
            "server",
            "--node-id=" + node,
            "--endpoint=" + endpoints.get(node),
            "--coordinator=" + String.join(",", coordinators),
            "--dir=" + directory,
            "--aeron-dir=" + aeronDirectory,
            "--driver=" + servers.driver().label(),
            "--profile=" + servers.profile(),
            "--mtu=" + mtu,
            "--log-retention=" + servers.logRetention(),
            "--failure-detection=" + servers.failureDetection(),
            STOP_ON_EOF);
    }

    private List<String> withAddresses(final String... arguments)
    {
        final List<String> all = new ArrayList<>(List.of(arguments));
        if (!launchers.isEmpty())
        {
            all.add("--accept-plaintext");
        }
        if (UNSET != restarts)
        {
            all.add("--restarts=" + restarts);
        }

        return all;
    }

    /** The command line of a worker on the workers' media driver. */
    public List<String> worker(final int slot, final Path aeronDirectory)
    {
        final List<String> arguments = new ArrayList<>(List.of(
            "worker",
            "--slot=" + slot,
            "--coordinator=" + String.join(",", coordinators),
            "--aeron-dir=" + aeronDirectory,
            "--profile=" + servers.profile(),
            "--mtu=" + mtu,
            "--ack=" + workers.ack(),
            "--hold-batches=" + workers.holdBatches(),
            "--status-lines",
            STOP_ON_EOF));
        arguments.addAll(workers.job());
        return arguments;
    }
}
