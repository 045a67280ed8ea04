// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.launcher.ClusterPlan;
import io.gradstream.launcher.LocalCluster;
import io.gradstream.launcher.RunDirectory;
import io.gradstream.launcher.ServerPlan;
import io.gradstream.training.RatingLog;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.session.AckLevel;
import org.agrona.CloseHelper;

import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A server process that records its log, its coordinator, and a client on the server's media driver, which trains on
 * the caller's thread.
 */
final class FactorCluster implements AutoCloseable
{
    private static final Shape SHAPE = Shape.FACTORS_SHARED;
    private static final long OPERATION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    private final TrainingSettings settings;
    private final RunDirectory directory = RunDirectory.create(null);
    private LocalCluster processes;
    private GradstreamClient client;

    private FactorCluster(final TrainingSettings settings)
    {
        this.settings = settings;
    }

    /**
     * Start it, wait until it is ready, and connect.
     *
     * @param rows of the table of factors.
     * @throws IOException if a process cannot be started.
     */
    static FactorCluster start(final TrainingSettings settings, final int rows) throws IOException
    {
        final FactorCluster cluster = new FactorCluster(settings);
        try
        {
            cluster.start(rows);
            return cluster;
        }
        catch (final IOException | RuntimeException ex)
        {
            cluster.close();
            throw ex;
        }
    }

    /**
     * Train whole passes for as long as the settings say, on a cluster of its own. What is counted was recorded.
     *
     * @throws IOException if a process cannot be started.
     */
    static Pace run(final TrainingSettings settings, final RatingLog ratings, final int batchSize) throws IOException
    {
        try (FactorCluster cluster = start(settings, FactorBatch.rows(ratings)))
        {
            final FactorWorker worker = cluster.worker(ratings, batchSize);
            final Passes passes = new Passes((pass) ->
            {
                cluster.processes.poll();
                return worker.trainPass(pass);
            });
            passes.trainFor(settings.warmUpSeconds());
            cluster.client.awaitAll();
            final long beginCpuNs = ClusterLoop.cpuNs();
            final long beginNs = System.nanoTime();
            final int done = passes.trainFor(settings.windowSeconds());
            cluster.client.awaitAll();
            final Pace pace = Pace.of(
                (double)ratings.size() * done, System.nanoTime() - beginNs, ClusterLoop.cpuNs() - beginCpuNs);
            passes.checkLearned();

            return pace;
        }
    }

    FactorWorker worker(final RatingLog ratings, final int batchSize)
    {
        return new FactorWorker(client, ratings, batchSize);
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(client, processes, directory);
    }

    private void start(final int rows) throws IOException
    {
        final ServerPlan server = new ServerPlan(settings.profile().name().toLowerCase(Locale.ROOT), SHAPE.driver(),
            "needed", SHAPE.mode().label(), 0, ServerPlan.SHARED);
        final ClusterPlan plan = ClusterPlan
            .local(SHAPE.servers(), 1, TrainingSettings.PARTITIONS, rows, server, null)
            .withoutWorkersDriver();
        processes = new LocalCluster(plan, directory);
        processes.startHosts();
        client = GradstreamClient.connect(new ClientContext()
            .aeronDirectoryName(processes.serverAeronDirectory(0))
            .coordinators(plan.coordinators())
            .ackLevel(AckLevel.RECORDED)
            .operationTimeoutNs(OPERATION_TIMEOUT_NS)
            .idleStrategy(settings.profile().newIdleStrategy()));
    }
}
