// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;

import io.gradstream.codecs.Chain;
import io.gradstream.driver.client.HostClock;
import io.gradstream.launcher.process.ChildProcess;
import io.gradstream.launcher.process.JvmCommand;
import io.gradstream.launcher.process.StatusLine;

/**
 * The processes of one run on this machine: servers, workers, coordinators and media drivers. All are children of this
 * process and end with it, except a coordinator that is alone and the workers' media driver, which run in this process.
 * One thread starts and polls them; another may only {@link #abort()}. Reports of coordinators reach the
 * {@link #view()} at once, whatever the polling thread does.
 */
public final class LocalCluster implements AutoCloseable
{
    /** Longest time until all processes are ready: thirteen of them on two slow processors took 60 s. */
    public static final long READY_TIMEOUT_MS = 120_000;
    /** Longest time an orderly stop may take before processes are killed. */
    public static final long STOP_TIMEOUT_MS = 8_000;
    /** Heap of each process. */
    static final String MAX_HEAP = "256m";

    private static final long IDLE_MS = 5;
    static final String DRIVER = "driver";

    /** Directory, in that of the run, of the files that processes' standard error goes to. */
    public static final String LOGS = "logs";

    private final ClusterPlan plan;
    private final RunDirectory run;
    private final Journal journal;
    private final ClusterView view;
    private final Semaphore events = new Semaphore(0);
    private final EmbeddedHosts embedded = new EmbeddedHosts();
    private final List<ChildProcess> hosts = new ArrayList<>();
    private final List<ChildProcess> coordinators = new ArrayList<>();
    /** By node id, added ones too; other threads look which are alive. */
    private final List<ChildProcess> servers = new CopyOnWriteArrayList<>();
    /** By slot, added ones too; another thread may end them. */
    private final List<ChildProcess> workers = new CopyOnWriteArrayList<>();
    private final NodeState[] nodeStates;
    private final BitSet settledCoordinators = new BitSet();
    private final SharedMemory sharedMemory;
    private final Restarts restarts;
    private int readyHosts;
    private volatile boolean isAborted;

    /** A cluster of which nothing runs yet. The caller closes the directory of its files after this. */
    public LocalCluster(final ClusterPlan plan, final RunDirectory run)
    {
        this.plan = plan;
        this.run = run;
        sharedMemory = SharedMemory.of(run);
        restarts = new Restarts(plan.restarts(), sharedMemory);
        journal = new Journal(run.path().resolve(LOGS).resolve("coordinator.log"));
        view = new ClusterView(HostClock::monotonicMs, journal::append);
        nodeStates = new NodeState[plan.endpoints().size()];
        Arrays.fill(nodeStates, NodeState.ABSENT);
        Arrays.fill(nodeStates, 0, plan.servers(), NodeState.STARTING);
    }

    /** Set the listener that hears of each restart from now on. */
    public void listen(final RestartListener listener)
    {
        restarts.listen(listener);
    }

    /**
     * Start drivers and servers and wait until each says that it is ready, and every partition has all its copies.
     *
     * @throws IOException           if a process cannot be started.
     * @throws IllegalStateException if one fails or is not ready in time.
     */
    public void startHosts() throws IOException
    {
        if (ServerDriver.SHARED == plan.serverDriver() && !plan.hasWorkersDriver())
        {
            throw new IllegalStateException("servers are to share the workers' media driver, and there is none");
        }
        sharedMemory.requireRoomFor(plan);
        final Path logs = Files.createDirectories(run.path().resolve(LOGS));
        journal.open();
        embedded.start(plan, run, logs, view);
        if (plan.hasWorkersDriver() && !plan.isWorkersDriverEmbedded())
        {
            hosts.add(startWorkersDriver());
        }
        for (int member = 0; member < plan.coordinators().size() && !plan.isCoordinatorEmbedded(); member++)
        {
            coordinators.add(startCoordinator(member));
        }
        for (int node = 0; node < nodeStates.length && ServerDriver.EXTERNAL == plan.serverDriver(); node++)
        {
            hosts.add(startDriver(node));
        }
        awaitReady(() -> readyHosts == hosts.size(), "media drivers");

        for (int node = 0; node < plan.servers(); node++)
        {
            servers.add(startServer(node));
        }
        awaitReady(() -> isWhole() && areCoordinatorsWhole(), "coordinators and servers");
        restarts.allow();
    }

    /**
     * Start the workers of the plan.
     *
     * @throws IOException if one cannot be started.
     */
    public void startWorkers() throws IOException
    {
        for (int slot = 0; slot < plan.workers(); slot++)
        {
            workers.add(startWorker(slot, false));
        }
    }

    /** Poll, and drop the lines of workers. */
    public void poll()
    {
        poll((slot, line) -> {});
    }

    /**
     * Take the lines that children have printed, and restart each process that has ended by itself.
     *
     * @param listener of workers' lines with their slot.
     * @throws IllegalStateException if a restart is not allowed, or no longer; the last errors are on stderr.
     */
    public void poll(final BiConsumer<Integer, StatusLine> listener)
    {
        pollEmbedded();
        poll(hosts, "and so are its clients", (text, host) -> readyHosts += isReady(text) ? 1 : 0, this::restartHost);
        poll(coordinators, "with what it has decided", this::onCoordinatorLine, this::restartCoordinator);
        poll(servers, "with what it has kept", this::onServerLine, this::restartEnded);
        poll(workers, "where its slot stands", (text, slot) -> onWorkerLine(text, slot, listener), this::restartWorker);
        if (isWhole())
        {
            nodes().forEach((node) -> nodeStates[node] = NodeState.UP);
        }
    }

    /**
     * Start the next of the plan's spare servers, which joins the cluster.
     *
     * @return its node id.
     * @throws IOException           if it cannot be started.
     * @throws IllegalStateException if there is none left.
     */
    public int addServer() throws IOException
    {
        final int node = servers.size();
        if (node == nodeStates.length)
        {
            throw new IllegalStateException("all " + node + " servers of the plan run, or have been stopped");
        }
        nodeStates[node] = NodeState.STARTING;
        servers.add(startServer(node));

        return node;
    }

    /**
     * Start one worker more, in the slot after the last one.
     *
     * @return its slot.
     * @throws IOException if it cannot be started.
     */
    public int addWorker() throws IOException
    {
        final int slot = workers.size();
        workers.add(startWorker(slot, false));

        return slot;
    }

    /** Number of workers that were started, each counted once. */
    public int workers()
    {
        return workers.size();
    }

    /** Let an empty server end in order, and do not wait. It does not belong to the cluster until it is restarted. */
    public void retire(final int node)
    {
        nodeStates[node] = NodeState.ABSENT;
        servers.get(node).stop();
    }

    /** Node ids of the servers that belong to the cluster, ascending. */
    public List<Integer> nodes()
    {
        return IntStream.range(0, nodeStates.length)
            .filter((node) -> NodeState.ABSENT != nodeStates[node]).boxed().toList();
    }

    /** Send SIGKILL to servers, all at once, and do not wait; returns {@link HostClock#monotonicMs()} just before. */
    public long kill(final List<Integer> nodes)
    {
        final long nowMs = HostClock.monotonicMs();
        for (final int node : nodes)
        {
            nodeStates[node] = NodeState.KILLED;
            servers.get(node).beginKill();
        }

        return nowMs;
    }

    /** Let a server end in order, and wait until it has, at most {@link #STOP_TIMEOUT_MS}. */
    public void stop(final int node)
    {
        nodeStates[node] = NodeState.KILLED;
        servers.get(node).stop();
        servers.get(node).awaitEnd(STOP_TIMEOUT_MS);
    }

    /**
     * Start a killed or retired server again, as it was started the first time.
     *
     * @throws IOException if it cannot be started.
     */
    public void restart(final int node) throws IOException
    {
        nodeStates[node] = NodeState.ABSENT == nodeStates[node] ? NodeState.STARTING : nodeStates[node];
        servers.get(node).kill();
        if (ServerDriver.INTERNAL == plan.serverDriver())
        {
            RunDirectory.delete(run.aeronDirectory(serverName(node)));
        }
        servers.set(node, startServer(node));
    }

    /** Send SIGKILL to a server's own media driver; returns its pid. The server is to notice, and to end by itself. */
    public long killDriver(final int node)
    {
        final ChildProcess host = hosts.get(indexOfDriver(node));
        nodeStates[node] = NodeState.KILLED;
        servers.get(node).expectEnd();
        host.kill();
        readyHosts--;

        return host.pid();
    }

    /** True if the newest process of a server is alive. */
    public boolean isServerAlive(final int node)
    {
        return node < servers.size() && servers.get(node).isAlive();
    }

    /**
     * Start a server's killed media driver again, and wait until it is ready.
     *
     * @throws IOException if it cannot be started.
     */
    public void restartDriver(final int node) throws IOException
    {
        RunDirectory.delete(run.aeronDirectory(serverName(node)));
        hosts.set(indexOfDriver(node), startDriver(node));
        awaitReady(() -> readyHosts == hosts.size(), "media drivers");
    }

    /** Index of a server's media driver: these come after the workers' media driver, if that one is a process. */
    private int indexOfDriver(final int node)
    {
        if (ServerDriver.EXTERNAL != plan.serverDriver())
        {
            throw new IllegalStateException("servers have no drivers of their own beside them");
        }
        return hosts.size() - nodeStates.length + node;
    }

    /** True if the newest process of a server has said that it is ready. */
    public boolean isReady(final int node)
    {
        return NodeState.UP == nodeStates[node] || NodeState.RECOVERING == nodeStates[node];
    }

    /** True if all servers are ready and every partition has all its copies. */
    public boolean isWhole()
    {
        return nodes().stream().allMatch(this::isReady) && view.isWhole();
    }

    /** The node id of the primary by partition, {@link Chain#NONE} for none. */
    public List<Integer> heads()
    {
        return view.map().chains().stream().map(Chain::head).toList();
    }

    /** The view of the coordinators' decisions. */
    public ClusterView view()
    {
        return view;
    }

    /** Send SIGKILL to a coordinator's own process; returns {@link HostClock#monotonicMs()} just before. */
    public long killCoordinator(final int member)
    {
        final long nowMs = HostClock.monotonicMs();
        coordinators.get(member).beginKill();
        // what it said before it died is not to be taken for what the next one says
        coordinators.get(member).poll((text) -> {});
        settledCoordinators.clear(member);

        return nowMs;
    }

    /**
     * Start a killed coordinator again.
     *
     * @throws IOException if it cannot be started.
     */
    public void restartCoordinator(final int member) throws IOException
    {
        coordinators.get(member).kill();
        settledCoordinators.clear(member);
        RunDirectory.delete(run.aeronDirectory(coordinatorName(member)));
        coordinators.set(member, startCoordinator(member));
    }

    /** True if all coordinators run, none of them is in an election, and one leads. */
    public boolean areCoordinatorsWhole()
    {
        return ClusterView.NO_LEADER != view.leader() && (plan.isCoordinatorEmbedded() ?
            embedded.isCoordinatorSettled() : plan.coordinators().size() == settledCoordinators.cardinality());
    }

    /**
     * Elections of a leader after the first. A coordinator that is alone begins a new term with each start, but is not
     * elected: the number is then 0.
     */
    public int elections()
    {
        return 1 == plan.coordinators().size() ? 0 : view.elections();
    }

    /**
     * Let a server stand still, as by SIGSTOP, for a while; returns {@link HostClock#monotonicMs()} just before.
     *
     * @throws IOException if it cannot be stopped.
     */
    public long pauseServer(final int node, final long durationMs) throws IOException
    {
        return pause(servers.get(node), durationMs);
    }

    /**
     * Let a worker stand still for a while; returns {@link HostClock#monotonicMs()} just before.
     *
     * @throws IOException if it cannot be stopped.
     */
    public long pauseWorker(final int slot, final long durationMs) throws IOException
    {
        return pause(workers.get(slot), durationMs);
    }

    /**
     * Let a coordinator's own process stand still for a while; returns {@link HostClock#monotonicMs()} just before.
     *
     * @throws IOException if it cannot be stopped.
     */
    public long pauseCoordinator(final int member, final long durationMs) throws IOException
    {
        return pause(coordinators.get(member), durationMs);
    }

    private long pause(final ChildProcess child, final long durationMs) throws IOException
    {
        final long nowMs = HostClock.monotonicMs();
        restarts.excuse(child.name(), System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs));
        child.pause(durationMs);

        return nowMs;
    }

    /** Process id of a coordinator, to stop and continue it. */
    public long coordinatorPid(final int member)
    {
        return coordinators.get(member).pid();
    }

    /** Process id of a server, to stop and continue it. */
    public long serverPid(final int node)
    {
        return servers.get(node).pid();
    }

    /**
     * Process id of the workers' media driver.
     *
     * @throws IllegalStateException if it has no process of its own.
     */
    public long workersDriverPid()
    {
        if (!plan.hasWorkersDriver() || plan.isWorkersDriverEmbedded())
        {
            throw new IllegalStateException("the workers' media driver has no process of its own");
        }
        return hosts.get(0).pid();
    }

    /** Note that all partitions of which a killed server was primary acknowledge again. */
    public void onServiceBack(final int node)
    {
        nodeStates[node] = NodeState.ABSENT == nodeStates[node] ? NodeState.ABSENT : NodeState.UP;
    }

    /** The state of a server. */
    public NodeState nodeState(final int node)
    {
        return nodeStates[node];
    }

    /** Send a line to the standard input of a worker. */
    public void send(final int slot, final String command)
    {
        workers.get(slot).send(command);
    }

    /** Aeron directory in which clients find the media driver of a server. */
    public String serverAeronDirectory(final int node)
    {
        return driverOf(node).toString();
    }

    private Path driverOf(final int node)
    {
        return run.aeronDirectory(ServerDriver.SHARED == plan.serverDriver() ? DRIVER : serverName(node));
    }

    /** Aeron directory in which clients find the media driver for workers. */
    public String workersAeronDirectory()
    {
        return run.aeronDirectory(DRIVER).toString();
    }

    /** Wait until a child prints something or ends, a few milliseconds at most. */
    public void idle()
    {
        try
        {
            if (events.tryAcquire(IDLE_MS, TimeUnit.MILLISECONDS))
            {
                events.drainPermits();
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** True if another thread has ended the run, because the user wants it to end. */
    public boolean isAborted()
    {
        return isAborted;
    }

    /** Kill everything at once and start nothing more. */
    public void abort()
    {
        isAborted = true;
        synchronized (this)
        {
            groups().forEach((group) -> group.forEach(ChildProcess::kill));
            embedded.close();
        }
    }

    /** Stop everything in order, and start nothing more, so that the servers' stored data can be read afterwards. */
    public void abortInOrder()
    {
        isAborted = true;
        close();
    }

    /**
     * Stop everything in order: workers, servers, coordinators, drivers. Processes that do not stop in time are killed.
     */
    @Override
    public synchronized void close()
    {
        for (final List<ChildProcess> group : groups())
        {
            group.forEach(ChildProcess::stop);
            final long deadlineMs = HostClock.monotonicMs() + STOP_TIMEOUT_MS;
            for (final ChildProcess child : group)
            {
                if (!child.awaitEnd(Math.max(1, deadlineMs - HostClock.monotonicMs())))
                {
                    child.kill();
                }
            }
        }
        embedded.close();
        journal.close();
    }

    /** The processes, in the order in which they are stopped. */
    private List<List<ChildProcess>> groups()
    {
        return List.of(workers, servers, coordinators, hosts);
    }

    private ChildProcess startServer(final int node) throws IOException
    {
        final String name = serverName(node);
        return start(name, node, plan.server(node, run.path().resolve(name), driverOf(node)));
    }

    private ChildProcess startWorker(final int slot, final boolean isAgain) throws IOException
    {
        final List<String> arguments = plan.worker(slot, run.aeronDirectory(DRIVER));
        if (isAgain)
        {
            arguments.add("--again");
        }
        return start("worker-" + slot, plan.workersHost(), plan.workerPlan().maxHeap(), arguments);
    }

    private ChildProcess startWorkersDriver() throws IOException
    {
        return start(DRIVER, plan.workersHost(), plan.workersDriver(run.aeronDirectory(DRIVER)));
    }

    private ChildProcess startDriver(final int node) throws IOException
    {
        final String name = serverName(node);
        return start(
            "host-" + node, node, plan.serversDriver(run.path().resolve(name), run.aeronDirectory(name)));
    }

    private ChildProcess startCoordinator(final int member) throws IOException
    {
        final String name = coordinatorName(member);
        return start(name, member, plan.coordinator(member, run.path().resolve(name), run.aeronDirectory(name)));
    }

    private ChildProcess start(final String name, final int host, final List<String> arguments) throws IOException
    {
        return start(name, host, MAX_HEAP, arguments);
    }

    private synchronized ChildProcess start(
        final String name, final int host, final String maxHeap, final List<String> arguments) throws IOException
    {
        if (isAborted)
        {
            throw new IllegalStateException("stopped by the user");
        }
        final Path logs = run.path().resolve(LOGS);
        final List<String> command =
            plan.launched(host, JvmCommand.of(maxHeap, logs, ClusterPlan.MAIN_CLASS, arguments));
        return ChildProcess.start(name, command, logs.resolve(name + ".log"),
            new ChildProcess.Listener(view::onLine, events::release));
    }

    private static String serverName(final int node)
    {
        return "server-" + node;
    }

    static String coordinatorName(final int member)
    {
        return "coordinator-" + member;
    }

    private void awaitReady(final BooleanSupplier isReady, final String what)
    {
        final long deadlineMs = HostClock.monotonicMs() + READY_TIMEOUT_MS;
        while (!isReady.getAsBoolean())
        {
            poll();
            if (HostClock.monotonicMs() > deadlineMs)
            {
                throw new IllegalStateException(what + " were not ready within " + READY_TIMEOUT_MS / 1000 +
                    " s: the machine may be overloaded");
            }
            idle();
        }
    }

    private void onCoordinatorLine(final String text, final int member)
    {
        final StatusLine line = StatusLine.parse(text);
        if (null != line && line.is(StatusLine.SETTLED))
        {
            settledCoordinators.set(member, Boolean.parseBoolean(line.text("now")));
        }
        else if (isReady(text))
        {
            settledCoordinators.set(member);
        }
    }

    private void onServerLine(final String text, final int node)
    {
        if (isReady(text))
        {
            nodeStates[node] = NodeState.STARTING == nodeStates[node] ? NodeState.UP : NodeState.RECOVERING;
        }
    }

    private void onWorkerLine(final String text, final int slot, final BiConsumer<Integer, StatusLine> listener)
    {
        final StatusLine line = StatusLine.parse(text);
        if (null != line)
        {
            if (line.is(StatusLine.RESULT))
            {
                workers.get(slot).expectEnd();
            }
            listener.accept(slot, line);
        }
    }

    /** Poll the parts that run in this process, and restart each that has ended by itself. */
    private void pollEmbedded()
    {
        embedded.poll();
        if (embedded.isDriverTerminated())
        {
            restarts.require("the workers' media driver", "and so are the workers");
            embedded.restartDriver();
            Restarts.run((unused) -> restartWorkers(), 0);
        }
        if (embedded.isCoordinatorTerminated())
        {
            restarts.require("the coordinator", "with what it has decided");
            embedded.restartCoordinator();
        }
    }

    /** Restart a media driver, and its clients: they are lost with it, and would find that out only late. */
    private void restartHost(final int index) throws IOException
    {
        readyHosts--;
        final int node = ServerDriver.EXTERNAL == plan.serverDriver() ? index - indexOfDriver(0) : -1;
        if (node < 0)
        {
            RunDirectory.delete(run.aeronDirectory(DRIVER));
            hosts.set(index, startWorkersDriver());
            restartWorkers();
        }
        else
        {
            servers.get(node).kill();
            RunDirectory.delete(run.aeronDirectory(serverName(node)));
            hosts.set(index, startDriver(node));
            restartEnded(node);
        }
    }

    private void restartEnded(final int node) throws IOException
    {
        nodeStates[node] = NodeState.KILLED;
        restart(node);
    }

    private void restartWorkers() throws IOException
    {
        for (int slot = 0; slot < workers.size(); slot++)
        {
            if (!workers.get(slot).isExpectedToEnd())
            {
                restartWorker(slot);
            }
        }
    }

    /** Send SIGKILL to a worker, and do not wait; returns {@link HostClock#monotonicMs()} just before. */
    public long killWorker(final int slot)
    {
        final long nowMs = HostClock.monotonicMs();
        workers.get(slot).beginKill();

        return nowMs;
    }

    /**
     * Start a worker again, which goes on where its slot stands.
     *
     * @throws IOException if it cannot be started.
     */
    public void restartWorker(final int slot) throws IOException
    {
        workers.get(slot).kill();
        workers.set(slot, startWorker(slot, true));
        restarts.listener().onWorkerRestarted(slot);
    }

    /** Take the lines of processes of one kind, and restart each of them that has ended by itself. */
    private void poll(
        final List<ChildProcess> group, final String how, final ObjIntConsumer<String> lines,
        final Restarts.Restart restart)
    {
        for (int i = 0; i < group.size(); i++)
        {
            final int index = i;
            final ChildProcess child = group.get(i);
            child.poll((text) -> lines.accept(text, index));
            if (child.hasFailed())
            {
                restarts.require(child, how, () -> isAborted);
                Restarts.run(restart, index);
            }
        }
    }

    private static boolean isReady(final String text)
    {
        final StatusLine line = StatusLine.parse(text);
        return null != line && line.is(StatusLine.READY);
    }
}
