// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.driver.client;

import org.agrona.BitUtil;
import org.agrona.SystemUtil;

import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.ToLongBiFunction;

/**
 * Reads settings from system properties. A value that is not allowed is refused, and the message names the property.
 */
public final class SystemProperty
{
    private SystemProperty()
    {
    }

    /** A time in nanoseconds, which the property gives with a unit. */
    public static long durationNs(final String name, final long defaultNs, final long minNs, final long maxNs)
    {
        return number(name, defaultNs, SystemProperty::duration, (value) -> value >= minNs && value <= maxNs,
            "a time such as 2s, 250ms or 100us, " + range(minNs, maxNs, SystemUtil::formatDuration));
    }

    private static long duration(final String name, final String value)
    {
        if (!value.isEmpty() && Character.isDigit(value.charAt(value.length() - 1)))
        {
            throw new NumberFormatException("no unit");
        }

        return SystemUtil.parseDuration(name, value);
    }

    /** A number, or bytes, which the property may give with a unit. */
    public static long number(final String name, final long defaultValue, final long min, final long max)
    {
        return number(name, defaultValue, SystemUtil::parseSize, (value) -> value >= min && value <= max,
            "a number such as 1000, 64k, 8m or 1g, " + range(min, max, SystemUtil::formatSize));
    }

    /** Such a number that is a power of two. */
    public static int powerOfTwo(final String name, final int defaultValue, final int min, final int max)
    {
        return (int)number(name, defaultValue, SystemUtil::parseSize,
            (value) -> value >= min && value <= max && BitUtil.isPowerOfTwo(value),
            "a power of two such as 1024, 64k or 8m, " + range(min, max, SystemUtil::formatSize));
    }

    /** The length of datagrams. */
    public static int mtuLength(final String name, final int defaultLength)
    {
        return (int)number(name, defaultLength, SystemUtil::parseSize,
            (value) -> value <= ChannelMtu.MAX_LENGTH && ChannelMtu.isAllowed((int)value), ChannelMtu.allowed());
    }

    /** One of the words that are allowed. */
    public static String word(final String name, final String defaultWord, final String... allowed)
    {
        final String value = System.getProperty(name, defaultWord);
        if (!List.of(allowed).contains(value))
        {
            throw invalid(name, value, String.join(" or ", allowed));
        }

        return value;
    }

    /** Yes or no. */
    public static boolean isTrue(final String name, final boolean defaultValue)
    {
        return "true".equals(word(name, Boolean.toString(defaultValue), "true", "false"));
    }

    private static long number(
        final String name, final long defaultValue, final ToLongBiFunction<String, String> parser,
        final LongPredicate isAllowed, final String allowed)
    {
        final String value = System.getProperty(name);
        if (null == value)
        {
            return defaultValue;
        }
        try
        {
            final long number = parser.applyAsLong(name, value);
            if (isAllowed.test(number))
            {
                return number;
            }
        }
        catch (final NumberFormatException | IndexOutOfBoundsException ignore)
        {
            // refused below, as any other value that is not allowed
        }

        throw invalid(name, value, allowed);
    }

    private static String range(final long min, final long max, final LongFunction<String> format)
    {
        return format.apply(min) + (Long.MAX_VALUE == max ? " or more" : " to " + format.apply(max));
    }

    private static IllegalArgumentException invalid(final String name, final String value, final String allowed)
    {
        return new IllegalArgumentException("invalid " + name + "=" + value + ": must be " + allowed);
    }
}
