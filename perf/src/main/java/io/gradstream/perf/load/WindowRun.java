// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.measure.Sample;

/** One window of a measure. */
interface WindowRun
{
    Sample run(long durationNs);
}
