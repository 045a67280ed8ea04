// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.coordinator;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One entry of the coordinators' log.
 *
 * @param kind        what it is.
 * @param timestampMs of the leader that appended it.
 * @param session     that it is about; 0 for none.
 * @param number      of a term, or of a timer.
 * @param leader      of a term.
 * @param bytes       of a message, else null.
 */
record CoordinatorEntry(Kind kind, long timestampMs, long session, long number, int leader, UnsafeBuffer bytes)
{
    /** The kinds of entries that members are told. */
    enum Kind
    {
        /** A leader was elected. */
        TERM,
        /** A session was opened. */
        OPEN,
        /** A session was closed. */
        CLOSE,
        /** A session said something. */
        MESSAGE,
        /** A timer rang. */
        TIMER
    }

    static CoordinatorEntry term(final long timestampMs, final long term, final int leader)
    {
        return new CoordinatorEntry(Kind.TERM, timestampMs, 0, term, leader, null);
    }

    static CoordinatorEntry open(final long timestampMs, final long session)
    {
        return new CoordinatorEntry(Kind.OPEN, timestampMs, session, 0, 0, null);
    }

    static CoordinatorEntry close(final long timestampMs, final long session)
    {
        return new CoordinatorEntry(Kind.CLOSE, timestampMs, session, 0, 0, null);
    }

    static CoordinatorEntry message(final long timestampMs, final long session, final UnsafeBuffer bytes)
    {
        return new CoordinatorEntry(Kind.MESSAGE, timestampMs, session, 0, 0, bytes);
    }

    static CoordinatorEntry timer(final long timestampMs, final long correlationId)
    {
        return new CoordinatorEntry(Kind.TIMER, timestampMs, 0, correlationId, 0, null);
    }

    /** A copy on heap, which outlives the buffer. */
    static UnsafeBuffer copy(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return new UnsafeBuffer(bytes);
    }
}
