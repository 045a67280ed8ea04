// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import io.gradstream.driver.DriverProfile;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The settings of a run that measures peers, checked before anything opens.
 *
 * @param sizes       bytes of a transfer, multiples of a row's.
 * @param windows     of each measure and peer.
 * @param windowNs    length of a window.
 * @param maxWarmUpNs time after which a peer is measured although its compilers are still at work.
 * @param profile     how the processes wait.
 * @param psLite      directory of a built ps-lite, or null.
 */
public record PeersSettings(
    List<Integer> sizes, int windows, long windowNs, long maxWarmUpNs, DriverProfile profile, Path psLite)
{
    /** Number of outstanding transfers in cases with several. */
    static final int DEPTH = 8;
    /** Largest size that is also measured with one outstanding transfer: above it, this says little about a peer. */
    static final int MAX_SINGLE_BYTES = PeerRows.ROW_BYTES;

    private static final int MAX_WINDOWS = 1_000;
    private static final long MAX_WINDOW_NS = TimeUnit.MINUTES.toNanos(10);

    public PeersSettings
    {
        check(!sizes.isEmpty(), "sizes", sizes, "one size or more");
        for (final int size : sizes)
        {
            check(size > 0 && 0 == size % PeerRows.ROW_BYTES && size <= PeerRows.COUNT * PeerRows.ROW_BYTES / DEPTH,
                "sizes", size, "multiples of 4k (a row of " + PeerRows.DIM + " floats) up to 8m");
        }
        check(windows >= 1 && windows <= MAX_WINDOWS, "windows", windows, "1.." + MAX_WINDOWS);
        check(windowNs >= TimeUnit.MILLISECONDS.toNanos(1) && windowNs <= MAX_WINDOW_NS, "window-seconds",
            windowNs / 1e9, "0.001..600");
        check(maxWarmUpNs >= 0 && maxWarmUpNs <= MAX_WINDOW_NS, "warmup-seconds", maxWarmUpNs / 1e9, "0..600");
        check(null == psLite || Files.isExecutable(PsLite.benchmark(psLite)), "ps-lite", psLite,
            "a directory with a built " + PsLite.BENCHMARK);
    }

    /** The cases that are measured, in the order of the table. */
    List<PeerCase> cases()
    {
        final List<PeerCase> cases = new ArrayList<>();
        for (final int size : sizes)
        {
            // pushes first: then there is something to pull
            for (final PeerMeasure measure : PeerMeasure.values())
            {
                if (size <= MAX_SINGLE_BYTES)
                {
                    cases.add(new PeerCase(measure, size, 1));
                }
                cases.add(new PeerCase(measure, size, DEPTH));
            }
        }

        return cases;
    }

    private static void check(final boolean isValid, final String name, final Object value, final String allowed)
    {
        if (!isValid)
        {
            throw new IllegalArgumentException("invalid --" + name + "=" + value + ": must be " + allowed);
        }
    }

    /**
     * The work that peers are asked to do.
     *
     * @param size  bytes of a transfer.
     * @param depth transfers outstanding.
     */
    record PeerCase(PeerMeasure measure, int size, int depth)
    {
    }
}
