// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.perf.measure.Sample;
import io.gradstream.perf.report.Measurement;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class InterleavedRunsTest
{
    private static final long WINDOW_NS = 7_000_000;
    private static final LoadRun LOAD =
        Measurement.of(new LoadRun(), "--windows=2", "--window-seconds=0.007", "--warmup-seconds=0");

    private final List<String> order = new ArrayList<>();

    @Test
    void shouldWarmAllUpBeforeTheirWindowsAlternate()
    {
        final InterleavedRuns runs = new InterleavedRuns(LOAD, 4096);

        runs.take(List.of(run(Measure.RAW_ECHO), run(Measure.PULL)));

        assertThat(order).containsExactly("RAW_ECHO warm", "PULL warm", "RAW_ECHO", "PULL", "RAW_ECHO", "PULL");
        final SizeResult result = runs.result();
        assertThat(result.series()).containsOnlyKeys(Measure.RAW_ECHO, Measure.PULL);
        // of the windows alone: the warm-up, which is shorter, had another latency
        assertThat(result.series().get(Measure.PULL).p50Us().min()).isEqualTo(WINDOW_NS / 1e3);
    }

    private InterleavedRun run(final Measure measure)
    {
        return new InterleavedRun(measure, (durationNs) ->
        {
            order.add(measure + (WINDOW_NS == durationNs ? "" : " warm"));
            return new Sample(1, 4096, durationNs, durationNs, durationNs);
        }, null, List.of());
    }
}
