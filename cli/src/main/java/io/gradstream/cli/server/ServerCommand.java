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
package io.gradstream.cli.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.Endpoints;
import io.gradstream.cli.options.JobOptions;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.JobSpec;
import io.gradstream.codecs.PartitionMap;
import io.gradstream.driver.client.CountedErrors;
import io.gradstream.launcher.ServerPlan;
import io.gradstream.launcher.process.ParentLink;
import io.gradstream.launcher.process.StatusLine;
import io.gradstream.recovery.chain.ChainTiming;
import io.gradstream.server.aeron.ServerNode;
import org.agrona.concurrent.SystemEpochNanoClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Runs one server: its partitions, and by default its own media driver and Archive.
 */
@Command(name = "server", description = "Run one server with its partitions.")
public final class ServerCommand implements Callable<Integer>
{
    private static final int DEFAULT_PARTITIONS = 4;
    private static final int DEFAULT_ROWS = 1 << 20;
    private static final long PARK_NS = 10_000_000;
    /** What is lost shows within so long, in an order that is not fixed. */
    private static final long LOSS_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    /** A server that is not ready says so often what it waits for. */
    private static final long WAITING_INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

    @Mixin
    private CommonOptions common;

    @Option(names = "--node-id", paramLabel = "N", required = true,
        description = "Number of this server, from 0; its place in --servers.")
    private int nodeId;

    @Option(names = "--coordinator", paramLabel = "HOST:PORT,...",
        description = "The coordinators, one or three, by member id: they say what the job is and what is kept here.")
    private String coordinators;

    @Option(names = "--endpoint", paramLabel = "HOST:PORT",
        description = "Where to listen. Default: this node's entry of --servers.")
    private String endpoint;

    @Option(names = "--servers", paramLabel = "HOST:PORT,...",
        description = "Without a coordinator: endpoints of all servers in the order of their node ids.")
    private String servers;

    @Option(names = "--partitions", paramLabel = "N",
        description = "Without a coordinator: number of partitions over all servers. Default: 4.")
    private Integer partitions;

    @Option(names = "--dir", paramLabel = "DIR", required = true,
        description = "Where logs and snapshots are; found there again after a restart.")
    private Path dir;

    @Option(names = "--aeron-dir", paramLabel = "DIR",
        description = "Directory of the media driver, which is made or, with --driver external, runs already.")
    private Path aeronDir;

    @Option(names = "--driver", paramLabel = "internal|external", defaultValue = "internal",
        description = "Run a media driver in this process, or use the running one of --aeron-dir. Default:" +
            " ${DEFAULT-VALUE}.")
    private String driver;

    @Option(names = "--rows", paramLabel = "N",
        description = "Without a coordinator: most rows of a table in one partition. Default: 1048576.")
    private Integer rows;

    @Option(names = "--keep-log", paramLabel = "all|needed", defaultValue = "needed",
        description = "Keep the whole recorded log, or what recovery needs. Default: ${DEFAULT-VALUE}.")
    private String keepLog;

    @Option(names = "--timing", paramLabel = "quiet|shared", defaultValue = "shared",
        description = "How soon a silent server is suspected: quiet for idle machines, shared for others. Default:" +
            " ${DEFAULT-VALUE}.")
    private String timing;

    @Option(names = "--accept-loss",
        description = "Begin a partition empty when no log is kept and every snapshot of it is broken. Without it" +
            " such a server ends, and names the files.")
    private boolean isLossAccepted;

    @Option(names = "--accept-plaintext", description = "Allow addresses that are not loopback.")
    private boolean isPlaintextAccepted;

    @Option(names = "--stop-on-eof", description = "Stop also when standard input ends.")
    private boolean isStoppedByEof;

    @Mixin
    private RestartOptions restartOptions;

    private boolean isReady;

    @Override
    public Integer call()
    {
        final Standstill standstill = restartOptions.newStandstill();
        // of the start: the wall clock may be set back before the node is started anew, as another process of it
        final long epochNs = new SystemEpochNanoClock().nanoTime() - System.nanoTime();
        ServerNode.Context ctx = context();
        try (ParentLink parent = ParentLink.open(isStoppedByEof))
        {
            while (!run(ctx.incarnationClock(() -> epochNs + System.nanoTime()), parent, standstill))
            {
                ctx = context();
            }
        }

        return 0;
    }

    /** Until it is stopped, then true; or false if it is to be started anew. */
    private boolean run(final ServerNode.Context ctx, final ParentLink parent, final Standstill standstill)
    {
        try (ServerNode node = ServerNode.launch(ctx))
        {
            standstill.begin(System.nanoTime());
            long toldNs = System.nanoTime();
            while (!parent.isStopped())
            {
                standstill.look(System.nanoTime());
                if (node.isTerminated())
                {
                    if (isDriverLost(node) && standstill.mayStartAnew("server", System.nanoTime()))
                    {
                        return false;
                    }
                    throw new IllegalStateException("external".equals(driver) && node.isDriverLost() ?
                        "the media driver in " + aeronDir + " ended, or took this server for dead: start it, then" +
                        " this server, again" : "the server ended by itself", node.failure());
                }
                if (!isReady && node.isServing())
                {
                    isReady = true;
                    System.out.println(
                        new StatusLine(StatusLine.READY).with("node", nodeId).with("endpoint", endpoint)
                            .with("aeronDir", node.aeronDirectoryName()));
                }
                if (!isReady && System.nanoTime() - toldNs >= WAITING_INTERVAL_NS)
                {
                    toldNs = System.nanoTime();
                    System.err.println("server: node " + nodeId + " is not READY yet: " + node.waitingFor());
                }
                LockSupport.parkNanos(PARK_NS);
            }
        }

        return true;
    }

    private static boolean isDriverLost(final ServerNode node)
    {
        final long deadlineNs = System.nanoTime() + LOSS_TIMEOUT_NS;
        while (!node.isDriverLost() && System.nanoTime() - deadlineNs < 0)
        {
            LockSupport.parkNanos(PARK_NS);
        }

        return node.isDriverLost();
    }

    private ServerNode.Context context()
    {
        CommonOptions.checkWord("driver", driver, "internal", "external");
        CommonOptions.checkWord("keep-log", keepLog, "all", "needed");
        CommonOptions.checkWord("timing", timing, ServerPlan.QUIET, ServerPlan.SHARED);
        CommonOptions.checkRange("node-id", nodeId, 0, JobSpec.MAX_NODES - 1);
        if ((null == coordinators) == (null == servers))
        {
            throw new UsageException("name the coordinators with --coordinator, or without one the --servers");
        }
        final ServerNode.Context ctx = new ServerNode.Context();
        if (null == servers)
        {
            coordinated(ctx);
        }
        else
        {
            alone(ctx);
        }
        final boolean isExternal = "external".equals(driver);
        if (isExternal && null == aeronDir)
        {
            throw new UsageException("--driver external without --aeron-dir: name the running driver's directory");
        }
        checkDirectory();
        final InetSocketAddress address = Endpoints.check(endpoint, isPlaintextAccepted);
        if (!isExternal)
        {
            // A running driver may hold the port still for a server that was killed, and shares it.
            Endpoints.checkFree(address);
        }

        ctx.nodeId(nodeId)
            .ingressEndpoint(endpoint)
            .dir(dir)
            .profile(common.profile())
            .mtuLength(common.mtu())
            .errorHandler(new CountedErrors("server", ServerCommand::withStack))
            .chainTiming(ServerPlan.QUIET.equals(timing) ? ChainTiming.QUIET : ChainTiming.SHARED)
            .keepLogAll("all".equals(keepLog))
            .acceptsLoss(isLossAccepted);
        return isExternal ? ctx.aeronDirectoryName(aeronDir.toString()) : ctx.aeronDirectory(aeronDir);
    }

    private void coordinated(final ServerNode.Context ctx)
    {
        if (null == endpoint)
        {
            throw new UsageException("--coordinator without --endpoint: say where this server is to listen");
        }
        if (null != partitions || null != rows)
        {
            throw new UsageException("--partitions and --rows contradict --coordinator, which knows them: leave them" +
                " out");
        }
        ctx.coordinators(Endpoints.coordinators(coordinators, isPlaintextAccepted));
    }

    private void alone(final ServerNode.Context ctx)
    {
        final int count = null == partitions ? DEFAULT_PARTITIONS : partitions;
        CommonOptions.checkRange("partitions", count, 1, JobOptions.MAX_PARTITIONS);
        final int capacity = null == rows ? DEFAULT_ROWS : rows;
        CommonOptions.checkRange("rows", capacity, 1, JobSpec.MAX_ROWS);
        final PartitionMap map = Endpoints.partitionMap(servers, count, isPlaintextAccepted);
        CommonOptions.checkRange("node-id", nodeId, 0, map.nodes().size() - 1);
        if (count < map.nodes().size())
        {
            throw new UsageException("invalid --partitions=" + count +
                ": must be at least the number of servers, " + map.nodes().size());
        }
        endpoint = null == endpoint ? map.nodes().get(nodeId).endpoint() : endpoint;
        ctx.partitionMap(map).rowCapacity(capacity);
    }

    private static String withStack(final Throwable error)
    {
        final StringBuilder text = new StringBuilder();
        for (Throwable cause = error; null != cause; cause = cause.getCause())
        {
            text.append(cause == error ? "" : "\ncaused by: ").append(cause);
            for (final StackTraceElement frame : cause.getStackTrace())
            {
                text.append("\n\tat ").append(frame);
            }
        }

        return text.toString();
    }

    private void checkDirectory()
    {
        try
        {
            Files.createDirectories(dir);
        }
        catch (final IOException ex)
        {
            throw new UsageException("--dir " + dir + " cannot be made or is not a directory (" + ex + ")");
        }
    }
}
