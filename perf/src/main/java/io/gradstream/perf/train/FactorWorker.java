// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import io.gradstream.perf.load.MeasuredCluster;
import io.gradstream.perf.measure.CpuTimes;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.training.BatchSchedule;
import io.gradstream.training.RatingLog;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.aeron.DriverConnection;
import io.gradstream.worker.session.AckLevel;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Matrix factorisation as a worker does it, on the caller's thread. As in {@code gradstream worker}, the rows of the
 * next batch of a pass are on their way while one is computed, pushes are not waited for, and none leaves before the
 * pull under way has come back. Users and items are rows of one table: two would double the messages of each batch.
 */
final class FactorWorker
{
    private static final long OPERATION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final String FUNCTION = "sgd/1 rate=" + PlainFactors.RATE;

    private final GradstreamClient client;
    private final Table table;
    private final BatchSchedule schedule;
    private final int ratingCount;
    private Pulled current;
    private Pulled next;

    /** The table is made, if it is not there yet. */
    FactorWorker(final GradstreamClient client, final RatingLog ratings, final int batchSize)
    {
        this.client = client;
        table = client.createTable(new TableSpec(0, "factors", FactorBatch.RANK, ElementType.FLOAT32,
            FactorBatch.rows(ratings), TableSpec.NORMAL, TrainingRun.SEED, PlainFactors.INITIAL_DEVIATION,
            FUNCTION));
        schedule = new BatchSchedule(TrainingRun.SEED, 0, ratings.size(), batchSize);
        ratingCount = ratings.size();
        current = new Pulled(ratings, batchSize);
        next = new Pulled(ratings, batchSize);
    }

    /**
     * Train whole passes for as long as the options say, on a server process of its own that records its log, with the
     * worker on the server's media driver. What is counted was recorded.
     *
     * @throws IOException if a process cannot be started.
     */
    static TrainingRate run(final RunOptions settings, final RatingLog ratings, final int batchSize) throws IOException
    {
        try (MeasuredCluster cluster = start(settings, ratings))
        {
            final FactorWorker worker = new FactorWorker(connect(settings, cluster), ratings, batchSize);
            return new Passes((pass) ->
            {
                cluster.processes().poll();
                return worker.trainPass(pass);
            }).measure(settings, ratings.size(), CpuTimes::ownNs,
                () -> CpuTimes.ofNs(cluster.serverPids()), worker.client::awaitAll);
        }
    }

    static MeasuredCluster start(final RunOptions settings, final RatingLog ratings) throws IOException
    {
        return MeasuredCluster.start(settings, MeasuredCluster.plan(
            settings, TrainingRun.PARTITIONS, FactorBatch.rows(ratings)).withoutWorkersDriver());
    }

    static GradstreamClient connect(final RunOptions settings, final MeasuredCluster cluster)
    {
        return cluster.connect(new ClientContext()
            .driver(DriverConnection.of(cluster.aeron()))
            .coordinators(cluster.coordinators())
            .ackLevel(AckLevel.RECORDED)
            .operationTimeoutNs(OPERATION_TIMEOUT_NS)
            .idleStrategy(settings.profile().newIdleStrategy()));
    }

    Table table()
    {
        return table;
    }

    /** Train all ratings once; returns the mean squared error of each batch at the rows that were pulled for it. */
    double trainPass(final int pass)
    {
        schedule.startPass(pass);
        final int last = schedule.batchCount() - 1;
        double loss = 0.0;
        start(current, 0);
        for (int i = 0; i <= last; i++)
        {
            client.await(current.ticket);
            if (i < last)
            {
                start(next, i + 1);
            }
            loss += current.batch.computeAt(current.rows);
            if (i < last)
            {
                client.await(next.ticket);
            }
            table.push(current.batch.keys(), 0, current.batch.keyCount(), current.batch.gradients());
            final Pulled done = current;
            current = next;
            next = done;
        }

        return loss / ratingCount;
    }

    private void start(final Pulled pulled, final int index)
    {
        final int keyCount = pulled.batch.select(
            schedule.order(), schedule.batchOffset(index), schedule.batchLength(index));
        pulled.ticket = table.pull(pulled.batch.keys(), keyCount, pulled.rows);
    }

    /** A batch and the rows that are pulled for it. */
    private static final class Pulled
    {
        private final FactorBatch batch;
        private final float[] rows;
        private long ticket;

        private Pulled(final RatingLog ratings, final int batchSize)
        {
            batch = new FactorBatch(ratings);
            rows = new float[Math.min(FactorBatch.rows(ratings), 2 * batchSize) * FactorBatch.RANK];
        }
    }
}
