// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.measure.Sample;

import java.util.List;
import java.util.function.LongFunction;

/**
 * One measure of a comparison, ready to run its windows.
 *
 * @param measure    which.
 * @param run        a window of so many nanoseconds.
 * @param loop       that has the latencies, or null if none are taken.
 * @param serverPids processes on the other side, whose load is taken with the windows; empty if they are not known.
 */
record InterleavedRun(Measure measure, LongFunction<Sample> run, LoadLoop loop, List<Long> serverPids)
{
}
