// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

/**
 * The progress of all workers of a run at one moment.
 *
 * @param timeMs            when, ms since 1970 UTC.
 * @param batches           that all workers have pushed.
 * @param planned           batches that all workers are going to push, as far as known.
 * @param examples          that were trained on, each pass counted.
 * @param examplesPerSecond since the sample before.
 * @param loss              recent mean loss of the workers, each batch before its own update; NaN if none was computed.
 * @param pushP50Us         median time from a push to its acknowledgement since the sample before, in us; NaN if none.
 * @param pushP99Us         its 99th percentile, in us; NaN if none.
 * @param staleness         batches by which pulled weights were behind, mean; NaN if workers do not report it.
 */
public record ProgressSample(
    long timeMs,
    long batches,
    long planned,
    long examples,
    double examplesPerSecond,
    double loss,
    double pushP50Us,
    double pushP99Us,
    double staleness)
{
}
