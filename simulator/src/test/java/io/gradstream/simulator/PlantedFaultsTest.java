// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator;

import io.gradstream.simulator.world.PlantedFault;
import io.gradstream.simulator.world.Violation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The simulator sees mistakes: each planted fault is found within a budget of seeds, as what it is, and without it the
 * seed that found it passes. Seeds that found a fault when {@code planted.txt} was written are tried first.
 */
@Tag("faults")
class PlantedFaultsTest
{
    private static final int BUDGET = 4000;
    private static final int LEAST_PLANTED = 157;
    private static final Map<String, Long> FIRST_TRIED = firstTried();

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
        final long firstTried = FIRST_TRIED.getOrDefault(planted.name(), 1L);
        for (long tried = 0; tried <= BUDGET; tried++)
        {
            final long seed = 0 == tried ? firstTried : tried;
            final Violation violation = Simulation.run(seed, planted).violation();
            if (null != violation)
            {
                System.out.println("planted " + planted + " found by seed=" + seed + ": " + violation.getMessage());
                return !planted.isExpected(violation.kind()) ? "found as " + violation.kind() :
                    null != withoutIt(planted, seed) ? "seed fails without it" : null;
            }
        }

        return "not found by " + BUDGET + " seeds";
    }

    private static Violation withoutIt(final PlantedFault planted, final long seed)
    {
        return Simulation.run(Simulation.Setup.of(seed, planted.program(), PlantedFault.NONE)).violation();
    }

    private static long withinBudget(final long seed)
    {
        assertThat(seed).as("seed in planted.txt").isBetween(1L, (long)BUDGET);
        return seed;
    }

    private static Map<String, Long> firstTried()
    {
        try (InputStream lines = PlantedFaultsTest.class.getResourceAsStream("planted.txt"))
        {
            return new String(lines.readAllBytes(), StandardCharsets.US_ASCII).lines()
                .filter((line) -> !line.startsWith("#"))
                .map((line) -> line.split(" "))
                .collect(Collectors.toMap((words) -> words[0], (words) -> withinBudget(Long.parseLong(words[1]))));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
