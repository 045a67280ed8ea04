// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.raw;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** The first bytes of a raw message, which tell the echo process what to do with it. */
final class RawMessage
{
    /** Send the whole message back. */
    static final int ECHO = 1;
    /** Take it and say nothing. */
    static final int TAKE = 2;
    /** Answer with a message of the length that follows. */
    static final int ANSWER = 3;

    /** Bytes of kind and answer length, and so the shortest message. */
    static final int HEADER_LENGTH = 8;
    /** Bytes of a short question or answer. */
    static final int SHORT_LENGTH = 32;

    private static final int ANSWER_LENGTH_OFFSET = 4;

    private RawMessage()
    {
    }

    static void encode(final MutableDirectBuffer buffer, final int kind, final int answerLength)
    {
        buffer.putInt(0, kind);
        buffer.putInt(ANSWER_LENGTH_OFFSET, answerLength);
    }

    static int kind(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset);
    }

    static int answerLength(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + ANSWER_LENGTH_OFFSET);
    }
}
