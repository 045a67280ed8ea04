// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

/**
 * A metric of the model on examples that nobody trains on.
 *
 * @param timeMs      when it was computed, ms since 1970 UTC.
 * @param batches     that all workers had pushed.
 * @param name        of the metric, such as {@code accuracy}.
 * @param value       of the metric.
 * @param isBestSoFar true if the model is better than at each earlier evaluation.
 */
public record MetricSample(long timeMs, long batches, String name, double value, boolean isBestSoFar)
{
}
