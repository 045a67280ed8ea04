// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.form;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Tells whether bytes are text in UTF-8 (RFC 3629), eight at a time where they are ASCII. */
public final class Utf8
{
    /** Index where all bytes are text. */
    public static final int NONE = -1;

    private static final VarHandle LONGS =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
    private static final int LEAST_TAIL = 0x80;
    private static final int MOST_TAIL = 0xBF;

    private Utf8()
    {
    }

    /** True if all bytes are ASCII, which is UTF-8 wherever it is cut. */
    public static boolean isAscii(final byte[] bytes, final int length)
    {
        return afterAscii(bytes, 0, length) == length;
    }

    /**
     * Find the first character that is none.
     *
     * @param end index after the last byte; a character must not be cut there.
     * @return index of its first byte, or {@link #NONE}.
     */
    public static int firstMalformed(final byte[] bytes, final int begin, final int end)
    {
        int at = afterAscii(bytes, begin, end);
        while (at < end)
        {
            final int length = characterLength(bytes, at, end);
            if (0 == length)
            {
                return at;
            }
            at = afterAscii(bytes, at + length, end);
        }
        return NONE;
    }

    private static int afterAscii(final byte[] bytes, final int begin, final int end)
    {
        int at = begin;
        while (at <= end - Long.BYTES && 0 == ((long)LONGS.get(bytes, at) & HIGH_BITS))
        {
            at += Long.BYTES;
        }
        while (at < end && bytes[at] >= 0)
        {
            at++;
        }
        return at;
    }

    /** Length of a character beyond ASCII, or 0 if it is none. */
    private static int characterLength(final byte[] bytes, final int at, final int end)
    {
        final int lead = bytes[at] & 0xFF;
        final int length = lead < 0xC2 || lead > 0xF4 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (length > end - at)
        {
            return 0;
        }
        for (int i = 1; i < length; i++)
        {
            final int tail = bytes[at + i] & 0xFF;
            if (tail < (1 == i ? leastSecond(lead) : LEAST_TAIL) || tail > (1 == i ? mostSecond(lead) : MOST_TAIL))
            {
                return 0;
            }
        }
        return length;
    }

    /** A character is written in as few bytes as it can be. */
    private static int leastSecond(final int lead)
    {
        return 0xE0 == lead ? 0xA0 : 0xF0 == lead ? 0x90 : LEAST_TAIL;
    }

    /** Halves of UTF-16 are no characters, and the last one is U+10FFFF. */
    private static int mostSecond(final int lead)
    {
        return 0xED == lead ? 0x9F : 0xF4 == lead ? 0x8F : MOST_TAIL;
    }
}
