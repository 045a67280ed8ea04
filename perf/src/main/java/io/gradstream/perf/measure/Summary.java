/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.perf.measure;

import java.util.Arrays;

/**
 * Several windows' measurements of one thing: their median, and how far they lie apart.
 *
 * @param median of the windows; the mean of the middle two for an even number.
 * @param min    smallest.
 * @param max    largest.
 */
public record Summary(double median, double min, double max)
{
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

        return new Summary(median, sorted[0], sorted[sorted.length - 1]);
    }
}
