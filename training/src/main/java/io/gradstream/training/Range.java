// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

/** Checks that a value lies in a range, ends included. */
final class Range
{
    private Range()
    {
    }

    static void check(final String name, final int value, final int min, final int max)
    {
        if (value < min || value > max)
        {
            throw outside(name, Integer.toString(value), Integer.toString(min), Integer.toString(max));
        }
    }

    static void check(final String name, final double value, final double min, final double max)
    {
        if (!(value >= min && value <= max))
        {
            throw outside(name, Double.toString(value), Double.toString(min), Double.toString(max));
        }
    }

    private static IllegalArgumentException outside(
        final String name, final String value, final String min, final String max)
    {
        return new IllegalArgumentException("invalid " + name + "=" + value + ": must be " + min + ".." + max);
    }
}
