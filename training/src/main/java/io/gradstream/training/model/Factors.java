// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.model;

/** Checks the arguments of models that have factors. */
final class Factors
{
    /** Most factors: with its bias a row of a table still holds them. */
    static final int MAX_FACTORS = 8191;

    private Factors()
    {
    }

    static void check(final int factors, final double decay, final double initialDeviation)
    {
        if (factors < 1 || factors > MAX_FACTORS)
        {
            throw new IllegalArgumentException("invalid factors=" + factors + ": must be 1.." + MAX_FACTORS);
        }
        if (!(decay >= 0.0 && decay < Double.POSITIVE_INFINITY))
        {
            throw new IllegalArgumentException("invalid decay=" + decay + ": must be at least 0");
        }
        if (!(initialDeviation > 0.0 && initialDeviation < Double.POSITIVE_INFINITY))
        {
            throw new IllegalArgumentException("invalid initialDeviation=" + initialDeviation + ": must be above 0");
        }
    }
}
