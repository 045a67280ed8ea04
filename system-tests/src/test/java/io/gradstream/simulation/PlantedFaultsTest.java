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

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The simulator sees mistakes: each planted fault is found within a budget of seeds, as what it is, and without it the
 * seed that found it passes.
 */
class PlantedFaultsTest
{
    private static final int BUDGET = 4000;
    private static final int LEAST_PLANTED = 63;

    @Test
    void shouldFindEachPlantedFaultWithinBudget()
    {
        final Set<PlantedFault> planted = EnumSet.complementOf(EnumSet.of(PlantedFault.NONE));
        final List<String> missed = planted.parallelStream()
            .map((fault) -> Optional.ofNullable(find(fault)).map((problem) -> fault + ": " + problem))
            .flatMap(Optional::stream)
            .toList();
        SimulationReport.onPlanted(planted.size(), planted.size() - missed.size());

        assertThat(missed).isEmpty();
        assertThat(planted).hasSizeGreaterThanOrEqualTo(LEAST_PLANTED);
    }

    private static String find(final PlantedFault planted)
    {
        for (long seed = 1; seed <= BUDGET; seed++)
        {
            final Violation violation = Simulation.run(seed, planted).violation();
            if (null != violation)
            {
                System.out.println("planted " + planted + " found by seed=" + seed + ": " + violation.getMessage());
                return !planted.expected().contains(violation.kind()) ? "found as " + violation.kind() :
                    null != Simulation.run(seed, PlantedFault.NONE).violation() ? "seed fails without it" : null;
            }
        }

        return "not found by " + BUDGET + " seeds";
    }
}
