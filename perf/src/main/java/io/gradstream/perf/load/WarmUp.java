// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.measure.Sample;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * Loads without counting, until the compiler of this process rests: its remaining work would slow a window.
 * <p>
 * The compilers of server processes are not seen from here: the least time is for them, and for all caches.
 */
final class WarmUp
{
    /** Length of a burst; after each it is seen whether to go on. */
    static final long BURST_NS = TimeUnit.MILLISECONDS.toNanos(250);
    /** No longer than so many times the least time, though the compiler is at work: it may not rest for minutes. */
    static final int MAX_TIMES = 3;
    /** The compiler rests if it took at most this share of a burst. */
    static final double RESTING_SHARE = 0.04;

    private static final double NS_PER_MS = 1e6;

    private final long leastNs;
    private final LongSupplier compilationMs;

    WarmUp(final long leastNs)
    {
        this(leastNs, compilationMs());
    }

    WarmUp(final long leastNs, final LongSupplier compilationMs)
    {
        this.leastNs = leastNs;
        this.compilationMs = compilationMs;
    }

    /**
     * Load.
     *
     * @param run      a burst, at least one.
     * @param maxBytes ends it early: each may be recorded on disk. The last burst may exceed it.
     * @return how long it took, by the windows' own clocks.
     */
    long run(final LongFunction<Sample> run, final long maxBytes)
    {
        final long burstNs = Math.max(TimeUnit.MILLISECONDS.toNanos(1), Math.min(BURST_NS, leastNs));
        long elapsedNs = 0;
        long bytes = 0;
        boolean isResting = false;
        while (bytes < maxBytes && (elapsedNs < leastNs || !isResting && elapsedNs < MAX_TIMES * leastNs) ||
            0 == elapsedNs)
        {
            final long beforeMs = compilationMs.getAsLong();
            final Sample burst = run.apply(burstNs);
            isResting = (compilationMs.getAsLong() - beforeMs) * NS_PER_MS <= RESTING_SHARE * burst.elapsedNs();
            elapsedNs += Math.max(1, burst.elapsedNs());
            bytes += burst.transfers() * burst.transferBytes();
        }

        return elapsedNs;
    }

    private static LongSupplier compilationMs()
    {
        final CompilationMXBean compilation = ManagementFactory.getCompilationMXBean();
        return null != compilation && compilation.isCompilationTimeMonitoringSupported() ?
            compilation::getTotalCompilationTime : () -> 0;
    }
}
