// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.measure;

import java.util.Locale;

/** Sizes as people write them: 512, 4k, 1m, 1g (powers of 1024). */
public final class ByteSize
{
    private static final int SHIFT = 10;

    private ByteSize()
    {
    }

    /**
     * Bytes of a size that fits an array.
     *
     * @throws IllegalArgumentException if it is none, or more than 1 GiB.
     */
    public static int parse(final String text)
    {
        final long bytes = parseLong(text);
        if (bytes > 1 << 3 * SHIFT)
        {
            throw new IllegalArgumentException("invalid size '" + text + "': at most 1024m");
        }

        return (int)bytes;
    }

    public static long parseLong(final String text)
    {
        final String lower = text.trim().toLowerCase(Locale.ROOT);
        if (!lower.matches("\\d{1,9}[kmg]?"))
        {
            throw new IllegalArgumentException("invalid size '" + text + "': write bytes, such as 4096, 4k, 1m or 1g");
        }
        final int unit = "kmg".indexOf(lower.charAt(lower.length() - 1)) + 1;

        return Long.parseLong(lower.replaceAll("[kmg]", "")) << unit * SHIFT;
    }

    public static String text(final int bytes)
    {
        if (bytes >= 1 << 2 * SHIFT && 0 == bytes % (1 << 2 * SHIFT))
        {
            return (bytes >> 2 * SHIFT) + " MiB";
        }
        return 0 == bytes % (1 << SHIFT) ? (bytes >> SHIFT) + " KiB" : bytes + " B";
    }
}
