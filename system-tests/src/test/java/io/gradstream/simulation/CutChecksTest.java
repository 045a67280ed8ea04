/*
 * Copyright 2026 Gradstream authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 * https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.gradstream.simulation;

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
