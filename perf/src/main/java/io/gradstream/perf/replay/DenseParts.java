// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.perf.replay;

import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PushEncoder;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Parts of pushes to a dense table as a worker writes them: as many whole rows as one record of the log holds, range
 * after range through the table.
 */
final class DenseParts
{
    /** Rows of 16 KiB that fit a record. */
    static final int ROWS_PER_PART = 3;

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final int FRONT = MessageHeaderEncoder.ENCODED_LENGTH + PushEncoder.BLOCK_LENGTH;

    private final TableSpec spec;
    private final UnsafeBuffer buffer;
    private final int length;
    private final int keyOffset;
    private long part;

    DenseParts(final TableSpec spec)
    {
        this.spec = spec;
        final int valuesLength = ROWS_PER_PART * spec.valuesLength();
        final int bodyLength = Long.BYTES + valuesLength;
        length = Sections.lengthOf(1, bodyLength);
        buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(FRONT + length));
        final PushEncoder push = new PushEncoder();
        push.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).sectionsCount(1).next()
            .tableId(spec.tableId())
            .rowCount(ROWS_PER_PART)
            .valuesLength(valuesLength)
            .keyForm((short)KeyForm.RANGE)
            .encoding((short)Sections.RAW);
        buffer.putInt(push.limit(), bodyLength, ORDER);
        keyOffset = push.limit() + Sections.BODY_LENGTH_LENGTH;
    }

    /** Go to the next part: other rows, other values. */
    void next()
    {
        final long ranges = spec.rows() / ROWS_PER_PART;
        buffer.putLong(keyOffset, part % ranges * ROWS_PER_PART, ORDER);
        final int valuesOffset = keyOffset + Long.BYTES;
        for (int i = 0; i < ROWS_PER_PART * spec.dim(); i++)
        {
            buffer.putFloat(valuesOffset + i * Float.BYTES, ((part * 31 + i) % 251 - 125) / 128f, ORDER);
        }
        part++;
    }

    /** Which part this is, from 1. */
    long sequence()
    {
        return part;
    }

    UnsafeBuffer buffer()
    {
        return buffer;
    }

    int offset()
    {
        return FRONT;
    }

    int length()
    {
        return length;
    }
}
