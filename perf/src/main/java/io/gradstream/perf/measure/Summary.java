// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.measure;

import java.util.Arrays;
import java.util.List;

/**
 * Several windows' measurements of one thing: their median, and how far they lie apart.
 *
 * @param median of the windows; the mean of the middle two for an even number.
 * @param min    smallest.
 * @param max    largest.
 * @param windows each window in the order in which it was taken; empty if it is not known.
 */
public record Summary(double median, double min, double max, List<Double> windows)
{
    /** A summary whose windows are not known. */
    public Summary(final double median, final double min, final double max)
    {
        this(median, min, max, List.of());
    }

    /**
     * The summary of one value from each window.
     *
     * @throws IllegalArgumentException if there is none.
     */
    public static Summary of(final double... windows)
    {
        if (0 == windows.length)
        {
            throw new IllegalArgumentException("invalid windows=0: must be 1 or more");
        }
        final double[] sorted = windows.clone();
        Arrays.sort(sorted);
        final int middle = sorted.length / 2;
        final double median = 1 == (sorted.length & 1) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;

        return new Summary(
            median, sorted[0], sorted[sorted.length - 1], Arrays.stream(windows).boxed().toList());
    }
}
