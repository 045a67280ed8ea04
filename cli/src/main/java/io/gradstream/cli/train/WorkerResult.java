// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;

import io.gradstream.cli.worker.TrainingLoop;
import io.gradstream.cli.worker.WarmUp;
import io.gradstream.cli.worker.WorkerSession;
import io.gradstream.launcher.Audit;
import io.gradstream.launcher.process.StatusLine;
import io.gradstream.worker.filter.FilterCounts;
import org.HdrHistogram.Histogram;

/**
 * The result of a worker, as it reports it in its last line.
 *
 * @param sent           sums over the sequences it sent, for each partition.
 * @param pushes         latencies of its pushes after the warm-up, in nanoseconds.
 * @param pulls          latencies of its pulls after the warm-up, in nanoseconds.
 * @param refused        pushes that servers refused.
 * @param spoolPeakBytes most bytes that its spools held.
 * @param outageNs       time in which it could not reach some partition.
 * @param blockedNs      part of that time in which it could not go on.
 * @param pullCount      pulls that it has awaited, of which {@code stalenessMean} is the mean.
 * @param cachedRows     rows of weights that it took from its cache.
 * @param fetchedRows    rows of weights that it pulled as its cache had none, or one that was too old.
 * @param keyBytesSaved  bytes of keys that it did not send, because servers had them.
 * @param filtered       rows that its filters have left out of pushes.
 * @param warmupSeconds  time before the latencies and the speed were measured.
 * @param examplesPerSecond speed after the warm-up; NaN if nothing was trained after it.
 * @param diverged       quantity that is not finite, for which it ended before its last batch; or null.
 */
record WorkerResult(
    List<Audit.Sums> sent,
    Histogram pushes,
    Histogram pulls,
    long refused,
    long spoolPeakBytes,
    long outageNs,
    long blockedNs,
    long stalenessMax,
    long pullCount,
    double stalenessMean,
    long waitedNs,
    long cachedRows,
    long fetchedRows,
    long keyBytesSaved,
    FilterCounts filtered,
    double seconds,
    double warmupSeconds,
    double examplesPerSecond,
    String diverged)
{
    static WorkerResult of(final StatusLine line)
    {
        final List<Audit.Sums> sent = new ArrayList<>();
        for (final String sums : line.text("sent").split(","))
        {
            final String[] numbers = sums.split(":");
            sent.add(new Audit.Sums(
                Long.parseLong(numbers[0]), Long.parseLong(numbers[1]), Long.parseLong(numbers[2]),
                Long.parseLong(numbers[3])));
        }

        return new WorkerResult(sent, decode(line.text("push")), decode(line.text("pull")),
            line.number("refused"), line.number("spoolPeak"), line.number("outageNs"), line.number("blockedNs"),
            line.number("stalenessMax"), line.number(WorkerSession.PULLS),
            Double.parseDouble(line.text(WorkerSession.STALENESS_MEAN)), line.number("waitedNs"),
            line.number("cachedRows"), line.number("fetchedRows"), line.number("keyBytesSaved"),
            new FilterCounts(line.number("rowsHeld"), line.number("heldBytesSaved"),
                line.number("rowsSkipped"), line.number("skippedBytesSaved"),
                line.number("rowsAtZero"), line.number("zeroBytesSaved")),
            Double.parseDouble(line.text("seconds")), Double.parseDouble(line.text(WarmUp.WARMUP_SECONDS)),
            line.number(WarmUp.MEASURED_EXAMPLES) / Double.parseDouble(line.text(WarmUp.MEASURED_SECONDS)),
            line.has(TrainingLoop.DIVERGED) ? line.text(TrainingLoop.DIVERGED).replace('_', ' ') : null);
    }

    /**
     * The share of the time of outages in which workers could go on.
     *
     * @return 1 - time in which workers were blocked, divided by the time of outages, each summed over all workers; NaN
     * if there was no outage.
     */
    static double busyRatio(final List<WorkerResult> results)
    {
        long outageNs = 0;
        long blockedNs = 0;
        for (final WorkerResult result : results)
        {
            outageNs += result.outageNs();
            blockedNs += result.blockedNs();
        }

        return outageNs > 0 ? 1 - (double)blockedNs / outageNs : Double.NaN;
    }

    /** Latencies as a worker writes them. */
    static Histogram decode(final String text)
    {
        try
        {
            final ByteBuffer buffer = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
            return Histogram.decodeFromCompressedByteBuffer(buffer, WorkerSession.MAX_LATENCY_NS);
        }
        catch (final DataFormatException ex)
        {
            throw new IllegalStateException("a worker sent a histogram that cannot be read", ex);
        }
    }
}
