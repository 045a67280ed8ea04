// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import io.gradstream.cli.train.progress.ExamplesRate;
import io.gradstream.console.MetricSample;
import io.gradstream.console.ProgressEvent;
import io.gradstream.console.ProgressEvent.Kind;
import io.gradstream.console.ProgressListener;
import io.gradstream.console.ProgressSample;
import io.gradstream.launcher.kills.Kills;
import org.HdrHistogram.Histogram;

/**
 * Reports the progress of a run to listeners: samples at a fixed interval while workers train, and events in between.
 */
final class ProgressReporter
{
    /** Time from one sample to the next, while training. */
    static final long SAMPLE_INTERVAL_MS = 500;

    private static final long MIN_RATE_INTERVAL_MS = 100;
    private static final int UNKNOWN = -1;

    private final List<ProgressListener> listeners;
    private final WorkersProgress workers;
    private final LongSupplier epochClockMs;
    private final int[] heads;
    private boolean isTraining;
    private long lastSampleMs;
    private final ExamplesRate rate = new ExamplesRate(MIN_RATE_INTERVAL_MS);
    private long lastPulls;
    private double lastStalenessSum;
    private int elections;

    /**
     * A reporter that has reported nothing yet.
     *
     * @param partitions   of the cluster.
     * @param epochClockMs ms since 1970 UTC.
     */
    ProgressReporter(
        final List<ProgressListener> listeners,
        final WorkersProgress workers,
        final int partitions,
        final LongSupplier epochClockMs)
    {
        this.listeners = listeners;
        this.workers = workers;
        this.epochClockMs = epochClockMs;
        heads = new int[partitions];
        Arrays.fill(heads, UNKNOWN);
    }

    /**
     * All workers have begun.
     *
     * @param nowMs of a clock that does not go back, as for {@link #poll}.
     */
    void onBegan(final long nowMs)
    {
        isTraining = true;
        lastSampleMs = nowMs;
        rate.onBegan(nowMs);
        onEvent(Kind.BEGIN, workers.count() + (1 == workers.count() ? " worker trains" : " workers train"));
    }

    /** Report a sample if it is time for one. */
    void poll(final long nowMs)
    {
        if (isTraining && nowMs - lastSampleMs >= SAMPLE_INTERVAL_MS)
        {
            sample(nowMs);
        }
    }

    /** All workers have ended: the last sample, then the end. */
    void onEnded(final long nowMs)
    {
        sample(nowMs);
        isTraining = false;
        onEvent(Kind.END, workers.batches() + " batches pushed");
    }

    /**
     * The model was evaluated.
     *
     * @param batches that all workers had pushed.
     * @param values  by the name of the metric.
     */
    void onMetrics(final long batches, final Map<String, Double> values, final boolean isBestSoFar)
    {
        final long timeMs = epochClockMs.getAsLong();
        values.forEach((name, value) ->
        {
            final MetricSample metric = new MetricSample(timeMs, batches, name, value, isBestSoFar);
            listeners.forEach((listener) -> listener.onMetric(metric));
        });
    }

    /** Something happened. */
    void onEvent(final Kind kind, final String text)
    {
        final ProgressEvent event = new ProgressEvent(epochClockMs.getAsLong(), kind, text);
        listeners.forEach((listener) -> listener.onEvent(event));
    }

    /**
     * Take the server that leads each partition, and the number of elections of a coordinator, and report changes once
     * training has begun.
     *
     * @param newHeads node by partition, negative if no server leads it.
     */
    void onCluster(final List<Integer> newHeads, final int newElections)
    {
        final Map<Integer, List<Integer>> changed = new LinkedHashMap<>();
        for (int partition = 0; partition < Math.min(heads.length, newHeads.size()); partition++)
        {
            final int head = newHeads.get(partition);
            if (head >= 0 && head != heads[partition])
            {
                if (UNKNOWN != heads[partition])
                {
                    changed.computeIfAbsent(head, (node) -> new ArrayList<>()).add(partition);
                }
                heads[partition] = head;
            }
        }
        if (isTraining)
        {
            changed.forEach((node, partitions) -> onEvent(Kind.FAILOVER, "server " + node + " leads " +
                Kills.numbered("partition", partitions)));
            if (newElections > elections)
            {
                onEvent(Kind.ELECTION, "another coordinator leads");
            }
        }
        elections = newElections;
    }

    private void sample(final long nowMs)
    {
        final long examples = workers.examples();
        final long pulls = workers.stalenessPulls();
        final double stalenessSum = workers.stalenessSum();
        final Histogram pushes = workers.takePushes();
        final ProgressSample sample = new ProgressSample(epochClockMs.getAsLong(), workers.batches(),
            workers.planned(), examples,
            rate.of(examples, nowMs),
            workers.loss(), Speed.percentileUs(pushes, 50), Speed.percentileUs(pushes, 99),
            pulls > lastPulls ? (stalenessSum - lastStalenessSum) / (pulls - lastPulls) : Double.NaN);
        lastSampleMs = nowMs;
        lastPulls = pulls;
        lastStalenessSum = stalenessSum;
        listeners.forEach((listener) -> listener.onSample(sample));
    }
}
