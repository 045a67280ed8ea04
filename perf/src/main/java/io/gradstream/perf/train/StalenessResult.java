// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

import io.gradstream.codecs.Consistency;

import java.util.List;
import java.util.Locale;

/**
 * How one run came to the target loss.
 *
 * @param staleness     bound.
 * @param seconds       until the loss of the test data was low enough.
 * @param iterations    of a worker until then, on average.
 * @param loss          that was found then.
 * @param waitRatio     share of the time in which workers waited for slower ones.
 * @param maxStaleness  most iterations by which a pull was behind.
 * @param meanStaleness iterations by which pulls were behind on average.
 */
record StalenessResult(
    int staleness,
    long seed,
    double seconds,
    double iterations,
    double loss,
    double waitRatio,
    long maxStaleness,
    double meanStaleness)
{
    static StalenessResult of(
        final double seconds, final double iterations, final double loss, final List<StalenessWorker> workers)
    {
        return new StalenessResult(Consistency.UNBOUNDED, 0, seconds, iterations, loss,
            workers.stream().mapToDouble(StalenessWorker::waitRatio).average().orElseThrow(),
            workers.stream().mapToLong((worker) -> worker.stats().maxStaleness()).max().orElseThrow(),
            workers.stream().mapToDouble((worker) -> worker.stats().meanStaleness()).average().orElseThrow());
    }

    StalenessResult of(final int newStaleness, final long newSeed)
    {
        return new StalenessResult(
            newStaleness, newSeed, seconds, iterations, loss, waitRatio, maxStaleness, meanStaleness);
    }

    /** The bound as text. */
    String label()
    {
        return new Consistency(1, staleness).label();
    }

    String line()
    {
        return String.format(Locale.ROOT, "staleness %s seed %d: loss %.4f after %.2f s and %.0f iterations, waited" +
            " %.0f %%, behind %.2f on average, %d at most", label(), seed, loss, seconds, iterations, 100 * waitRatio,
            meanStaleness, maxStaleness);
    }
}
