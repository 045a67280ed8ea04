// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.driver.client.ChannelMtu;
import io.gradstream.driver.DriverProfile;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The settings of a load run, checked before anything opens.
 *
 * @param sizes          bytes of a transfer, multiples of {@link #ROW_BYTES}.
 * @param measures       to take.
 * @param windows        of each measure.
 * @param windowNs       length of a window.
 * @param warmUpNs       for which each measure is loaded before it counts, at least.
 * @param rate           transfers a second at the fixed rate; 0: as many as make {@link #DEFAULT_RATE_BYTES}.
 * @param maxWindowBytes after which a window of pushes ends early, since each is recorded on disk.
 * @param cluster        which servers.
 */
record LoadSettings(
    List<Integer> sizes,
    Set<Measure> measures,
    int windows,
    long windowNs,
    long warmUpNs,
    double rate,
    long maxWindowBytes,
    Cluster cluster)
{
    /** Floats in a row. */
    static final int DIM = 1024;
    /** Bytes in a row. */
    static final int ROW_BYTES = DIM * Float.BYTES;
    /** Rows of the table: 16 MiB, more than a processor's second level cache. */
    static final int ROWS = 4096;
    /** Most transfers a second at the default rate. */
    static final double MAX_DEFAULT_RATE = 1_000;
    /** Most bytes a second at the default rate, so that it measures latency and not the queue before a full system. */
    static final double DEFAULT_RATE_BYTES = 64.0 * 1024 * 1024;

    /** Windows' most bytes that may be pushed before a measure counts. */
    static final int WARM_UP_WINDOWS = 4;

    private static final int MAX_WINDOWS = 1_000;
    private static final long MAX_WARM_UP_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long MAX_WINDOW_NS = TimeUnit.MINUTES.toNanos(10);
    private static final double MAX_RATE = 1e7;
    private static final long MAX_WINDOW_BYTES = 64L << 30;

    /**
     * The servers under load, and how everything idles and sends.
     *
     * @param coordinators of a running cluster by member id, or null for local servers of this run's own.
     * @param partitions   of the job.
     * @param standbys     0, or 1 to measure a chain as well; needs servers of this run's own.
     * @param profile      of drivers and loops on both sides.
     * @param mtu          of requests and of raw Aeron, bytes.
     * @param isSharing    true if this process uses the media driver of the first server, so that they speak over IPC.
     * @param directory    below which local servers keep their logs, removed afterwards.
     */
    record Cluster(
        List<String> coordinators,
        int partitions,
        int standbys,
        DriverProfile profile,
        int mtu,
        boolean isSharing,
        Path directory)
    {
        boolean isLocal()
        {
            return null == coordinators;
        }

        boolean isChainMeasured()
        {
            return standbys > 0;
        }
    }

    LoadSettings
    {
        check(!sizes.isEmpty(), "sizes", sizes, "one size or more");
        for (final int size : sizes)
        {
            check(size > 0 && 0 == size % ROW_BYTES && size <= ROWS * ROW_BYTES, "sizes", size,
                "multiples of 4k (a row of " + DIM + " floats) up to 16m");
        }
        check(windows >= 1 && windows <= MAX_WINDOWS, "windows", windows, "1.." + MAX_WINDOWS);
        check(windowNs >= TimeUnit.MILLISECONDS.toNanos(1) && windowNs <= MAX_WINDOW_NS, "window-seconds",
            windowNs / 1e9, "0.001..600");
        check(warmUpNs >= 0 && warmUpNs <= MAX_WARM_UP_NS, "warm-up", warmUpNs / 1e9, "0..60");
        check(rate >= 0 && rate <= MAX_RATE, "rate", rate, "0 (choose by size) to 10000000");
        check(maxWindowBytes >= 1 << 20 && maxWindowBytes <= MAX_WINDOW_BYTES, "window-mib", maxWindowBytes >> 20,
            "1..65536");
        check(cluster.partitions >= 1 && cluster.partitions <= 4096, "partitions", cluster.partitions, "1..4096");
        check(0 == cluster.standbys || 1 == cluster.standbys && cluster.isLocal(), "standbys", cluster.standbys,
            "0, or 1 without --coordinator");
        check(!cluster.isSharing || cluster.isLocal(), "drivers", "shared", "own with --coordinator");
        check(ChannelMtu.OF_INTERFACE != cluster.mtu && ChannelMtu.isAllowed(cluster.mtu), "mtu", cluster.mtu,
            "a multiple of 32 from " + ChannelMtu.MIN_LENGTH + " to " + ChannelMtu.MAX_LENGTH);
    }

    /** Transfers to start each second for a size. */
    double rateOf(final int size)
    {
        return rate > 0 ? rate : Math.min(MAX_DEFAULT_RATE, DEFAULT_RATE_BYTES / size);
    }

    /** Transfers after which a window of pushes ends early. */
    long maxPushes(final int size)
    {
        return Math.max(1, maxWindowBytes / size);
    }

    /** Bytes of pushes after which a measure's warm-up ends early. */
    long maxWarmUpBytes()
    {
        return WARM_UP_WINDOWS * maxWindowBytes;
    }

    /** Most bytes that servers record in all measures of pushes to them, those of the chain or the others. */
    long maxRecordedBytes(final boolean isChained)
    {
        // the last burst of a warm-up may exceed its limit by a window's most
        final long windowsEach = windows + WARM_UP_WINDOWS + 1L;
        return measures.stream().filter((measure) -> measure.isRecorded() && measure.isChained() == isChained)
            .count() * windowsEach * maxWindowBytes;
    }

    private static void check(final boolean isValid, final String name, final Object value, final String allowed)
    {
        if (!isValid)
        {
            throw new IllegalArgumentException("invalid --" + name + "=" + value + ": must be " + allowed);
        }
    }
}
