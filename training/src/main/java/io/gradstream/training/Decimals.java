// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training;

import java.nio.charset.StandardCharsets;

/** Reads decimal numbers out of lines of bytes, rounded as {@link Float#parseFloat} does but mostly without it. */
public final class Decimals
{
    /** Message for a number that is beyond the range of floats. */
    public static final String RANGE = ": numbers reach from -3.4e38 to 3.4e38";

    private static final int MAX_EXACT_MANTISSA = 1 << 24;
    private static final float[] EXACT_POWERS_OF_TEN =
        { 1f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f };

    private Decimals()
    {
    }

    /**
     * Read a number. A short decimal is a quotient of two exact floats, which division rounds rightly; anything else
     * goes the slow way.
     *
     * @param begin of the number.
     * @param end   index after its last byte.
     * @param point the decimal sign, which stands before the fraction. If it is another, {@code '.'} is no part of a
     *              number.
     * @return the number, or NaN if the bytes are no decimal number, or a decimal number that is not finite as a float.
     */
    public static float parse(final byte[] line, final int begin, final int end, final char point)
    {
        int i = begin;
        final boolean isNegative = i < end && '-' == line[i];
        if (isNegative || (i < end && '+' == line[i]))
        {
            i++;
        }

        int mantissa = 0;
        int digits = 0;
        int pointAt = -1;
        for (; i < end && mantissa < MAX_EXACT_MANTISSA / 10; i++)
        {
            final byte b = line[i];
            if (point == b && pointAt < 0)
            {
                pointAt = digits;
            }
            else if (b >= '0' && b <= '9')
            {
                mantissa = mantissa * 10 + (b - '0');
                digits++;
            }
            else
            {
                break;
            }
        }

        final int scale = pointAt < 0 ? 0 : digits - pointAt;
        if (i < end || 0 == digits || scale >= EXACT_POWERS_OF_TEN.length)
        {
            return parseSlowly(line, begin, end, point);
        }

        final float number = mantissa / EXACT_POWERS_OF_TEN[scale];
        return isNegative ? -number : number;
    }

    /** True if the bytes are a decimal number that is not finite as a float. */
    public static boolean isBeyondFloats(final byte[] line, final int begin, final int end, final char point)
    {
        return Float.isInfinite(anySlowly(line, begin, end, point));
    }

    private static float parseSlowly(final byte[] line, final int begin, final int end, final char point)
    {
        final float number = anySlowly(line, begin, end, point);
        return Float.isFinite(number) ? number : Float.NaN;
    }

    private static float anySlowly(final byte[] line, final int begin, final int end, final char point)
    {
        for (int i = begin; i < end; i++)
        {
            if (point != line[i] && "+-eE0123456789".indexOf(line[i]) < 0)
            {
                return Float.NaN;
            }
        }

        try
        {
            final String text = new String(line, begin, end - begin, StandardCharsets.ISO_8859_1);
            return Float.parseFloat(text.replace(point, '.'));
        }
        catch (final NumberFormatException ignore)
        {
            return Float.NaN;
        }
    }
}
