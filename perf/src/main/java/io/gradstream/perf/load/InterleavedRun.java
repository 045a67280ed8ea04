// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import java.util.List;

/**
 * One measure of a comparison, ready to run its windows.
 *
 * @param measure    which.
 * @param run        a window.
 * @param loop       that has the latencies, or null if none are taken.
 * @param serverPids processes whose load is taken with the windows; empty: it is not.
 */
record InterleavedRun(Measure measure, WindowRun run, LoadLoop loop, List<Long> serverPids)
{
}
