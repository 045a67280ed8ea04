// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.ElementType;
import io.gradstream.codecs.TableSpec;
import io.gradstream.launcher.ClusterPlan;
import io.gradstream.perf.load.MeasuredCluster;
import io.gradstream.perf.measure.CpuTimes;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.training.BatchSchedule;
import io.gradstream.training.RatingLog;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradientSum;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.aeron.DriverConnection;
import io.gradstream.worker.cache.OwnPushes;
import io.gradstream.worker.session.AckLevel;

import java.io.IOException;
import java.util.Arrays;
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
    /** Room for all rows of the measured logs, with what each row takes beside its values. */
    private static final long CACHE_BYTES = 8 * 1024 * 1024;

    private final GradstreamClient client;
    private final Table table;
    private final BatchSchedule schedule;
    private final int ratingCount;
    private final Exchange exchange;
    /** Of batches that are not pushed yet. */
    private final GradientSum sum;
    private int summed;
    private Pulled current;
    private Pulled next;

    /** The table is made, if it is not there yet. */
    FactorWorker(
        final GradstreamClient client, final RatingLog ratings, final int batchSize, final Exchange exchange)
    {
        this.client = client;
        this.exchange = exchange;
        table = client.createTable(new TableSpec(0, "factors", FactorBatch.RANK, ElementType.FLOAT32,
            FactorBatch.rows(ratings), TableSpec.NORMAL, TrainingRun.SEED, PlainFactors.INITIAL_DEVIATION,
            FUNCTION));
        if (exchange.isCached())
        {
            table.cacheRows(CACHE_BYTES, OwnPushes.AT_ONCE);
        }
        sum = new GradientSum(FactorBatch.RANK, FactorBatch.rows(ratings));
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
    static TrainingRate run(
        final RunOptions settings, final RatingLog ratings, final int batchSize, final Exchange exchange)
        throws IOException
    {
        try (MeasuredCluster cluster = start(settings, ratings, exchange))
        {
            final FactorWorker worker = new FactorWorker(connect(settings, cluster), ratings, batchSize, exchange);
            return new Passes((pass) ->
            {
                cluster.processes().poll();
                return worker.trainPass(pass);
            }).evaluatedBy(() -> HeldOutRatings.error(ratings.spec(), worker.rows())).measure(settings, ratings.size(),
                CpuTimes::ownNs, () -> CpuTimes.ofNs(cluster.serverPids()), worker::drain);
        }
    }

    static MeasuredCluster start(final RunOptions settings, final RatingLog ratings, final Exchange exchange)
        throws IOException
    {
        final ClusterPlan plan = MeasuredCluster.plan(
            settings, TrainingRun.PARTITIONS, FactorBatch.rows(ratings)).withoutWorkersDriver();
        return MeasuredCluster.start(settings,
            exchange.isCached() ? plan.consistency(new Consistency(1, exchange.staleness())) : plan);
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

    /** All rows as they are now, with all gradients, by key. */
    float[][] rows()
    {
        drain();
        final float[] values = new float[(int)table.spec().rows() * FactorBatch.RANK];
        table.pullRangeAndAwait(0, (int)table.spec().rows(), values);
        final float[][] rows = new float[(int)table.spec().rows()][];
        Arrays.setAll(rows, (i) -> Arrays.copyOfRange(values, i * FactorBatch.RANK, (i + 1) * FactorBatch.RANK));

        return rows;
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
            push(current.batch);
            final Pulled done = current;
            current = next;
            next = done;
        }

        return loss / ratingCount;
    }

    private void push(final FactorBatch batch)
    {
        if (1 == exchange.batchesOfPush())
        {
            table.push(batch.keys(), 0, batch.keyCount(), batch.gradients());
            if (exchange.isCached())
            {
                client.clock();
            }
            return;
        }
        sum.add(batch.keys(), 0, batch.keyCount(), batch.gradients());
        if (++summed == exchange.batchesOfPush())
        {
            sum.push(table);
            client.clock();
            summed = 0;
        }
    }

    private void drain()
    {
        if (!sum.isEmpty())
        {
            sum.push(table);
        }
        client.awaitAll();
    }

    private void start(final Pulled pulled, final int index)
    {
        final int keyCount = pulled.batch.select(
            schedule.order(), schedule.batchOffset(index), schedule.batchLength(index));
        pulled.ticket = table.pull(pulled.batch.keys(), keyCount, pulled.rows);
    }

    /**
     * How often rows come and gradients go.
     *
     * @param staleness     bound within which the worker keeps rows, in pushes; 0 if it keeps none, without a bound.
     * @param batchesOfPush batches whose gradients are added up before they are pushed, at least 1.
     */
    record Exchange(int staleness, int batchesOfPush)
    {
        /** All rows of each batch come from the server. */
        static final Exchange EACH_BATCH = new Exchange(0, 1);
        /** Rows are kept for up to 8 batches. */
        static final Exchange CACHED = new Exchange(8, 1);
        /** Rows are kept for up to 8 pushes of 8 batches each. */
        static final Exchange SUMMED = new Exchange(8, 8);

        private boolean isCached()
        {
            return staleness > 0;
        }
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
