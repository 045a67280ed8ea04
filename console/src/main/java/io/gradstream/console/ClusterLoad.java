// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

/**
 * What of a {@link ClusterSample} is kept as a curve.
 *
 * @param timeMs            when, ms since 1970 UTC.
 * @param served            partitions that somebody serves.
 * @param logBytesPerSecond by which all logs grow; NaN with the first sample.
 * @param maxLag            largest lag of a copy in sync, in bytes.
 */
record ClusterLoad(long timeMs, long served, double logBytesPerSecond, long maxLag)
{
}
