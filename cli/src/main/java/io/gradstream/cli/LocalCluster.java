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
package io.gradstream.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * The processes of one run on this machine: a media driver for the workers, servers, workers. All are children of this
 * process and end with it. One thread starts and polls them; another may only {@link #abort()}.
 */
final class LocalCluster implements AutoCloseable
{
    /** Longest time until a process is ready. */
    static final long READY_TIMEOUT_MS = 60_000;
    /** Longest time an orderly stop may take before processes are killed. */
    static final long STOP_TIMEOUT_MS = 8_000;
    /** Heap of each process. */
    static final String MAX_HEAP = "256m";

    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long INTERRUPT_GRACE_MS = 500;
    private static final int EXIT_SIGINT = 130;
    private static final int EXIT_SIGTERM = 143;
    private static final String DRIVER = "driver";

    private final ClusterPlan plan;
    private final RunDirectory run;
    private final List<ChildProcess> hosts = new ArrayList<>();
    private final List<ChildProcess> servers = new ArrayList<>();
    private final List<ChildProcess> workers = new ArrayList<>();
    private final NodeState[] nodeStates;
    private int readyHosts;
    private volatile boolean isAborted;

    LocalCluster(final ClusterPlan plan, final RunDirectory run)
    {
        this.plan = plan;
        this.run = run;
        nodeStates = new NodeState[plan.servers()];
        Arrays.fill(nodeStates, NodeState.STARTING);
    }

    /**
     * Start the hosts and wait until each says that it is ready.
     */
    void startHosts() throws IOException
    {
        Files.createDirectories(run.path().resolve("logs"));
        hosts.add(start(DRIVER, plan.workersDriver(run.aeronDirectory(DRIVER))));
        for (int node = 0; node < plan.servers() && plan.isDriverExternal(); node++)
        {
            hosts.add(start("host-" + node, plan.serversDriver(serverDirectory(node), serverAeron(node))));
        }
        awaitReady(() -> readyHosts == hosts.size(), "media drivers");

        for (int node = 0; node < plan.servers(); node++)
        {
            servers.add(startServer(node));
        }
        awaitReady(this::areServersUp, "servers");
    }

    void startWorkers() throws IOException
    {
        for (int slot = 0; slot < plan.workers(); slot++)
        {
            workers.add(start("worker-" + slot, plan.worker(slot, run.aeronDirectory(DRIVER))));
        }
    }

    /**
     * Take what children have printed, and make sure that they live.
     *
     * @param listener of workers' lines with their slot.
     * @throws IllegalStateException if a child failed, with its last errors.
     */
    void poll(final BiConsumer<Integer, Line> listener) throws IOException
    {
        for (final ChildProcess host : hosts)
        {
            host.poll((text) -> readyHosts += isReady(text) ? 1 : 0);
            checkAlive(host);
        }
        for (int i = 0; i < servers.size(); i++)
        {
            final int node = i;
            servers.get(i).poll((text) -> onServerLine(node, text));
            checkAlive(servers.get(i));
        }
        for (int i = 0; i < workers.size(); i++)
        {
            pollWorker(i, listener);
        }
    }

    /**
     * Send SIGKILL to a server.
     *
     * @return wall clock in milliseconds just before.
     */
    long kill(final int node)
    {
        final long nowMs = System.currentTimeMillis();
        nodeStates[node] = NodeState.KILLED;
        servers.get(node).kill();
        return nowMs;
    }

    /**
     * Start a killed server again, as it was started first.
     */
    void restart(final int node) throws IOException
    {
        if (!plan.isDriverExternal())
        {
            RunDirectory.delete(serverAeron(node));
        }
        servers.set(node, startServer(node));
    }

    void onServiceBack(final int node)
    {
        nodeStates[node] = NodeState.UP;
    }

    NodeState nodeState(final int node)
    {
        return nodeStates[node];
    }

    void send(final int slot, final String command)
    {
        workers.get(slot).send(command);
    }

    String workersAeronDirectory()
    {
        return run.aeronDirectory(DRIVER).toString();
    }

    void idle()
    {
        LockSupport.parkNanos(PARK_NS);
    }

    /**
     * Has another thread ended the run, because the user wants so?
     */
    boolean isAborted()
    {
        return isAborted;
    }

    /**
     * Kill everything at once and start nothing more.
     */
    void abort()
    {
        isAborted = true;
        synchronized (this)
        {
            all().forEach(ChildProcess::kill);
        }
    }

    /**
     * Stop everything in order: workers, servers, drivers; kill what does not.
     */
    @Override
    public synchronized void close()
    {
        for (final List<ChildProcess> group : List.of(workers, servers, hosts))
        {
            group.forEach(ChildProcess::stop);
            final long deadlineMs = System.currentTimeMillis() + STOP_TIMEOUT_MS;
            for (final ChildProcess child : group)
            {
                if (!child.awaitEnd(Math.max(1, deadlineMs - System.currentTimeMillis())))
                {
                    child.kill();
                }
            }
        }
    }

    private List<ChildProcess> all()
    {
        final List<ChildProcess> all = new ArrayList<>(workers);
        all.addAll(servers);
        all.addAll(hosts);
        return all;
    }

    private ChildProcess startServer(final int node) throws IOException
    {
        return start("server-" + node, plan.server(node, serverDirectory(node), serverAeron(node)));
    }

    private synchronized ChildProcess start(final String name, final List<String> arguments) throws IOException
    {
        if (isAborted)
        {
            throw new IllegalStateException("stopped by the user");
        }
        final Path logs = run.path().resolve("logs");
        return ChildProcess.start(name, JvmCommand.of(MAX_HEAP, logs, arguments), logs.resolve(name + ".log"));
    }

    private Path serverDirectory(final int node)
    {
        return run.path().resolve("server-" + node);
    }

    private Path serverAeron(final int node)
    {
        return run.aeronDirectory("server-" + node);
    }

    private void awaitReady(final BooleanSupplier isReady, final String what) throws IOException
    {
        final long deadlineMs = System.currentTimeMillis() + READY_TIMEOUT_MS;
        while (!isReady.getAsBoolean())
        {
            poll((slot, line) -> {});
            if (System.currentTimeMillis() > deadlineMs)
            {
                throw new IllegalStateException(what + " were not ready within " + READY_TIMEOUT_MS / 1000 +
                    " s: the machine may be overloaded; see " + run.path().resolve("logs"));
            }
            idle();
        }
    }

    private boolean areServersUp()
    {
        for (final NodeState state : nodeStates)
        {
            if (NodeState.UP != state)
            {
                return false;
            }
        }

        return true;
    }

    private void onServerLine(final int node, final String text)
    {
        if (isReady(text))
        {
            nodeStates[node] = NodeState.STARTING == nodeStates[node] ? NodeState.UP : NodeState.RECOVERING;
        }
    }

    private void pollWorker(final int slot, final BiConsumer<Integer, Line> listener) throws IOException
    {
        final ChildProcess worker = workers.get(slot);
        final boolean wasAlive = worker.isAlive();
        worker.poll((text) ->
        {
            final Line line = Line.parse(text);
            if (null != line)
            {
                if (line.is(Line.RESULT))
                {
                    worker.expectEnd();
                }
                listener.accept(slot, line);
            }
        });
        if (!wasAlive)
        {
            checkAlive(worker);
        }
    }

    private void checkAlive(final ChildProcess child)
    {
        if (!child.hasFailed())
        {
            return;
        }

        final int exitCode = child.exitCode();
        if (EXIT_SIGINT == exitCode || EXIT_SIGTERM == exitCode)
        {
            // Ctrl-C reaches children too, and their end may be seen before this process is told
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(INTERRUPT_GRACE_MS));
        }
        if (!isAborted)
        {
            System.err.println(child.lastErrors());
        }
        throw new IllegalStateException(child.name() + " ended with exit code " + exitCode + ": see its errors above");
    }

    private static boolean isReady(final String text)
    {
        final Line line = Line.parse(text);
        return null != line && line.is(Line.READY);
    }
}
