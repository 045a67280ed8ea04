// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.measure;

/**
 * The measurement of one window.
 *
 * @param transfers     completed.
 * @param transferBytes payload of one transfer.
 * @param elapsedNs     from the first start to the last completion.
 * @param p50Ns         median of the latency, NaN where none was taken.
 * @param p99Ns         99th percentile of the latency, NaN where none was taken.
 */
public record Sample(long transfers, long transferBytes, long elapsedNs, double p50Ns, double p99Ns)
{
    public double megabytesPerSecond()
    {
        return transfers * (double)transferBytes * 1_000 / elapsedNs;
    }

    public double transfersPerSecond()
    {
        return transfers * 1e9 / elapsedNs;
    }
}
