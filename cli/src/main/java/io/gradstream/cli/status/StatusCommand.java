// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.status;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.gradstream.cli.options.AnswerOptions;
import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.DurationConverter;
import io.gradstream.cli.options.CoordinatorOptions;
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
    private static final long PARK_NS = 10_000_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Mixin
    private CoordinatorOptions coordinator;

    @Option(names = "--node", paramLabel = "AERON_DIR",
        description = "In place of --coordinator: show where each replica of a server on this host stands, by the" +
            " counters in its media driver's directory.")
    private Path node;

    @Mixin
    private AnswerOptions answers;

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
        if (coordinator.isNamed() == (null != node))
        {
            throw new UsageException("name either --coordinator, to ask the coordinators, or --node, to look at one" +
                " server of this host");
        }
        BusyMachine.tell(System.err, "gradstream status", "the times since something was heard");
        return null != node ? showNode() : showCluster();
    }

    private int showNode()
    {
        CommonOptions.checkRange("interval in ms", intervalMs, MIN_INTERVAL_MS, MAX_INTERVAL_MS);
        CommonOptions.checkRange("count", count, 0, Integer.MAX_VALUE);
        final PrintWriter out = spec.commandLine().getOut();
        try (ParentLink parent = ParentLink.open(false); DriverDirectory driver = DriverDirectory.open(node))
        {
            final int wanted = isWatch ? count : 1;
            boolean isRead = true;
            for (int shown = 0; isRead && !parent.isStopped() && (0 == wanted || shown < wanted); shown++)
            {
                if (shown > 0)
                {
                    idle(parent, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(intervalMs));
                    out.println();
                }
                final ReplicasReport report = new ReplicasReport(driver.counters(), driver.silentMs());
                out.print(isJson ? report.json() + System.lineSeparator() : report.text());
                isRead = !out.checkError();
            }
        }

        return 0;
    }

    private static void idle(final ParentLink parent, final long deadlineNs)
    {
        while (System.nanoTime() - deadlineNs < 0 && !parent.isStopped())
        {
            LockSupport.parkNanos(PARK_NS);
        }
    }

    private int showCluster()
    {
        final List<String> coordinators = coordinator.endpoints();
        CommonOptions.checkRange("interval in ms", intervalMs, MIN_INTERVAL_MS, MAX_INTERVAL_MS);
        CommonOptions.checkRange("count", count, 0, Integer.MAX_VALUE);
        coordinator.check(answers.endpoint);

        try (ParentLink parent = ParentLink.open(false);
            StatusSession session = StatusSession.open(
                coordinators, answers.aeronDir, answers.endpoint, common.profile(), common.mtu(), parent::isStopped))
        {
            show(session, isWatch ? count : 1);
        }

        return 0;
    }

    /** Show states until there are enough, the user stops the command, or no process reads its output any longer. */
    private void show(final StatusSession session, final int wanted)
    {
        final PrintWriter out = spec.commandLine().getOut();
        final long intervalNs = TimeUnit.MILLISECONDS.toNanos(intervalMs);
        ClusterState state = look(session, null);
        for (int shown = 1; null != state; shown++)
        {
            out.print(isJson ? state.json() + System.lineSeparator() :
                (1 == shown ? "" : System.lineSeparator()) + StatusText.of(state));
            final long deadlineNs = System.nanoTime() + intervalNs;
            // checkError also flushes
            if (out.checkError() || shown == wanted)
            {
                return;
            }
            session.idleUntil(deadlineNs);
            state = look(session, state);
        }
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
