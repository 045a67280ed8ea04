// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train;

import java.util.List;

/**
 * How stale the pulls of a run were; the names are those of the JSON.
 *
 * @param staleness          bound on it, or null if workers do not report their iterations.
 * @param maxStaleness       of a pull, in iterations, each of which is a push; null without a bound.
 * @param stalenessMean      of all pulls, in iterations.
 * @param stalenessWaitRatio share of the time in which workers waited for slower ones, 0 to 1.
 * @param cachedRows         rows of weights that workers took from their caches; null without caches.
 * @param fetchedRows        rows of weights that they pulled beside these; null without caches.
 */
record Staleness(
    String staleness,
    Long maxStaleness,
    double stalenessMean,
    double stalenessWaitRatio,
    Long cachedRows,
    Long fetchedRows)
{
    static final Staleness NONE = new Staleness(null, null, Double.NaN, Double.NaN, null, null);
    private static final double NS_PER_S = 1e9;

    /** The figures of the workers put together. */
    static Staleness of(final String bound, final boolean isCached, final List<WorkerResult> results)
    {
        return new Staleness(bound,
            results.stream().mapToLong(WorkerResult::stalenessMax).max().orElseThrow(),
            results.stream().mapToDouble((result) -> result.pullCount() * result.stalenessMean()).sum() /
                Math.max(1, results.stream().mapToLong(WorkerResult::pullCount).sum()),
            results.stream().mapToLong(WorkerResult::waitedNs).sum() / NS_PER_S /
                results.stream().mapToDouble(WorkerResult::seconds).sum(),
            isCached ? results.stream().mapToLong(WorkerResult::cachedRows).sum() : null,
            isCached ? results.stream().mapToLong(WorkerResult::fetchedRows).sum() : null);
    }
}
