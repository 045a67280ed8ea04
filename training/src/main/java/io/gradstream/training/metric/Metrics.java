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
package io.gradstream.training.metric;

import java.util.List;

/**
 * Metrics by the name that users give them: as {@link Metric#name()}, hyphens left out at will.
 */
public final class Metrics
{
    private Metrics()
    {
    }

    /**
     * The metric with a name.
     *
     * @throws IllegalArgumentException if none of them has it.
     */
    public static Metric named(final String name, final List<Metric> metrics)
    {
        for (final Metric metric : metrics)
        {
            if (shortName(metric).equals(name) || metric.name().equals(name))
            {
                return metric;
            }
        }
        throw new IllegalArgumentException("invalid metric=" + name + ": must be " +
            String.join(" or ", metrics.stream().map(Metrics::shortName).toList()) + " for this model");
    }

    /** The name without hyphens. */
    public static String shortName(final Metric metric)
    {
        return metric.name().replace("-", "");
    }
}
