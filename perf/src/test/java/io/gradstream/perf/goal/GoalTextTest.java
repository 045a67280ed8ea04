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
package io.gradstream.perf.goal;

import io.gradstream.perf.measure.Summary;
import io.gradstream.perf.report.Bound;
import io.gradstream.perf.report.TargetLine;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class GoalTextTest
{
    private static final TargetLine FIGURE = new TargetLine(
        "T16", "coordinator", "% core", Summary.of(1, 3, 2), Double.NaN, Double.NaN, Bound.atMost(2), "");
    private static final TargetLine RATIO = new TargetLine(
        "T8", "pushes", "MB/s", Summary.of(50), 100, Double.NaN, Bound.atLeast(0.7), "over IPC");

    @Test
    void shouldSayWhetherTheBoundIsKeptWhenThereIsAFigureOrARatio()
    {
        final List<String> table = GoalText.table(List.of(FIGURE, RATIO)).lines().toList();

        assertThat(table.get(1)).contains("T16", "2.00 (1.00..3.00)", "% core", "<= 2.0", "met");
        assertThat(table.get(2)).contains("T8", "50.00", "100.00", "0.50", ">= 0.7", "MISS");
        assertThat(table.get(3)).contains("over IPC");
    }

    @Test
    void shouldWriteNullInOneLineWhenThereIsNoBaseline()
    {
        assertThat(GoalText.json("idle", List.of(FIGURE)))
            .contains("\"measurement\":\"idle\"", "\"id\":\"T16\"", "\"median\":2.0000", "\"baseline\":null",
            "\"isMet\":true")
            .doesNotContain("\n");
    }
}
