// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.measure;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * All windows of one measure.
 *
 * @param p50Us              median latency in microseconds, NaN where none was taken.
 * @param p99Us              99th percentile in microseconds, NaN where none was taken.
 * @param megabytesPerSecond payload in millions of bytes.
 */
public record Series(Summary p50Us, Summary p99Us, Summary megabytesPerSecond)
{
    private static final double NS_PER_US = 1_000;

    public static Series of(final List<Sample> windows)
    {
        return new Series(
            summary(windows, (window) -> window.p50Ns() / NS_PER_US),
            summary(windows, (window) -> window.p99Ns() / NS_PER_US),
            summary(windows, Sample::megabytesPerSecond));
    }

    private static Summary summary(final List<Sample> windows, final ToDoubleFunction<Sample> value)
    {
        return Summary.of(windows.stream().mapToDouble(value).toArray());
    }
}
