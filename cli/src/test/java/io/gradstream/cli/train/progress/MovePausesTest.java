// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.train.progress;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MovePausesTest
{
    @Test
    void shouldTakeTheLongestPauseOfEachChangeThatWasAskedFor()
    {
        final MovePauses pauses = new MovePauses();
        pauses.onServiceBack(0, 2, 30);
        pauses.onServiceBack(0, 2, 40);
        pauses.onServiceBack(0, 3, 900);
        pauses.onServiceBack(1, 2, 20);

        assertThat(pauses.of(Map.of(0, List.of(2L), 5, List.of(2L)))).containsExactly(40L);
        assertThat(pauses.of(Map.of(0, List.of(2L, 3L)))).containsExactly(40L, 900L);
    }
}
