// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

/**
 * The values of a {@link ClusterSample} that the history keeps as curves.
 *
 * @param timeMs            when, ms since 1970 UTC.
 * @param served            partitions that somebody serves.
 * @param logBytesPerSecond bytes by which all logs grow in a second; NaN with the first sample.
 * @param maxLag            largest lag of a copy in sync, in bytes.
 */
record ClusterLoad(long timeMs, long served, double logBytesPerSecond, long maxLag)
{
}
