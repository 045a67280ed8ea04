// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.coordinator.session;

/**
 * The rules settings of a member or a session obey, each with a message that names the setting, its value and what is
 * allowed.
 */
public final class MemberCheck
{
    private MemberCheck()
    {
    }

    /**
     * Refuse a setting that is not there.
     *
     * @param name  of the setting.
     * @param value of the setting.
     * @throws IllegalArgumentException if it is null.
     */
    public static void requirePresent(final String name, final Object value)
    {
        if (null == value)
        {
            throw invalid(name, null, "must be set");
        }
    }

    /**
     * Refuse a number outside of what is allowed.
     *
     * @param name  of the setting.
     * @param value of the setting.
     * @param min   the least allowed.
     * @param max   the greatest allowed.
     * @throws IllegalArgumentException if it is outside.
     */
    public static void requireRange(final String name, final long value, final long min, final long max)
    {
        if (value < min || value > max)
        {
            throw invalid(name, value, "must be " + min + ".." + max);
        }
    }

    /**
     * The exception to throw for a wrong setting.
     *
     * @param name    of the setting.
     * @param value   of the setting.
     * @param allowed what must be instead.
     * @return an exception.
     */
    public static IllegalArgumentException invalid(final String name, final Object value, final String allowed)
    {
        return new IllegalArgumentException("invalid " + name + "=" + value + ": " + allowed);
    }
}
