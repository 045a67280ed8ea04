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

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The simulator sees mistakes: each planted fault is found within a budget of seeds, and without it the seed that
 * found it passes.
 */
class PlantedFaultsTest
{
    private static final int BUDGET = 400;

    @ParameterizedTest
    @EnumSource(value = PlantedFault.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void shouldFindPlantedFaultWithinBudget(final PlantedFault planted)
    {
        long seed = 1;
        Violation violation = Simulation.run(seed, planted).violation();
        while (null == violation && seed < BUDGET)
        {
            violation = Simulation.run(++seed, planted).violation();
        }

        assertThat(violation).as("%s is not found by %s seeds", planted, BUDGET).isNotNull();
        System.out.println("planted " + planted + " found by seed=" + seed + ": " + violation.getMessage());
        assertThat(violation.kind()).isIn(planted.expected());
        assertThat(Simulation.run(seed, PlantedFault.NONE).violation()).isNull();
    }
}
