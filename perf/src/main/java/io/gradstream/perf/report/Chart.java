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
package io.gradstream.perf.report;

import java.util.List;
import java.util.Map;

/**
 * One picture of a report: some series over the same places on the x axis.
 *
 * @param file       its name without directory and ending.
 * @param title      above it, with the unit.
 * @param isBars     are the places unrelated, so that bars tell more than lines?
 * @param categories the places, from left to right.
 * @param series     a value for each place by what it is of; NaN where there is none.
 */
public record Chart(
    String file, String title, boolean isBars, List<String> categories, Map<String, List<Double>> series)
{
    public Chart
    {
        series.forEach((name, values) ->
        {
            if (values.size() != categories.size())
            {
                throw new IllegalArgumentException("invalid series " + name + ": has " + values.size() +
                    " values for " + categories.size() + " places");
            }
        });
    }
}
