// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import java.util.List;
import java.util.Map;

/**
 * One picture of a report: some series over the same places on the x axis.
 *
 * @param file       its name without directory and ending.
 * @param title      above it, with the unit.
 * @param isBars     true if the places are unrelated, so that bars show more than lines.
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
