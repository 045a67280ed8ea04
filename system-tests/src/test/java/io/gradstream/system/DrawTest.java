// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.system;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DrawTest
{
    private static final List<String> CASES = List.of("a", "b", "c", "d", "e");

    @Test
    void shouldRunSomeInTheirOrderAndAllOverSomeBuilds()
    {
        final Set<String> run = new HashSet<>();
        for (int seed = 0; seed < 20; seed++)
        {
            final List<String> drawn = Draw.of(CASES, "3", "", seed);
            assertThat(drawn).hasSize(3).isSorted().isEqualTo(Draw.of(CASES, "3", "", seed));
            run.addAll(drawn);
        }

        assertThat(run).containsExactlyInAnyOrderElementsOf(CASES);
    }

    @Test
    void shouldRunAllWhereTheyAreWantedOrNamed()
    {
        assertThat(Draw.of(CASES, "all", "", 1)).isEqualTo(CASES);
        assertThat(Draw.of(CASES, "9", "", 1)).isEqualTo(CASES);
        assertThat(Draw.of(CASES, "1", "TrainSurvivesIT", 1)).hasSize(1);
        assertThat(Draw.of(CASES, "1", "FaultsUnderLoadIT#*Coordinators*", 1)).isEqualTo(CASES);
    }
}
