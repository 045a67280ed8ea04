// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.report;

import java.util.Locale;

/**
 * A limit that a figure has to keep to.
 *
 * @param isUpper true if the limit is the most that is allowed, false if it is the least.
 * @param limit   NaN if it is not known, as where nothing was measured.
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

    /** True if a value keeps to the bound; false for NaN. */
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
