// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

/** Refuses settings and arguments that are wrong. Each message names the setting, its value and what is allowed. */
public final class Check
{
    private Check()
    {
    }

    /** Refuse a value unless a condition holds. */
    public static void that(final boolean isRight, final String name, final Object value, final String allowed)
    {
        if (!isRight)
        {
            throw invalid(name, value, allowed);
        }
    }

    /** Refuse a value that is null. */
    public static void given(final String name, final Object value)
    {
        that(null != value, name, null, "set");
    }

    /** Refuse a number that is too small. */
    public static void atLeast(final String name, final long value, final long min)
    {
        if (value < min)
        {
            throw invalid(name, value, "at least " + min);
        }
    }

    /** Refuse a number outside a range, whose ends are allowed. */
    public static void range(final String name, final long value, final long min, final long max)
    {
        if (value < min || value > max)
        {
            throw invalid(name, value, min + ".." + max);
        }
    }

    /** Refuse a number outside a range, whose ends are allowed, and one that is none. */
    public static void range(final String name, final double value, final double min, final double max)
    {
        that(value >= min && value <= max, name, value, min + ".." + max);
    }

    /** The exception to throw for a value that is not what it must be. */
    public static IllegalArgumentException invalid(final String name, final Object value, final String allowed)
    {
        return new IllegalArgumentException("invalid " + name + "=" + value + ": must be " + allowed);
    }
}
