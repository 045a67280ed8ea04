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
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

import io.gradstream.codecs.PartitionMap;
import io.gradstream.codecs.RecoveryMode;
import io.gradstream.recovery.replica.ChainTiming;
import io.gradstream.server.node.ServerNode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Runs one server: its partitions, and by default its own media driver and Archive.
 */
@Command(name = "server", description = "Run one server with its partitions.")
final class ServerCommand implements Callable<Integer>
{
    static final int MAX_ROWS = 1 << 28;
    /** The coordinator is in the parent process. */
    static final String PIPE = "pipe";
    /** There is no coordinator: the server decides for itself alone. */
    static final String NONE = "none";

    private static final long PARK_NS = 10_000_000;

    @Mixin
    private CommonOptions common;

    @Option(names = "--node-id", paramLabel = "N", required = true, description = "Place in --servers, from 0.")
    private int nodeId;

    @Option(names = "--endpoint", paramLabel = "HOST:PORT",
        description = "Where to listen. Default: this node's entry of --servers.")
    private String endpoint;

    @Option(names = "--servers", paramLabel = "HOST:PORT,...", required = true,
        description = "Endpoints of all servers in the order of their node ids.")
    private String servers;

    @Option(names = "--partitions", paramLabel = "N", defaultValue = "4",
        description = "Number of partitions over all servers. Default: ${DEFAULT-VALUE}.")
    private int partitions;

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

    @Option(names = "--rows", paramLabel = "N", defaultValue = "1048576",
        description = "Most rows of a table in one partition. Default: ${DEFAULT-VALUE}.")
    private int rows;

    @Option(names = "--keep-log", paramLabel = "all|needed", defaultValue = "needed",
        description = "Keep the whole recorded log, or what recovery needs. Default: ${DEFAULT-VALUE}.")
    private String keepLog;

    @Option(names = "--mode", paramLabel = "MODE", defaultValue = "replay",
        description = "What is kept: snapshots (checkpoint, stateless), also a recorded log (replay), also standbys" +
            " (chain, chain+stateless). Default: ${DEFAULT-VALUE}.")
    private String mode;

    @Option(names = "--standbys", paramLabel = "0|1", defaultValue = "0",
        description = "Standbys of each partition, on the servers after its own. Needs a coordinator. Default:" +
            " ${DEFAULT-VALUE}.")
    private int standbys;

    @Option(names = "--timing", paramLabel = "quiet|shared", defaultValue = "shared",
        description = "How soon a silent server is suspected: quiet for idle machines, shared for others. Default:" +
            " ${DEFAULT-VALUE}.")
    private String timing;

    @Option(names = "--coordinator", paramLabel = "none|pipe", defaultValue = NONE, hidden = true,
        description = "Internal: pipe talks to the parent process by lines on standard output and input.")
    private String coordinator;

    @Option(names = "--accept-plaintext", description = "Allow addresses that are not loopback.")
    private boolean isPlaintextAccepted;

    @Option(names = "--stop-on-eof", description = "Stop also when standard input ends.")
    private boolean isStoppedByEof;

    @Override
    public Integer call()
    {
        final ServerNode.Context ctx = context();
        try (ParentLink parent = ParentLink.open(isStoppedByEof);
            ServerNode node = ServerNode.launch(coordinated(ctx, parent)))
        {
            boolean isReady = false;
            while (!parent.isStopped())
            {
                if (node.isTerminated())
                {
                    throw new IllegalStateException("the server ended by itself", node.failure());
                }
                if (!isReady && node.isServing())
                {
                    isReady = true;
                    System.out.println(new Line(Line.READY).with("node", nodeId).with("endpoint", endpoint));
                }
                LockSupport.parkNanos(PARK_NS);
            }
        }

        return 0;
    }

    private ServerNode.Context coordinated(final ServerNode.Context ctx, final ParentLink parent)
    {
        return PIPE.equals(coordinator) ?
            ctx.coordinator(new PipeCoordinator(LineSender.start("to-parent", System.out), parent::pollMap)) : ctx;
    }

    private ServerNode.Context context()
    {
        CommonOptions.checkRange("partitions", partitions, 1, JobOptions.MAX_PARTITIONS);
        CommonOptions.checkRange("rows", rows, 1, MAX_ROWS);
        TrainCommand.checkWord("driver", driver, "internal", "external");
        TrainCommand.checkWord("keep-log", keepLog, "all", "needed");
        TrainCommand.checkWord("coordinator", coordinator, PIPE, NONE);
        TrainCommand.checkWord("timing", timing, ServerPlan.QUIET, ServerPlan.SHARED);
        CommonOptions.checkRange("standbys", standbys, 0, TrainCommand.MAX_STANDBYS);
        final RecoveryMode recoveryMode = ModeOptions.mode(mode);
        if ((standbys > 0 || !recoveryMode.keepsLog()) && NONE.equals(coordinator))
        {
            throw new UsageException((standbys > 0 ? "--standbys " + standbys : "--mode " + mode) +
                " without a coordinator: use ./gradstream train, which brings its own");
        }
        final PartitionMap map = Endpoints.partitionMap(servers, partitions, isPlaintextAccepted);
        CommonOptions.checkRange("node-id", nodeId, 0, map.nodes().size() - 1);
        if (partitions + standbys < map.nodes().size())
        {
            throw new UsageException("invalid --partitions=" + partitions +
                ": must be at least the number of servers, " + map.nodes().size() + ", less --standbys");
        }
        endpoint = null == endpoint ? map.nodes().get(nodeId).endpoint() : endpoint;
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

        final ServerNode.Context ctx = new ServerNode.Context()
            .nodeId(nodeId)
            .nodeIndex(nodeId)
            .partitionMap(map)
            .ingressEndpoint(endpoint)
            .dir(dir)
            .profile(common.profile())
            .rowCapacity(rows)
            .errorHandler(ServerCommand::log)
            .recoveryMode(recoveryMode)
            .standbys(standbys)
            .chainTiming(ServerPlan.QUIET.equals(timing) ? ChainTiming.QUIET : ChainTiming.SHARED)
            .keepLogAll("all".equals(keepLog));
        return isExternal ? ctx.aeronDirectoryName(aeronDir.toString()) : ctx.aeronDirectory(aeronDir);
    }

    private static void log(final Throwable error)
    {
        final StringBuilder text = new StringBuilder();
        for (Throwable cause = error; null != cause; cause = cause.getCause())
        {
            text.append(cause == error ? "server: " : "caused by: ").append(cause).append('\n');
            for (final StackTraceElement frame : cause.getStackTrace())
            {
                text.append("\tat ").append(frame).append('\n');
            }
        }
        System.err.print(text);
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
