// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import io.gradstream.perf.measure.MachineLoad;
import io.gradstream.perf.measure.Summary;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class MeasurementTest
{
    private static final MachineLoad BUSY = new MachineLoad(0.3, 0);
    private static final TargetLine LINE = TargetLine.figure("push", "us", Summary.of(1));

    @Test
    void shouldKeepTheLoadOfALineThatHasOne() throws IOException
    {
        final Measurement measurement = new Measurement(new RunOptions(1, RunOptions.NONE, RunOptions.NONE))
        {
            @Override
            public List<TargetLine> measure()
            {
                return List.of(LINE.under(BUSY), LINE);
            }
        };

        assertThat(measurement.measureAndJudge()).extracting(TargetLine::machine)
            .as("the whole was too short to be judged").containsExactly(BUSY, MachineLoad.UNKNOWN);
    }
}
