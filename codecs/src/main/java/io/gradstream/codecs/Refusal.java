// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.codecs;

/**
 * The reason why a server refuses a message. Codes up to {@link #MAX_CONTENT_CODE} refuse a well-formed push for its
 * content: the server logs them, and they consume its sequence. The others are answered, counted and change nothing.
 */
public enum Refusal
{
    /** Not refused. */
    NONE(0),
    /** The values' length does not fit rows times dimension of the table. */
    DIMENSION_MISMATCH(1),
    /** A value is NaN or infinite. */
    NOT_FINITE(2),
    /** A key is negative, outside a dense table, or belongs to another partition. */
    BAD_KEY(3),
    /** The update would create more rows than the node has room for. */
    OUT_OF_ROWS(4),
    /** The update would make a row infinite or NaN, and the table's function says {@code refuse-non-finite}. */
    ROW_NOT_FINITE(5),
    /** The table does not exist at this partition (yet). */
    NO_SUCH_TABLE(32),
    /** The table exists with another specification, or another table has its name. */
    TABLE_MISMATCH(33),
    /** The sequence is neither known nor the next one. */
    SEQUENCE_GAP(34),
    /** A newer incarnation holds the slot, or the epoch is not the current one. */
    FENCED(35),
    /** This node does not (yet) serve the partition. */
    NOT_PRIMARY(36),
    /** A named limit is reached; try again later. */
    BUSY(37),
    /** The frame contradicts its own lengths or is of an unknown kind. */
    MALFORMED(38),
    /** The message is larger than the limit. */
    TOO_LARGE(39),
    /** The worker belongs to another job. */
    WRONG_JOB(40),
    /** The specification asks for what this node cannot do. */
    INVALID_TABLE(41),
    /** The worker must connect and say hello first. */
    NOT_CONNECTED(42),
    /** The slot has pushed more in one clock of a sequential job than the node holds. */
    CLOCK_TOO_LARGE(43),
    /** The slot is not backed up, or not with as many parts per clock; or its pushes are not numbered by clocks. */
    ROLE_MISMATCH(44),
    /** Every slot has ended the iteration asked for, and may have pushed more since. */
    CLOCK_PASSED(45),
    /** The message names a list of keys that the server does not have: it is to be sent with its keys. */
    KEYS_UNKNOWN(46);

    /** Largest code which consumes a sequence. */
    public static final int MAX_CONTENT_CODE = 31;

    private static final Refusal[] BY_CODE = new Refusal[64];

    static
    {
        for (final Refusal refusal : values())
        {
            BY_CODE[refusal.code] = refusal;
        }
    }

    private final int code;

    Refusal(final int code)
    {
        this.code = code;
    }

    /** The number that stands for it on the wire and in the log. */
    public int code()
    {
        return code;
    }

    /** True if this refusal uses up the sequence of the push: it is logged then. */
    public boolean consumesSequence()
    {
        return code > 0 && code <= MAX_CONTENT_CODE;
    }

    /**
     * The refusal for a code.
     *
     * @param code from the wire.
     * @return the refusal.
     * @throws IllegalArgumentException if there is none.
     */
    public static Refusal of(final int code)
    {
        if (code < 0 || code >= BY_CODE.length || null == BY_CODE[code])
        {
            throw new IllegalArgumentException("unknown refusal code=" + code);
        }

        return BY_CODE[code];
    }
}
