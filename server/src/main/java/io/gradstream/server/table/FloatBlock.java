// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.table;

import io.gradstream.codecs.FiniteFloats;

/**
 * An array of floats that is searched for infinities and NaN many values at a time.
 * <p>
 * A value times 0 is 0 if it is finite and NaN otherwise, and a sum is NaN if any of its terms is. So one half of the
 * values, times 0, is added to the other half, then half of these sums to the others, and only the last sums are looked
 * at. C2 vectorises these loops if it knows that sums overwrite no value. It knows that where all stand in the same
 * array and all distances are constants. It does not vectorise one loop that adds up eight parts once it has inlined
 * that loop.
 */
final class FloatBlock
{
    /** Most values. */
    static final int MAX_VALUES = 1024;

    private static final int HALF = MAX_VALUES / 2;
    private static final int QUARTER = MAX_VALUES / 4;
    private static final int EIGHTH = MAX_VALUES / 8;
    private static final int HALVES = MAX_VALUES;
    private static final int QUARTERS = HALVES + HALF;
    private static final int EIGHTHS = QUARTERS + QUARTER;
    /** Least values for which the whole array is added up: for fewer, a look at each value is faster. */
    private static final int MIN_ADDED = HALF;

    private final float[] values = new float[EIGHTHS + EIGHTH];
    private final float[] sums = new float[EIGHTH];

    /** The values, from index 0 on. Elements from {@link #MAX_VALUES} on are for this class alone. */
    float[] values()
    {
        return values;
    }

    /** True if none of the first values, {@link #MAX_VALUES} at most, is infinite or NaN. */
    boolean areFinite(final int count)
    {
        // an infinity or NaN in the whole array may be left, after the first values, from an earlier use
        return count >= MIN_ADDED && isAllFinite() || FiniteFloats.areFinite(values, count);
    }

    private boolean isAllFinite()
    {
        addUp(values);
        System.arraycopy(values, EIGHTHS, sums, 0, EIGHTH);

        return FiniteFloats.areFinite(sums, EIGHTH);
    }

    private static void addUp(final float[] v)
    {
        for (int i = 0; i < HALF; i++)
        {
            v[HALVES + i] = v[i] * 0f + v[HALF + i] * 0f;
        }
        for (int i = 0; i < QUARTER; i++)
        {
            v[QUARTERS + i] = v[HALVES + i] + v[HALVES + QUARTER + i];
        }
        for (int i = 0; i < EIGHTH; i++)
        {
            v[EIGHTHS + i] = v[QUARTERS + i] + v[QUARTERS + EIGHTH + i];
        }
    }
}
