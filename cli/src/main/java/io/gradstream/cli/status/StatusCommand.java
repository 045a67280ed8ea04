// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import io.gradstream.cli.options.ClusterAccess;
import io.gradstream.cli.options.ClusterOptions;
import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.DurationConverter;
import io.gradstream.cli.options.UsageException;
import io.gradstream.cli.status.ClusterWatch.LocalServers;
import io.gradstream.console.ClusterState;
import io.gradstream.launcher.process.BusyMachine;
import io.gradstream.launcher.process.ParentLink;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Shows what the coordinators have decided and know: the job, servers, chains, positions and lags; once or again and
 * again. It only asks: nothing is changed.
 */
@Command(name = "status", description = "Show servers, chains, positions and lags, as the coordinators know them.")
public final class StatusCommand implements Callable<Integer>
{
    /** Shortest time between two samples: servers say twice a second how far they are. */
    static final long MIN_INTERVAL_MS = 100;
    /** Longest such time, within which the coordinators do not forget the session. */
    static final long MAX_INTERVAL_MS = 3_600_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions.OfJob cluster;

    @Option(names = "--node", paramLabel = "AERON_DIR",
        description = "In place of --coordinator: show where each replica of a server on this host stands, by the" +
            " counters in its media driver's directory.")
    private Path node;

    @Option(names = "--watch", description = "Show it again and again until Ctrl-C, with rates.")
    private boolean isWatch;

    @Option(names = "--interval", paramLabel = "DURATION", defaultValue = "1s",
        converter = DurationConverter.class,
        description = "With --watch: time between two. Default: ${DEFAULT-VALUE}.")
    private long intervalMs;

    @Option(names = "--count", paramLabel = "N", defaultValue = "0",
        description = "With --watch: end after so many; 0 does not end. Default: ${DEFAULT-VALUE}.")
    private int count;

    @Option(names = "--json", description = "Print one JSON object each time, in one line.")
    private boolean isJson;

    @Option(names = "--tables", description = "Also ask the servers which tables and slots there are.")
    private boolean isTables;

    @Override
    public Integer call()
    {
        UsageException.refuseIf(cluster.isNamed() == (null != node),
            "name either --coordinator, to ask the coordinators, or --node, to look at one" +
                " server of this host");
        CommonOptions.checkRange("interval in ms", intervalMs, MIN_INTERVAL_MS, MAX_INTERVAL_MS);
        CommonOptions.checkRange("count", count, 0, Integer.MAX_VALUE);
        BusyMachine.tell(System.err, "gradstream status", "the times since something was heard");
        return null != node ? showNode() : showCluster();
    }

    private int showNode()
    {
        try (ParentLink parent = ParentLink.open(false); DriverDirectory driver = DriverDirectory.open(node))
        {
            for (int shown = 1; !parent.isStopped(); shown++)
            {
                final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(intervalMs);
                final ReplicasReport report = new ReplicasReport(driver.counters(), driver.silentMs());
                if (!print(isJson ? report.json() : report.text(), shown))
                {
                    break;
                }
                ClusterWatch.idle(deadlineNs, parent::isStopped);
            }
        }

        return 0;
    }

    /** Prints a status; false if it was the last one that is wanted, or no process reads the output any longer. */
    private boolean print(final String status, final int shown)
    {
        final PrintWriter out = spec.commandLine().getOut();
        out.print(isJson ? status + System.lineSeparator() : (1 == shown ? "" : System.lineSeparator()) + status);
        // checkError also flushes
        return !out.checkError() && shown != (isWatch ? count : 1);
    }

    /** Show states until there are enough, the user stops the command, or no process reads its output any longer. */
    private int showCluster()
    {
        final ClusterAccess access = cluster.access();
        try (ParentLink parent = ParentLink.open(false);
            StatusSession session = StatusSession.open(access, parent::isStopped))
        {
            ClusterState state = look(session, null);
            for (int shown = 1; null != state; shown++)
            {
                final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(intervalMs);
                if (!print(isJson ? state.json() : StatusText.of(state), shown))
                {
                    break;
                }
                session.idleUntil(deadlineNs);
                state = look(session, state);
            }
        }

        return 0;
    }

    private ClusterState look(final StatusSession session, final ClusterState earlier)
    {
        final ClusterState state = session.look(new LocalServers(List.of(), (server) -> true), earlier);
        if (null == state || isTables)
        {
            return null == state ? null : session.describe(state);
        }

        // a question while partitions are not served would keep the user waiting when the status is most urgent
        return null != state.job() && state.job().bounded() && state.placed() && 0 == state.notServed() ?
            session.askStragglers(state) : state;
    }
}
