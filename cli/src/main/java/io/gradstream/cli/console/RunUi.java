// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.console;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.gradstream.cli.options.ClusterAccess;
import io.gradstream.cli.options.Failures;
import io.gradstream.cli.status.ClusterWatch;
import io.gradstream.console.ConsoleServer;
import io.gradstream.console.CurvePlot;
import io.gradstream.console.RunHistory;
import io.gradstream.driver.DriverProfile;
import io.gradstream.launcher.LocalCluster;
import io.gradstream.console.ProgressListener;

/** Shows a training run to a person: as a page while the run lasts, as a picture at its end, or not at all. */
public final class RunUi implements AutoCloseable
{
    private static final long WATCH_INTERVAL_MS = 500;
    private static final long STOP_TIMEOUT_MS = 5_000;

    private final RunHistory history;
    private final ConsoleServer server;
    private final long holdMs;
    private final Path plot;
    private Thread watch;
    private volatile boolean isWatchStopped;
    private boolean hasEnded;

    RunUi(
        final String title, final Function<RunHistory, ConsoleServer> serve, final long holdMs, final Path plot)
    {
        history = null == serve && null == plot ? null :
            new RunHistory(title, System.currentTimeMillis(), WATCH_INTERVAL_MS);
        this.holdMs = holdMs;
        this.plot = plot;
        server = null == serve ? null : serve.apply(history);
        if (null != server)
        {
            System.err.println("gradstream train: the run is shown at " + server.url());
        }
    }

    /** The listeners that take the progress of the run. */
    public List<ProgressListener> listeners()
    {
        return null == history ? List.of() : List.of(history);
    }

    /**
     * Called when the cluster has started: look at it now and then, in a thread of its own, if there is a page.
     *
     * @param cluster      that lives until {@link #unwatch}.
     * @param coordinators host:port of each.
     * @param servers      number of servers.
     */
    public void watch(final LocalCluster cluster, final List<String> coordinators, final int servers)
    {
        if (null == server)
        {
            return;
        }
        final List<Path> drivers =
            IntStream.range(0, servers).mapToObj((node) -> Path.of(cluster.serverAeronDirectory(node))).toList();
        final ClusterAccess access = new ClusterAccess(
            coordinators, Path.of(cluster.workersAeronDirectory()), null, DriverProfile.DEV, 0);
        final ClusterWatch clusterWatch = new ClusterWatch(access,
            new ClusterWatch.LocalServers(drivers, cluster::isServerAlive), () -> isWatchStopped);
        watch = new Thread(() -> watch(clusterWatch), "cluster-watch");
        watch.setDaemon(true);
        watch.start();
    }

    /** Called when the cluster is about to be stopped. */
    public void unwatch()
    {
        isWatchStopped = true;
        if (null != watch)
        {
            try
            {
                watch.join(STOP_TIMEOUT_MS);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Called when the run has ended well: draw it, and leave the page for as long as the user asked for.
     *
     * @throws IOException if the picture cannot be written.
     */
    public void end() throws IOException
    {
        if (null == history)
        {
            return;
        }
        hasEnded = true;
        history.end();
        plot();
        if (null != server && holdMs > 0)
        {
            System.err.println("gradstream train: the page stays for " + TimeUnit.MILLISECONDS.toSeconds(holdMs) +
                " s: Ctrl-C ends it");
            try
            {
                Thread.sleep(holdMs);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close()
    {
        unwatch();
        if (!hasEnded && null != history && history.hasProgress())
        {
            plotFailed();
        }
        if (null != server)
        {
            server.close();
        }
    }

    private void plot() throws IOException
    {
        if (null != plot)
        {
            CurvePlot.write(history, plot);
            System.err.println("gradstream train: its curves are in " + plot);
        }
    }

    /** Draws what was seen of a failed run. The failure is the news, so a missing picture is only reported. */
    private void plotFailed()
    {
        try
        {
            plot();
        }
        catch (final IOException ex)
        {
            System.err.println("gradstream train: its curves are not drawn: " + Failures.oneLine(ex));
        }
    }

    private void watch(final ClusterWatch clusterWatch)
    {
        try
        {
            clusterWatch.run(WATCH_INTERVAL_MS, history::onCluster,
                (line) -> report("the page cannot look at the cluster: " + line));
        }
        catch (final RuntimeException ex)
        {
            report("the page shows no servers: " + ex);
        }
    }

    /** Prints a line unless the watch has stopped: it is no news that a stopping cluster cannot be looked at. */
    private void report(final String line)
    {
        if (!isWatchStopped)
        {
            System.err.println("gradstream train: " + line);
        }
    }
}
