// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.console;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import io.gradstream.cli.options.ClusterAccess;
import io.gradstream.cli.options.ClusterOptions;
import io.gradstream.cli.options.CommonOptions;
import io.gradstream.cli.options.DurationConverter;
import io.gradstream.cli.status.ClusterWatch;
import io.gradstream.console.ClusterChanges;
import io.gradstream.console.ClusterState;
import io.gradstream.console.ConsoleServer;
import io.gradstream.console.RunHistory;
import io.gradstream.launcher.process.ParentLink;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Serves a page that shows a running cluster until it is stopped. It only asks: nothing is changed. */
@Command(name = "console", description = "Serve a page that shows a cluster: who serves what, epochs, lags," +
    " failovers; the same for Prometheus at /metrics.")
public final class ConsoleCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions.OfJob cluster;

    @Mixin
    private PageOptions page;

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "8470",
        description = "Port of the page; 0 lets the system choose. Default: ${DEFAULT-VALUE}.")
    private int port;

    @Option(names = "--node", paramLabel = "AERON_DIR,...", split = CommonOptions.COMMA,
        description = "Directories of the media drivers of servers on this host: by the counters there the page shows" +
            " the state of each replica, and lags exactly. Default: none; it shows what the coordinators know.")
    private List<Path> nodes = List.of();

    @Option(names = "--interval", paramLabel = "DURATION", defaultValue = "1s", converter = DurationConverter.class,
        description = "Time between two looks at the cluster. Default: ${DEFAULT-VALUE}.")
    private long intervalMs;

    @Override
    public Integer call()
    {
        final ClusterAccess access = cluster.access();
        CommonOptions.checkRange("port", port, 0, PageOptions.MAX_PORT);
        CommonOptions.checkRange(
            "interval in ms", intervalMs, ClusterWatch.MIN_INTERVAL_MS, ClusterWatch.MAX_INTERVAL_MS);

        final RunHistory history = new RunHistory(
            "Gradstream at " + String.join(", ", access.coordinators()), System.currentTimeMillis(), intervalMs);
        final ClusterChanges changes = new ClusterChanges();
        final PrintWriter out = spec.commandLine().getOut();
        final ClusterWatch.LocalServers servers = new ClusterWatch.LocalServers(nodes, (node) -> true);
        try (ConsoleServer server = page.serve("--port", port, history); ParentLink parent = ParentLink.open(false))
        {
            final boolean[] isTold = new boolean[1];
            new ClusterWatch(access, servers, parent::isStopped).run(
                intervalMs,
                (state) ->
                {
                    show(history, changes, state);
                    if (!isTold[0])
                    {
                        isTold[0] = true;
                        out.println("READY " + server.url());
                        out.flush();
                        servers.withoutDriver().forEach((line) -> tell("--node: " + line +
                            "; of its server it shows what the coordinators know"));
                    }
                },
                this::tell);
        }

        return 0;
    }

    private void tell(final String line)
    {
        final PrintWriter err = spec.commandLine().getErr();
        err.println("gradstream console: " + line);
        err.flush();
    }

    private static void show(final RunHistory history, final ClusterChanges changes, final ClusterState state)
    {
        changes.since(state).forEach(history::onMark);
        history.onCluster(state);
    }
}
