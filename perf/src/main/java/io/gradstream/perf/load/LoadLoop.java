// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.measure.InterruptedRunException;
import io.gradstream.perf.measure.Sample;
import io.gradstream.perf.measure.Transceiver;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;

import java.util.concurrent.TimeUnit;

/**
 * Drives a transceiver window by window: with a fixed number of transfers outstanding, or at a fixed rate.
 * <p>
 * At a fixed rate latency counts from when a transfer should have started, so a stall shows in all it delayed.
 */
public final class LoadLoop
{
    /** Longest time after a window until all outstanding transfers end. */
    static final long DRAIN_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);

    /** Most transfers outstanding. */
    static final int MAX_DEPTH = 1024;

    private static final long MAX_LATENCY_NS = TimeUnit.MINUTES.toNanos(10);
    private static final double MEDIAN = 50;
    private static final double NINETY_NINE = 99;

    private final Histogram histogram = new Histogram(MAX_LATENCY_NS, 3);
    /** Of all windows since the last {@link #forget()}. */
    private final Histogram all = new Histogram(MAX_LATENCY_NS, 3);
    /** When each began that is outstanding: when the first of it was to be sent. */
    private final long[] startsNs = new long[MAX_DEPTH];
    private final Transceiver transceiver;
    private final IdleStrategy idleStrategy;
    private final NanoClock clock;
    private long started;
    private long ended;

    public LoadLoop(final Transceiver transceiver, final IdleStrategy idleStrategy, final NanoClock clock)
    {
        this.transceiver = transceiver;
        this.idleStrategy = idleStrategy;
        this.clock = clock;
        started = transceiver.completed();
        ended = started;
    }

    /** Keep up to {@link #MAX_DEPTH} transfers outstanding for a while, then wait for the last of them. */
    public Sample flatOut(final int depth, final long durationNs, final long maxTransfers)
    {
        return run(depth, durationNs, maxTransfers, 0);
    }

    /** Start transfers at even intervals for a while, then wait for the last of them. */
    Sample atRate(final double perSecond, final long durationNs, final long maxTransfers)
    {
        return run(MAX_DEPTH, durationNs, maxTransfers, Math.max(1, Math.round(1e9 / perSecond)));
    }

    /** Let no window so far count for the percentiles of all. */
    void forget()
    {
        all.reset();
    }

    /** Latency of all windows that count at a percentile; 0 if there was none. */
    long percentileNs(final double percentile)
    {
        return all.getValueAtPercentile(percentile);
    }

    private Sample run(final int depth, final long durationNs, final long maxTransfers, final long intervalNs)
    {
        histogram.reset();
        idleStrategy.reset();
        final long first = started;
        final long beginNs = clock.nanoTime();
        long nowNs = beginNs;
        long dueNs = beginNs;
        // a transfer that has begun is part of the window, though there was no room for all of it until that was over
        boolean isStarting = false;
        while (isStarting || ended < started || nowNs - beginNs < durationNs && started - first < maxTransfers)
        {
            final boolean isOpen = nowNs - beginNs < durationNs && started - first < maxTransfers;
            if (!isStarting && isOpen && started - ended < depth && nowNs - dueNs >= 0)
            {
                startsNs[(int)started & MAX_DEPTH - 1] = 0 == intervalNs ? clock.nanoTime() : dueNs;
                dueNs += intervalNs;
                isStarting = true;
            }
            int workCount = 0;
            if (isStarting && transceiver.tryStart())
            {
                isStarting = false;
                started++;
                workCount = 1;
            }
            nowNs = pollOnce(workCount);
            checkEnding(nowNs - beginNs - durationNs, isStarting);
        }

        return window(ended - first, nowNs - beginNs);
    }

    private void checkEnding(final long overNs, final boolean isStarting)
    {
        if (overNs > DRAIN_TIMEOUT_NS)
        {
            throw new IllegalStateException("outstanding=" + (started - ended + (isStarting ? 1 : 0)) +
                " transfers did not end within " + TimeUnit.NANOSECONDS.toSeconds(DRAIN_TIMEOUT_NS) +
                " s after their window: is the server alive?");
        }
    }

    private long pollOnce(final int startCount)
    {
        InterruptedRunException.check();
        final int workCount = startCount + transceiver.poll();
        final long nowNs = clock.nanoTime();
        final long completed = transceiver.completed();
        while (ended < completed)
        {
            final long latencyNs = nowNs - startsNs[(int)ended++ & MAX_DEPTH - 1];
            histogram.recordValue(Math.min(latencyNs, MAX_LATENCY_NS));
        }
        idleStrategy.idle(workCount);

        return nowNs;
    }

    private Sample window(final long transfers, final long elapsedNs)
    {
        all.add(histogram);
        final boolean isEmpty = 0 == histogram.getTotalCount();
        return new Sample(
            transfers,
            transceiver.transferBytes(),
            Math.max(1, elapsedNs),
            isEmpty ? Double.NaN : histogram.getValueAtPercentile(MEDIAN),
            isEmpty ? Double.NaN : histogram.getValueAtPercentile(NINETY_NINE));
    }
}
