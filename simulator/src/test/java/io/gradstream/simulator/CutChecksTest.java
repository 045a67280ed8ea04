// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator;

import io.gradstream.simulator.check.CutChecks;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Models that heads give while faults strike are those that disks give for the same iteration.
 */
class CutChecksTest
{
    private static final long FIRST_SEED = 3;
    private static final int SEEDS = Integer.getInteger("gradstream.cut.seeds", 20);

    @Test
    void shouldRebuildWhatTheHeadsGave()
    {
        int compared = 0;
        for (long i = 0; i < SEEDS; i++)
        {
            final long seed = FIRST_SEED + i * CutChecks.CUT_SEEDS;
            final Simulation.Result result = Simulation.run(Simulation.Setup.of(seed));
            assertThat(result.violation()).as("seed " + seed).isNull();
            compared += result.comparedCuts();
        }
        assertThat(compared).isGreaterThan(SEEDS / 4);
    }
}
