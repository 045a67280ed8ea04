// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Reads numbers and characters of options, and says what they must be in words of users. */
public final class ValueConverters
{
    private ValueConverters()
    {
    }

    /** Let a command and its subcommands read them so. */
    public static CommandLine register(final CommandLine commandLine)
    {
        return commandLine
            .registerConverter(int.class, ValueConverters::toInt)
            .registerConverter(Integer.class, ValueConverters::toInt)
            .registerConverter(long.class, ValueConverters::toLong)
            .registerConverter(Long.class, ValueConverters::toLong)
            .registerConverter(double.class, ValueConverters::toDouble)
            .registerConverter(Double.class, ValueConverters::toDouble)
            .registerConverter(char.class, ValueConverters::toChar);
    }

    private static int toInt(final String text)
    {
        try
        {
            return Integer.parseInt(text);
        }
        catch (final NumberFormatException ex)
        {
            throw notWhole(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
        }
    }

    private static long toLong(final String text)
    {
        try
        {
            return Long.parseLong(text);
        }
        catch (final NumberFormatException ex)
        {
            throw notWhole(text, Long.MIN_VALUE, Long.MAX_VALUE);
        }
    }

    private static double toDouble(final String text)
    {
        try
        {
            return Double.parseDouble(text);
        }
        catch (final NumberFormatException ex)
        {
            throw new TypeConversionException("'" + text + "' is not a number");
        }
    }

    private static char toChar(final String text)
    {
        if (1 != text.length())
        {
            throw new TypeConversionException("'" + text + "' is not one character");
        }
        return text.charAt(0);
    }

    private static TypeConversionException notWhole(final String text, final long min, final long max)
    {
        return new TypeConversionException("'" + text + "' " +
            (text.matches("[-+]?[0-9]+") ? "must be " + min + ".." + max : "is not a whole number"));
    }
}
