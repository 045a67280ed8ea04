// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.benchmarks;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The header of each message of a peer, question or answer: the rows, and what to do with them. The rows' values follow
 * in the question of a push and in the answer of a pull.
 *
 * @param measure  push or pull.
 * @param firstRow first of the rows, which are consecutive.
 * @param rows     number of rows.
 */
record PeerMessage(PeerMeasure measure, int firstRow, int rows)
{
    /** Bytes before the values. */
    static final int HEADER_LENGTH = 3 * Integer.BYTES;

    private static final PeerMeasure[] MEASURES = PeerMeasure.values();

    PeerMessage
    {
        if (rows < 1 || firstRow < 0 || firstRow > PeerRows.COUNT - rows)
        {
            throw new IllegalArgumentException("invalid firstRow=" + firstRow + " rows=" + rows + ": must be within " +
                PeerRows.COUNT + " rows");
        }
    }

    /** Read the header at a buffer's position, and move the position after the header. */
    static PeerMessage decode(final ByteBuffer from)
    {
        final int measure = from.getInt();
        if (measure < 0 || measure >= MEASURES.length)
        {
            throw new IllegalArgumentException("invalid measure=" + measure + ": is it another program that sends?");
        }
        return new PeerMessage(MEASURES[measure], from.getInt(), from.getInt());
    }

    /** Write the header at a buffer's position, and move the position after the header. */
    void encode(final ByteBuffer to)
    {
        to.putInt(measure.ordinal()).putInt(firstRow).putInt(rows);
    }

    /** A buffer over bytes in the order that all peers send them. */
    static ByteBuffer wrap(final byte[] bytes)
    {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    int valueBytes()
    {
        return rows * PeerRows.ROW_BYTES;
    }
}
