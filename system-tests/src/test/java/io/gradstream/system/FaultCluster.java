// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import io.gradstream.codecs.Chain;
import io.gradstream.codecs.ChainMap;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.driver.client.HostClock;
import io.gradstream.launcher.ClusterPlan;
import io.gradstream.launcher.LocalCluster;
import io.gradstream.launcher.RunDirectory;
import io.gradstream.worker.ClientContext;

/**
 * Servers and coordinators in processes of their own, to be killed and paused by the test. For one thread. Everything
 * it started, processes, files, shared memory, is gone after {@link #close()}.
 */
final class FaultCluster implements AutoCloseable
{
    private static final long GONE_TIMEOUT_MS = 10_000;
    static final int PARTITIONS = 4;
    /** How long a client waits for anything: many restarts on a loaded machine. */
    static final long OPERATION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(120);

    private static final int ROWS = 1 << 18;
    /** Longer than a killed server is away, unless it is to be replaced. */
    private static final Duration REPAIR_AFTER = Duration.ofSeconds(12);
    private static final int LOG_LINES = 40;
    private static final String JOURNAL = "coordinator.log";
    private static final int JOURNAL_LINES = 250;
    private static final int CRASH_LINES = 120;
    /** A woken coordinator tells in much less that it takes part in an election. */
    private static final long WAKE_MS = 500;

    private final ServiceMode mode;
    private final String workersEndpoint;
    private final RunDirectory run;
    private final ClusterPlan plan;
    private final LocalCluster cluster;
    private final Set<Long> paused = new HashSet<>();
    private Runnable onPoll = () -> {};
    private boolean isStopped;

    private FaultCluster(final ServiceMode mode, final Namespaces hosts) throws IOException
    {
        this.mode = mode;
        workersEndpoint = null == hosts ? null : hosts.address(mode.servers()) + ":0";
        run = RunDirectory.create(null);
        final ClusterPlan local = ClusterPlan
            .local(mode.servers(), mode.coordinators(), PARTITIONS, ROWS, mode.plan(), null).withOwnProcesses();
        if (mode.hasSpare())
        {
            local.repairAfter(REPAIR_AFTER);
        }
        plan = null == hosts ? local : local.onHosts(
            hosts.endpoints(mode.servers(), Namespaces.SERVER_PORT),
            hosts.endpoints(mode.coordinators(), Namespaces.COORDINATOR_PORT),
            hosts.launchers());
        cluster = new LocalCluster(plan, run);
    }

    static FaultCluster start(final ServiceMode mode) throws IOException
    {
        return start(mode, null);
    }

    /** Each server and the coordinator of its number on a host of its own, the workers' media driver on one more. */
    static FaultCluster start(final ServiceMode mode, final Namespaces hosts) throws IOException
    {
        final FaultCluster made = new FaultCluster(mode, hosts);
        try
        {
            made.cluster.startHosts();
            return made;
        }
        catch (final IOException | RuntimeException ex)
        {
            made.printLogs();
            made.close();
            throw ex;
        }
    }

    /** The first key of table 0 that each partition keeps. */
    static long[] keyOfEach()
    {
        final PartitionFunction placement = new PartitionFunction(PARTITIONS);
        final long[] keys = new long[PARTITIONS];
        for (int partition = 0; partition < keys.length; partition++)
        {
            while (placement.partitionOf(0, keys[partition]) != partition)
            {
                keys[partition] = PartitionFunction.blockEnd(keys[partition]);
            }
        }

        return keys;
    }

    ServiceMode mode()
    {
        return mode;
    }

    List<String> endpoints()
    {
        return plan.endpoints();
    }

    Path directory(final int node)
    {
        return run.path().resolve("server-" + node);
    }

    /** For a driver of the test's own; removed at the end. */
    Path aeronDirectory(final String name)
    {
        return run.aeronDirectory(name);
    }

    /** Of the media driver that workers use. */
    String workersAeronDirectory()
    {
        return mode.isDriverOfWorkersToo() ? cluster.serverAeronDirectory(0) : cluster.workersAeronDirectory();
    }

    /** Of the media driver that a server uses. */
    String serverAeronDirectory(final int node)
    {
        return cluster.serverAeronDirectory(node);
    }

    Path logs()
    {
        return run.path().resolve("logs");
    }

    /** Settings of a client of this cluster, without a slot. */
    ClientContext clientContext()
    {
        final ClientContext context = new ClientContext()
            .aeronDirectoryName(workersAeronDirectory())
            .coordinators(plan.coordinators())
            .ackLevel(mode.ack())
            .maxInFlight(mode.maxInFlight())
            .operationTimeoutNs(OPERATION_TIMEOUT_NS);
        return null == workersEndpoint ? context :
            context.responseEndpoint(workersEndpoint).coordinatorResponseEndpoint(workersEndpoint);
    }

    /** Run a command of Gradstream that asks the coordinators; it must end well. */
    void run(final String... command)
    {
        Command.askInProcess(plan.coordinators(), command);
    }

    /** True if a server has a place in no chain. */
    boolean isEmpty(final int node)
    {
        return cluster.view().map().chains().stream().noneMatch((chain) -> chain.holds(node));
    }

    /** Where coordinators listen. */
    List<String> coordinators()
    {
        return plan.coordinators();
    }

    /** The server that is primary of most partitions. */
    int primary()
    {
        final Map<Integer, Integer> counts = new HashMap<>();
        cluster.heads().forEach((node) -> counts.merge(node, 1, Integer::sum));
        counts.remove(Chain.NONE);
        return Collections.max(counts.entrySet(), Map.Entry.comparingByValue()).getKey();
    }

    /** Of the other servers the one that stands by for most partitions. */
    int standby()
    {
        final int primary = primary();
        final Map<Integer, Integer> counts = new HashMap<>();
        cluster.view().map().chains().stream()
            .flatMap((chain) -> chain.members().stream().skip(1))
            .filter((node) -> node != primary)
            .forEach((node) -> counts.merge(node, 1, Integer::sum));
        return Collections.max(counts.entrySet(), Map.Entry.comparingByValue()).getKey();
    }

    /** The server that serves a partition, as decided last. */
    int head(final int partition)
    {
        return cluster.view().map().chains().get(partition).head();
    }

    /** Partitions of all jobs. */
    int partitions()
    {
        return cluster.view().map().chains().size();
    }

    /** The servers that keep a partition, as decided last. */
    List<Integer> keepersOf(final int partition)
    {
        return cluster.view().map().chains().get(partition).members();
    }

    List<Integer> all()
    {
        final List<Integer> all = new ArrayList<>();
        for (int node = 0; node < mode.servers(); node++)
        {
            all.add(node);
        }

        return all;
    }

    /** Has every partition all its copies without a server? */
    boolean isWholeWithout(final int node)
    {
        final ChainMap map = cluster.view().map();
        return cluster.view().isWhole() &&
            map.chains().stream().noneMatch((chain) -> chain.members().contains(node));
    }

    /** A server that leads some partition, on another host than the coordinators' leader. */
    int primaryWithoutLeader()
    {
        return cluster.view().map().chains().stream().mapToInt(Chain::head)
            .filter((head) -> head != leader()).findFirst().orElseThrow();
    }

    /** True if the head of some partition is to hand the lead over. */
    boolean isHandingOver()
    {
        return cluster.view().map().chains().stream().anyMatch((chain) -> Chain.NONE != chain.transferee());
    }

    /** Of all partitions together: it grows when one gets another head. */
    long epochs()
    {
        return cluster.view().map().chains().stream().mapToLong(Chain::epoch).sum();
    }

    /** Is a server primary of no partition any more but of those that nobody else may take over? */
    boolean isSucceeded(final int node)
    {
        return cluster.view().map().chains().stream()
            .noneMatch((chain) -> chain.head() == node && chain.members().size() > 1);
    }

    long failovers()
    {
        return cluster.view().failovers();
    }

    long spuriousFailovers()
    {
        return cluster.view().spuriousFailovers();
    }

    /** SIGKILL, all at once; returns when the processes are gone. */
    void kill(final List<Integer> nodes)
    {
        final List<Long> pids = nodes.stream().map(cluster::serverPid).toList();
        cluster.kill(nodes);
        pids.forEach(FaultCluster::awaitGone);
    }

    private static void awaitGone(final long pid)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GONE_TIMEOUT_MS);
        while (!OwnProcess.isGone(pid))
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new AssertionError("the process with pid=" + pid + " survived SIGKILL");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** SIGKILL to the media driver of a server, which must end by itself then. */
    void killDriver(final int node)
    {
        awaitGone(cluster.killDriver(node));
    }

    /** End a server in order and start it again at once; returns when it says that it is ready. */
    void restartInOrder(final int node) throws IOException
    {
        cluster.stop(node);
        cluster.restart(node);
        await("server " + node + " is ready again", LocalCluster.READY_TIMEOUT_MS, () -> cluster.isReady(node));
    }

    /** SIGKILL a server, and start it again with an empty directory; returns when it says that it is ready. */
    void restartEmpty(final int node) throws IOException
    {
        kill(List.of(node));
        RunDirectory.delete(directory(node));
        cluster.restart(node);
        await("server " + node + " is ready again", LocalCluster.READY_TIMEOUT_MS, () -> cluster.isReady(node));
    }

    boolean isServerAlive(final int node)
    {
        return cluster.isServerAlive(node);
    }

    void restartDriver(final int node) throws IOException
    {
        cluster.restartDriver(node);
    }

    void restart(final List<Integer> nodes) throws IOException
    {
        for (final int node : nodes)
        {
            cluster.restart(node);
        }
    }

    /** SIGSTOP; returns when the kernel says that they stand still. */
    void pause(final List<Integer> nodes)
    {
        for (final int node : nodes)
        {
            pause(cluster.serverPid(node));
        }
    }

    void goOn(final List<Integer> nodes)
    {
        for (final int node : nodes)
        {
            goOn(cluster.serverPid(node));
        }
    }

    private void pause(final long pid)
    {
        paused.add(pid);
        OwnProcess.pause(pid);
    }

    private void goOn(final long pid)
    {
        OwnProcess.goOn(pid);
        paused.remove(pid);
    }

    /** The coordinator that leads. */
    int leader()
    {
        return cluster.view().leader();
    }

    /** The coordinators that do not lead. */
    List<Integer> followers()
    {
        final List<Integer> followers = new ArrayList<>();
        for (int member = 0; member < mode.coordinators(); member++)
        {
            if (member != leader())
            {
                followers.add(member);
            }
        }

        return followers;
    }

    /** SIGKILL to coordinators, all at once; returns when the processes are gone. */
    void killCoordinators(final List<Integer> members)
    {
        final List<Long> pids = members.stream().map(cluster::coordinatorPid).toList();
        members.forEach(cluster::killCoordinator);
        pids.forEach(FaultCluster::awaitGone);
    }

    /** The term it leads in; grows with each election. */
    long leadershipTerm()
    {
        return cluster.view().leadershipTerm();
    }

    /** Wall clock when its term began. */
    long leaderSinceMs()
    {
        return cluster.view().leaderSinceMs();
    }

    /**
     * SIGKILL to a coordinator and to servers at the same time; returns when the processes are gone.
     *
     * @return {@link HostClock#monotonicMs()} just before.
     */
    long kill(final int coordinator, final List<Integer> nodes)
    {
        final long pid = cluster.coordinatorPid(coordinator);
        final long killedMs = cluster.killCoordinator(coordinator);
        kill(nodes);
        awaitGone(pid);
        return killedMs;
    }

    void restartCoordinator(final int member) throws IOException
    {
        cluster.restartCoordinator(member);
    }

    /** SIGSTOP; returns when the kernel says that it stands still. */
    void pauseCoordinator(final int member)
    {
        pause(cluster.coordinatorPid(member));
    }

    /** Let a coordinator go on, and wait until it has seen what it missed. */
    void letCoordinatorGoOn(final int member)
    {
        goOn(cluster.coordinatorPid(member));
        stay(WAKE_MS);
    }

    /** Are all servers and coordinators ready, does one of these lead, and are all chains whole? */
    boolean isWhole()
    {
        return cluster.isWhole() && cluster.areCoordinatorsWhole();
    }

    /** One duty cycle; fails if a process ended by itself. */
    void poll()
    {
        cluster.poll();
        onPoll.run();
    }

    /** Called in each duty cycle from now on. */
    void onPoll(final Runnable watcher)
    {
        onPoll = watcher;
    }

    /** Poll until something is so; fails if it is not in time. */
    void await(final String what, final long timeoutMs, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        poll();
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new AssertionError("not within " + timeoutMs + " ms: " + what + "; map=" +
                    cluster.view().map().format() + " primaries=" + cluster.heads() + " leader=" + leader() +
                    " coordinators are " + (cluster.areCoordinatorsWhole() ? "" : "not ") + "whole, replicas " +
                    all().stream().map((node) -> ReplicaStates.read(Path.of(serverAeronDirectory(node)))).toList());
            }
            cluster.idle();
            poll();
        }
    }

    /** Poll for a while. */
    void stay(final long durationMs)
    {
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs);
        await("some time passes", 2 * durationMs + 1_000, () -> System.nanoTime() - endNs >= 0);
    }

    /** Print the end of what each process wrote to its log. */
    void printLogs()
    {
        try (Stream<Path> files = Files.list(logs()))
        {
            for (final Path file : files.sorted().toList())
            {
                final List<String> lines = Files.readAllLines(file);
                System.out.println("== " + file.getFileName() + ", " + lines.size() + " lines");
                final int count = file.endsWith(JOURNAL) ? JOURNAL_LINES : LOG_LINES;
                final int from = isOfCrash(file) ? 0 : Math.max(0, lines.size() - count);
                final int to = isOfCrash(file) ? Math.min(lines.size(), CRASH_LINES) : lines.size();
                lines.subList(from, to).forEach(System.out::println);
            }
        }
        catch (final IOException ex)
        {
            System.out.println("no logs: " + ex);
        }
    }

    /** A JVM that crashed writes what matters first. */
    private static boolean isOfCrash(final Path file)
    {
        return file.getFileName().toString().startsWith("hs_err");
    }

    /** Stop the processes in order; files stay until {@link #close()}. */
    void stop()
    {
        if (!isStopped)
        {
            isStopped = true;
            paused.forEach(OwnProcess::goOn);
            cluster.close();
        }
    }

    @Override
    public void close()
    {
        stop();
        run.close();
    }
}
