// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.server;

import io.gradstream.cli.options.ValueConverters;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.CoordinatorOptions;
import io.gradstream.cli.options.DurationConverter;
import io.gradstream.cli.options.Endpoints;
import io.gradstream.cli.options.PluginOptions;
import io.gradstream.cli.options.ServerOptions;
import io.gradstream.cli.options.UsageException;
import io.gradstream.codecs.JobSpec;
import io.gradstream.driver.client.CountedErrors;
import io.gradstream.launcher.ServerDriver;
import io.gradstream.launcher.process.StatusLine;
import io.gradstream.recovery.chain.ChainTiming;
import io.gradstream.server.aeron.ServerNode;
import org.agrona.concurrent.SystemEpochNanoClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs one server: its partitions, and by default its own media driver and Archive. */
@Command(name = "server", description = "Run one server with its partitions.")
public final class ServerCommand implements Callable<Integer>
{
    /** Longest wait until the loss of the media driver shows: the signs of a loss come in no fixed order. */
    private static final long LOSS_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    /** Interval at which a server that is not ready says what it waits for. */
    private static final long WAITING_INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

    @Mixin
    private CommonOptions common;

    @Mixin
    private ServiceOptions service;

    @Mixin
    private CoordinatorOptions coordinators;

    @Mixin
    private ServerOptions options;

    @Option(names = "--node-id", paramLabel = "N", required = true,
        description = "Number of this server, from 0; no other has it.")
    private int nodeId;

    @Option(names = "--endpoint", paramLabel = "HOST:PORT", required = true, description = "Where to listen.")
    private String endpoint;

    @Option(names = "--dir", paramLabel = "DIR", required = true,
        description = "Where logs and snapshots are; found there again after a restart.")
    private Path dir;

    @Option(names = "--allow-data-loss",
        description = "Go on though pushes that were acknowledged are lost: a partition none of whose copies can hold" +
            " all of them is opened with the newest sound one, be it empty, once every server that keeps one has" +
            " started, and the others are cut to it. Where no log is kept: begin empty if every snapshot is broken." +
            " Without this flag such a server ends, or waits for another copy.")
    private boolean isLossAccepted;

    @Option(names = "--recovery-time", paramLabel = "DURATION", converter = DurationConverter.class,
        description = "How long the replay of a partition's log may take at a start. The longer, the fewer snapshots" +
            " of a large state, and the more log is kept. Default: 2s.")
    private Long recoveryTimeMs;

    @Option(names = "--move-bandwidth", paramLabel = "BYTES", converter = ValueConverters.Size.class,
        defaultValue = "0",
        description = "Bytes a second, such as 50m, that this server reads and sends at most for copies that join" +
            " another server, all together; 1m or more, or 0 for no limit. A copy never catches up with a partition" +
            " whose log grows faster. Default: ${DEFAULT-VALUE}.")
    private long moveBandwidth;

    @Mixin
    private PluginOptions plugins;

    private boolean isReady;

    @Override
    public Integer call()
    {
        // of the start: the wall clock may be set back before the node is restarted, as another process of it
        final long epochNs = new SystemEpochNanoClock().nanoTime() - System.nanoTime();
        return service.run("server", () -> new RunningServer(
            ServerNode.launch(context().incarnationClock(() -> epochNs + System.nanoTime()))));
    }

    private ServerNode.Context context()
    {
        CommonOptions.checkRange("node-id", nodeId, 0, JobSpec.MAX_NODES - 1);
        UsageException.refuseIf(0 != moveBandwidth && moveBandwidth < ServerNode.Configuration.LEAST_MOVE_BANDWIDTH,
            "invalid --move-bandwidth=" + moveBandwidth + ": must be 1m (bytes a second) or more, or 0 for no limit");
        final ServerNode.Context ctx = new ServerNode.Context().coordinators(coordinators.endpoints());
        final ServerDriver driver = driver();
        UsageException.refuseIf(ServerDriver.INTERNAL != driver && null == service.aeronDir,
            "--driver " + driver.label() + " without --aeron-dir: name the running driver's directory");
        checkDirectory();
        final InetSocketAddress address = coordinators.check(endpoint);
        if (ServerDriver.INTERNAL == driver)
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
            .chainTiming(options.timing.isQuiet() ? ChainTiming.QUIET : ChainTiming.SHARED)
            .keepLogAll(options.isWholeLogKept())
            .acceptsLoss(isLossAccepted)
            .moveBandwidth(moveBandwidth)
            .functions(plugins.functions());
        if (null != recoveryTimeMs)
        {
            ctx.recoveryTimeNs(TimeUnit.MILLISECONDS.toNanos(recoveryTimeMs));
        }
        return switch (driver)
        {
            case INTERNAL -> ctx.aeronDirectory(service.aeronDir);
            case EXTERNAL -> ctx.aeronDirectoryName(service.aeronDir.toString());
            case SHARED -> ctx.sharedDriver(service.aeronDir);
        };
    }

    private ServerDriver driver()
    {
        return options.driver(ServerDriver.INTERNAL);
    }

    private static String withStack(final Throwable error)
    {
        final StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text, true));
        return text.toString().strip();
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

    /** The running server, which says when it is ready, and until then what it waits for. */
    private final class RunningServer implements Service
    {
        private final ServerNode node;
        private long toldNs = System.nanoTime();

        RunningServer(final ServerNode node)
        {
            this.node = node;
        }

        @Override
        public void poll(final long nowNs)
        {
            if (!isReady && node.isServing())
            {
                isReady = true;
                System.out.println(
                    new StatusLine(StatusLine.READY).with("node", nodeId).with("endpoint", endpoint)
                        .with("aeronDir", node.aeronDirectoryName()));
            }
            if (!isReady && nowNs - toldNs >= WAITING_INTERVAL_NS)
            {
                toldNs = nowNs;
                System.err.println("server: node " + nodeId + " is not READY yet: " + node.waitingFor());
            }
        }

        @Override
        public boolean isTerminated()
        {
            return node.isTerminated();
        }

        @Override
        public boolean isRestartable()
        {
            final long deadlineNs = System.nanoTime() + LOSS_TIMEOUT_NS;
            while (!node.isDriverLost() && System.nanoTime() - deadlineNs < 0)
            {
                LockSupport.parkNanos(ServiceOptions.PARK_NS);
            }

            return node.isDriverLost();
        }

        @Override
        public RuntimeException failure(final String name)
        {
            return new IllegalStateException(ServerDriver.INTERNAL != driver() && node.isDriverLost() ?
                "the media driver in " + service.aeronDir + " ended, or took this server for dead: start it, then" +
                " this server, again" : "the " + name + " ended by itself", node.failure());
        }

        @Override
        public void close()
        {
            node.close();
        }
    }
}
