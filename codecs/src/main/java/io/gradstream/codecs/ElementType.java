// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

/** Type of a table's values. */
public enum ElementType
{
    /** IEEE 754 single precision, 4 bytes. */
    FLOAT32(1, 4),
    /** Two's complement, 8 bytes. */
    INT64(2, 8);

    private final int code;
    private final int length;

    ElementType(final int code, final int length)
    {
        this.code = code;
        this.length = length;
    }

    /** The number that stands for it on the wire and in the log. */
    public int code()
    {
        return code;
    }

    /** Size of one element in bytes. */
    public int length()
    {
        return length;
    }

    /**
     * The type for a code.
     *
     * @param code from the wire.
     * @return the type, or null if there is none.
     */
    public static ElementType of(final int code)
    {
        return 1 == code ? FLOAT32 : 2 == code ? INT64 : null;
    }
}
