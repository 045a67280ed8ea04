// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.form;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * The two values that labels have in files, where they are not 0 and 1. Immutable.
 * <p>
 * A label is the value that it equals as text, or as a number: {@code 2}, {@code 2.0} and {@code +2} are one.
 */
public final class LabelValues
{
    /** Index of a label that is neither value. */
    public static final int NEITHER = -1;

    private static final Pattern NUMBER = Pattern.compile("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?");

    private final String[] texts;
    private final byte[][] bytes = new byte[2][];
    private final double[] numbers = new double[2];

    /**
     * Two values.
     *
     * @param first  label 0.
     * @param second label 1.
     * @throws IllegalArgumentException if one is empty, or both are the same.
     */
    public LabelValues(final String first, final String second)
    {
        texts = new String[]{ first.strip(), second.strip() };
        for (int i = 0; i < texts.length; i++)
        {
            bytes[i] = texts[i].getBytes(StandardCharsets.UTF_8);
            numbers[i] = number(texts[i]);
            if (texts[i].isEmpty())
            {
                throw new IllegalArgumentException("a label cannot be empty");
            }
        }
        if (texts[0].equals(texts[1]) || numbers[0] == numbers[1])
        {
            throw new IllegalArgumentException("the two labels must differ");
        }
    }

    /** Find a label: 0 or 1, or {@link #NEITHER}. */
    public int indexOf(final byte[] line, final int begin, final int end)
    {
        for (int i = 0; i < bytes.length; i++)
        {
            if (Arrays.equals(line, begin, end, bytes[i], 0, bytes[i].length))
            {
                return i;
            }
        }

        final double number = number(new String(line, begin, end - begin, StandardCharsets.UTF_8));
        return number == numbers[0] ? 0 : number == numbers[1] ? 1 : NEITHER;
    }

    @Override
    public String toString()
    {
        return texts[0] + " or " + texts[1];
    }

    /** NaN equals nothing. */
    private static double number(final String text)
    {
        return NUMBER.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
    }
}
