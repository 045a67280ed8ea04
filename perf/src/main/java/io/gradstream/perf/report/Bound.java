// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import java.util.Locale;

/**
 * A limit that a figure has to keep to.
 *
 * @param isUpper is it the most that is allowed, not the least?
 * @param limit   itself; NaN if it is not known, as where nothing was measured.
 */
public record Bound(boolean isUpper, double limit)
{
    /** At most that much. */
    public static Bound atMost(final double limit)
    {
        return new Bound(true, limit);
    }

    /** At least that much. */
    public static Bound atLeast(final double limit)
    {
        return new Bound(false, limit);
    }

    /** Never for what is not a number. */
    public boolean holds(final double value)
    {
        return isUpper ? value <= limit : value >= limit;
    }

    /** As people write it, such as "<= 1.3"; "-" if it is not known. */
    public String text()
    {
        return Double.isNaN(limit) ? "-" : String.format(Locale.ROOT, "%s %s", isUpper ? "<=" : ">=", limit);
    }
}
