// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.train;

/**
 * How fast one run trained once it was warm.
 *
 * @param examplesPerSecond of all workers together.
 * @param cpuSeconds        that all processes took for a million examples.
 */
record TrainingRate(double examplesPerSecond, double cpuSeconds)
{
    private static final double MILLION = 1e6;

    static TrainingRate of(final double examples, final long elapsedNs, final long cpuNs)
    {
        return new TrainingRate(examples * 1e9 / Math.max(1, elapsedNs), cpuNs / 1e9 * MILLION / examples);
    }
}
