// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.load;

import io.gradstream.driver.DriverProfile;
import io.gradstream.perf.load.LoadReport.SizeResult;
import io.gradstream.perf.measure.Sample;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class TurnsTest
{
    private static final long WINDOW_NS = 7_000_000;
    private static final LoadSettings SETTINGS = new LoadSettings(List.of(4096), Measure.all(false), 2,
        WINDOW_NS, 0, 0, 1 << 20, new LoadSettings.Cluster(null, 1, 0, DriverProfile.DEV, 8192, false, Path.of(".")));

    private final List<String> order = new ArrayList<>();

    @Test
    void shouldWarmAllUpBeforeTheirWindowsAlternate()
    {
        final Turns turns = new Turns(SETTINGS, 4096);

        turns.take(List.of(turn(Measure.RAW_ECHO), turn(Measure.PULL)));

        assertThat(order).containsExactly("RAW_ECHO warm", "PULL warm", "RAW_ECHO", "PULL", "RAW_ECHO", "PULL");
        final SizeResult result = turns.result();
        assertThat(result.series()).containsOnlyKeys(Measure.RAW_ECHO, Measure.PULL);
        // of the windows alone: the warm-up, which is shorter, had another latency
        assertThat(result.series().get(Measure.PULL).p50Us().min()).isEqualTo(WINDOW_NS / 1e3);
    }

    private Turn turn(final Measure measure)
    {
        return new Turn(measure, (durationNs) ->
        {
            order.add(measure + (WINDOW_NS == durationNs ? "" : " warm"));
            return new Sample(1, 4096, durationNs, durationNs, durationNs);
        }, null, List.of());
    }
}
