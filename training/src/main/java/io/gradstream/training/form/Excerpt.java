// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.training.form;

import java.nio.charset.StandardCharsets;

/** A part of a file in quotes, as a message shows it: short, and without what steers a terminal. */
public final class Excerpt
{
    private static final int MAX_LENGTH = 40;
    private static final int MAX_BYTES_OF_CHARACTER = 4;

    private Excerpt()
    {
    }

    /** Text in quotes; what is not shown as a character of its own is a question mark. */
    public static String of(final String text)
    {
        final StringBuilder quoted = new StringBuilder("'");
        text.codePoints().limit(MAX_LENGTH).forEach((c) -> quoted.appendCodePoint(isShown(c) ? c : '?'));
        return quoted.append(text.codePointCount(0, text.length()) > MAX_LENGTH ? "...'" : "'").toString();
    }

    /** Bytes in quotes, as UTF-8. */
    public static String of(final byte[] bytes, final int begin, final int end)
    {
        final int length = Math.min(end - begin, (MAX_LENGTH + 1) * MAX_BYTES_OF_CHARACTER);
        return of(new String(bytes, begin, length, StandardCharsets.UTF_8));
    }

    private static boolean isShown(final int character)
    {
        return switch (Character.getType(character))
        {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED,
                Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            default -> 0xFFFD != character;
        };
    }
}
