// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.codecs.Consistency;
import io.gradstream.codecs.TableSpec;
import io.gradstream.driver.DriverProfile;
import io.gradstream.launcher.ClusterPlan;
import io.gradstream.launcher.LocalCluster;
import io.gradstream.launcher.RunDirectory;
import io.gradstream.launcher.ServerDriver;
import io.gradstream.launcher.ServerPlan;
import io.gradstream.perf.measure.InterruptedRunException;
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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Trains to the target loss once for each bound and seed, the bounds in turn.
 */
final class StalenessRun
{
    private static final int PARTITIONS = 4;
    private static final int EXAMPLES = 100_000;
    private static final int FEATURES = 4_096;
    private static final int BATCH = 64;
    private static final int OBSERVER = -1;
    private static final int SPOOL_BYTES = 256 * 1024;
    private static final String FUNCTION = "ftrl/1 alpha=0.3 beta=1.0 l1=0.001 l2=0.0";
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long START_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long MAX_RUN_NS = TimeUnit.SECONDS.toNanos(120);
    private static final long END_MS = 60_000;
    private static final double NS_PER_SECOND = 1e9;

    private final StalenessSettings settings;
    private final DriverProfile profile;

    StalenessRun(final StalenessSettings settings, final DriverProfile profile)
    {
        this.settings = settings;
        this.profile = profile;
    }

    StalenessReport run() throws IOException
    {
        final List<StalenessResult> results = new ArrayList<>();
        for (int seed = 1; seed <= settings.seeds(); seed++)
        {
            for (final int bound : settings.bounds())
            {
                final StalenessResult result = measure(bound, seed);
                System.err.println("gradstream perf: " + result.line());
                results.add(result);
            }
        }

        return new StalenessReport(settings, results);
    }

    private StalenessResult measure(final int bound, final long seed) throws IOException
    {
        final ServerPlan server = new ServerPlan(profile.name().toLowerCase(Locale.ROOT), ServerDriver.INTERNAL,
            "needed", "replay", 0, ServerPlan.SHARED);
        final ClusterPlan plan = ClusterPlan.local(1, 1, PARTITIONS, FEATURES, server, null)
            .consistency(new Consistency(settings.workers(), bound));
        try (RunDirectory directory = RunDirectory.create(null);
            LocalCluster cluster = new LocalCluster(plan, directory))
        {
            cluster.startHosts();
            final ClickLog data =
                new ClickLog(ClickLog.Spec.defaults(seed).withExamples(EXAMPLES).withFeatures(FEATURES));
            final List<StalenessWorker> workers = new ArrayList<>();
            for (int slot = 0; slot < settings.workers(); slot++)
            {
                workers.add(worker(slot, seed, data, context(cluster, plan)));
            }
            return train(cluster, plan, data, workers).of(bound, seed);
        }
    }

    private StalenessWorker worker(
        final int slot, final long seed, final ClickLog data, final ClientContext context)
    {
        final Examples examples = data.train(slot, settings.workers());

        return new StalenessWorker(slot, context.slot(slot), spec(), examples,
            new BatchSchedule(seed, slot, examples.size(), BATCH),
            Stragglers.parse(settings.stragglers(), seed), settings.stepNs());
    }

    private StalenessResult train(
        final LocalCluster cluster, final ClusterPlan plan, final ClickLog data, final List<StalenessWorker> workers)
    {
        try (GradstreamClient observer = GradstreamClient.connect(context(cluster, plan).slot(OBSERVER)))
        {
            await(cluster, "workers are ready", START_NS, () -> workers.stream().allMatch(StalenessWorker::isReady));
            final Table table = observer.openTable(spec());
            final long beganNs = System.nanoTime();
            workers.forEach(StalenessWorker::begin);
            double loss = Double.POSITIVE_INFINITY;
            while (loss > settings.targetLoss())
            {
                final long lookNs = System.nanoTime() + LOOK_NS;
                await(cluster, "it is time to look", START_NS, () -> System.nanoTime() - lookNs >= 0);
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

    private static void await(
        final LocalCluster cluster, final String what, final long timeoutNs, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new IllegalStateException("not in time: " + what);
            }
            if (Thread.interrupted())
            {
                throw new InterruptedRunException();
            }
            cluster.poll();
            cluster.idle();
        }
    }

    private static TableSpec spec()
    {
        return TableSpec.sparse(0, "weights", 1, FUNCTION);
    }

    private static ClientContext context(final LocalCluster cluster, final ClusterPlan plan)
    {
        return new ClientContext()
            .aeronDirectoryName(cluster.workersAeronDirectory())
            .coordinators(plan.coordinators())
            .ackLevel(AckLevel.RECORDED)
            .spoolBytesPerPartition(SPOOL_BYTES)
            .idleStrategy(new SleepingIdleStrategy(PARK_NS));
    }
}
