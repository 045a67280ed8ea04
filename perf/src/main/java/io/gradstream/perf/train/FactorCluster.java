// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.launcher.ClusterPlan;
import io.gradstream.perf.load.MeasuredCluster;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.training.RatingLog;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.aeron.DriverConnection;
import io.gradstream.worker.session.AckLevel;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * A server process that records its log, its coordinator, and a client on the server's media driver, which trains on
 * the caller's thread.
 */
final class FactorCluster implements AutoCloseable
{
    private static final long OPERATION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    private final MeasuredCluster cluster;
    private final GradstreamClient client;

    private FactorCluster(final MeasuredCluster cluster, final GradstreamClient client)
    {
        this.cluster = cluster;
        this.client = client;
    }

    /**
     * Start it, wait until it is ready, and connect.
     *
     * @param rows of the table of factors.
     * @throws IOException if a process cannot be started.
     */
    static FactorCluster start(final RunOptions settings, final int rows) throws IOException
    {
        final ClusterPlan plan =
            MeasuredCluster.plan(settings, TrainingRun.PARTITIONS, rows).withoutWorkersDriver();
        final MeasuredCluster cluster = MeasuredCluster.start(settings, plan);
        try
        {
            return new FactorCluster(cluster, cluster.connect(new ClientContext()
                .driver(DriverConnection.of(cluster.aeron()))
                .coordinators(plan.coordinators())
                .ackLevel(AckLevel.RECORDED)
                .operationTimeoutNs(OPERATION_TIMEOUT_NS)
                .idleStrategy(settings.profile().newIdleStrategy())));
        }
        catch (final RuntimeException ex)
        {
            cluster.close();
            throw ex;
        }
    }

    /**
     * Train whole passes for as long as the options say, on a cluster of its own. What is counted was recorded.
     *
     * @throws IOException if a process cannot be started.
     */
    static TrainingRate run(final RunOptions settings, final RatingLog ratings, final int batchSize) throws IOException
    {
        try (FactorCluster cluster = start(settings, FactorBatch.rows(ratings)))
        {
            final FactorWorker worker = cluster.worker(ratings, batchSize);
            return new Passes((pass) ->
            {
                cluster.cluster.processes().poll();
                return worker.trainPass(pass);
            }).measure(settings, ratings.size(), ClusterLoop::cpuNs, cluster.client::awaitAll);
        }
    }

    FactorWorker worker(final RatingLog ratings, final int batchSize)
    {
        return new FactorWorker(client, ratings, batchSize);
    }

    @Override
    public void close()
    {
        cluster.close();
    }
}
