// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.cli.options;

import java.util.function.Function;

import org.agrona.SystemUtil;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Reads numbers and characters of options, and says what they must be in words of users. */
public final class ValueConverters
{
    /** Parses a number of bytes, which may end with k, m or g. */
    public static final class Size implements ITypeConverter<Long>
    {
        @Override
        public Long convert(final String value)
        {
            try
            {
                final long bytes = SystemUtil.parseSize("size", value.trim());
                if (bytes >= 0)
                {
                    return bytes;
                }
            }
            catch (final NumberFormatException | IndexOutOfBoundsException ignore)
            {
                // the message below says what is allowed
            }
            throw new TypeConversionException("'" + value + "' must be a number of bytes (1048576, 512k, 50m, 1g)");
        }
    }

    private ValueConverters()
    {
    }

    /** Let a command and its subcommands read them so. */
    public static CommandLine register(final CommandLine commandLine)
    {
        return commandLine
            .registerConverter(int.class, whole(Integer::valueOf, Integer.MIN_VALUE, Integer.MAX_VALUE))
            .registerConverter(Integer.class, whole(Integer::valueOf, Integer.MIN_VALUE, Integer.MAX_VALUE))
            .registerConverter(long.class, whole(Long::valueOf, Long.MIN_VALUE, Long.MAX_VALUE))
            .registerConverter(Long.class, whole(Long::valueOf, Long.MIN_VALUE, Long.MAX_VALUE))
            .registerConverter(double.class, ValueConverters::toDouble)
            .registerConverter(Double.class, ValueConverters::toDouble)
            .registerConverter(char.class, ValueConverters::toChar);
    }

    private static <T> ITypeConverter<T> whole(final Function<String, T> parse, final T min, final T max)
    {
        return (text) ->
        {
            try
            {
                return parse.apply(text);
            }
            catch (final NumberFormatException ex)
            {
                throw new TypeConversionException("'" + text + "' " +
                    (text.matches("[-+]?[0-9]+") ? "must be " + min + ".." + max : "is not a whole number"));
            }
        };
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
}
