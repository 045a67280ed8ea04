// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.codecs.Check;
import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.console.Chart;
import io.gradstream.launcher.ClusterPlan;
import io.gradstream.perf.load.MeasuredCluster;
import io.gradstream.perf.report.Measurement;
import io.gradstream.perf.report.RunOptions;
import io.gradstream.perf.report.TargetLine;
import io.gradstream.training.BatchSchedule;
import io.gradstream.training.ClickLog;
import io.gradstream.training.Evaluation;
import io.gradstream.training.Examples;
import io.gradstream.training.Stragglers;
import io.gradstream.worker.ClientContext;
import io.gradstream.worker.GradstreamClient;
import io.gradstream.worker.Table;
import io.gradstream.worker.session.AckLevel;
import org.agrona.LangUtil;
import org.agrona.concurrent.SleepingIdleStrategy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Trains to a loss once for each staleness bound and seed, the bounds in turn: what a bound costs and saves where some
 * batches take longer than others.
 */
@Command(
    name = "staleness",
    description = {
        "Train to a fixed loss under several staleness bounds, with workers of which some are slow at random: how long",
        "it takes, how many iterations, and how long workers wait for each other. Each run has a cluster of its own",
        "and its workers in this process. --windows says how many runs each bound has, with other data, batches and",
        "slow workers. About 8 minutes."})
public final class StalenessRun extends Measurement
{
    private static final int PARTITIONS = 4;
    private static final int EXAMPLES = 100_000;
    private static final int FEATURES = 4_096;
    private static final int BATCH = 64;
    private static final int OBSERVER = -1;
    private static final int SPOOL_BYTES = 256 * 1024;
    private static final int MAX_WORKERS = 64;
    private static final String FUNCTION = "ftrl/1 alpha=0.3 beta=1.0 l1=0.001 l2=0.0";
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long START_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long MAX_RUN_NS = TimeUnit.SECONDS.toNanos(120);
    private static final long END_MS = 60_000;
    private static final double NS_PER_SECOND = 1e9;

    @Option(names = "--staleness", defaultValue = "0,1,2,4,8,16,unbounded", split = ",", paramLabel = "N[,N...]",
        description = "Bounds. Default: ${DEFAULT-VALUE}.")
    private List<String> boundTexts;

    @Option(names = "--workers", defaultValue = "8", paramLabel = "N",
        description = "Workers. Default: ${DEFAULT-VALUE}.")
    private int workerCount;

    @Option(names = "--step-ms", defaultValue = "20", paramLabel = "MS",
        description = "A batch takes at least so long. Default: ${DEFAULT-VALUE}.")
    private long stepMs;

    @Option(names = "--stragglers", defaultValue = "4:0.1", paramLabel = "FACTOR:PROBABILITY",
        description = "Batches that take longer. Default: ${DEFAULT-VALUE}.")
    private String stragglers;

    @Option(names = "--target-loss", defaultValue = "0.44", paramLabel = "L",
        description = "Log loss of the test data at which a run ends. Default: ${DEFAULT-VALUE}.")
    private double targetLoss;

    private List<Integer> bounds;
    private StalenessLines lines;

    public StalenessRun()
    {
        super(new RunOptions(5, RunOptions.NONE, RunOptions.NONE));
    }

    @Override
    protected void check()
    {
        super.check();
        bounds = boundTexts.stream().map(Consistency::parseStaleness).toList();
        Check.range("--workers", workerCount, 1, MAX_WORKERS);
        Check.that(stepMs >= 0, "--step-ms", stepMs, "0 or more");
        Check.that(targetLoss > 0, "--target-loss", targetLoss, "above 0");
        Stragglers.parse(stragglers, 0);
    }

    @Override
    public List<TargetLine> measure() throws IOException
    {
        final List<StalenessResult> results = new ArrayList<>();
        for (int seed = 1; seed <= settings.windows(); seed++)
        {
            for (final int bound : bounds)
            {
                final StalenessResult result = measure(bound, seed);
                System.err.println("gradstream perf: " + result.line());
                results.add(result);
            }
        }
        lines = new StalenessLines(bounds, results);

        return lines.all();
    }

    @Override
    public Map<String, Chart> charts()
    {
        return Map.of("staleness", lines.chart());
    }

    private StalenessResult measure(final int bound, final long seed) throws IOException
    {
        final ClusterPlan plan = MeasuredCluster.plan(settings, PARTITIONS, FEATURES)
            .consistency(new Consistency(workerCount, bound));
        try (MeasuredCluster cluster = MeasuredCluster.start(settings, plan))
        {
            final ClickLog data =
                new ClickLog(ClickLog.Spec.defaults(seed).withExamples(EXAMPLES).withFeatures(FEATURES));
            final List<StalenessWorker> workers = new ArrayList<>();
            for (int slot = 0; slot < workerCount; slot++)
            {
                workers.add(worker(slot, seed, data, context(cluster, plan)));
            }
            return train(cluster, plan, data, workers).of(bound, seed);
        }
    }

    private StalenessWorker worker(
        final int slot, final long seed, final ClickLog data, final ClientContext context)
    {
        final Examples examples = data.train(slot, workerCount);

        return new StalenessWorker(slot, context.slot(slot), spec(), examples,
            new BatchSchedule(seed, slot, examples.size(), BATCH),
            Stragglers.parse(stragglers, seed), TimeUnit.MILLISECONDS.toNanos(stepMs));
    }

    private StalenessResult train(
        final MeasuredCluster cluster, final ClusterPlan plan, final ClickLog data, final List<StalenessWorker> workers)
    {
        try (GradstreamClient observer = GradstreamClient.connect(context(cluster, plan).slot(OBSERVER)))
        {
            cluster.await("workers", START_NS, () -> workers.stream().allMatch(StalenessWorker::isReady));
            final Table table = observer.openTable(spec());
            final long beganNs = System.nanoTime();
            workers.forEach(StalenessWorker::begin);
            double loss = Double.POSITIVE_INFINITY;
            while (loss > targetLoss)
            {
                cluster.rest(LOOK_NS);
                loss = loss(observer, table, data.test());
                workers.forEach(StalenessWorker::check);
                if (System.nanoTime() - beganNs > MAX_RUN_NS)
                {
                    throw new IllegalStateException("the loss is " + loss + " after " +
                        TimeUnit.NANOSECONDS.toSeconds(MAX_RUN_NS) + " s: choose a higher --target-loss");
                }
            }
            final double seconds = (System.nanoTime() - beganNs) / NS_PER_SECOND;
            final long iterations = workers.stream().mapToLong(StalenessWorker::iterations).sum();
            workers.forEach(StalenessWorker::stop);
            for (final StalenessWorker worker : workers)
            {
                worker.join(END_MS);
            }

            return StalenessResult.of(seconds, (double)iterations / workers.size(), loss, workers);
        }
        catch (final InterruptedException ex)
        {
            LangUtil.rethrowUnchecked(ex);
            return null;
        }
    }

    private static double loss(final GradstreamClient observer, final Table table, final Examples test)
    {
        final float[] weights = new float[FEATURES];
        final long[] keys = new long[FEATURES];
        for (int i = 0; i < keys.length; i++)
        {
            keys[i] = i;
        }
        observer.await(table.pull(keys, keys.length, weights));

        return Evaluation.of(test, weights).logLoss();
    }

    private static TableSpec spec()
    {
        return TableSpec.sparse(0, "weights", 1, FUNCTION);
    }

    private static ClientContext context(final MeasuredCluster cluster, final ClusterPlan plan)
    {
        return new ClientContext()
            .aeronDirectoryName(cluster.processes().workersAeronDirectory())
            .coordinators(plan.coordinators())
            .ackLevel(AckLevel.RECORDED)
            .spoolBytesPerPartition(SPOOL_BYTES)
            .idleStrategy(new SleepingIdleStrategy(PARK_NS));
    }
}
