// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.metric;

import java.util.List;

/** Metrics by the name that users give them: as {@link Metric#name()}, hyphens left out at will. */
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
