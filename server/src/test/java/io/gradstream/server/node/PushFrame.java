// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.node;

import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PushEncoder;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * A push of slot 3 to table 0, every value 1.
 */
public record PushFrame(ExpandableArrayBuffer buffer, int length)
{
    public static PushFrame of(
        final int partition,
        final long epoch,
        final long sequence,
        final long incarnation,
        final int dim,
        final long... keys)
    {
        final int valuesLength = keys.length * dim * Float.BYTES;
        final UnsafeBuffer body = new UnsafeBuffer(new byte[keys.length * Long.BYTES + valuesLength]);
        for (int i = 0; i < keys.length; i++)
        {
            body.putLong(i * Long.BYTES, keys[i], ByteOrder.LITTLE_ENDIAN);
        }
        for (int i = keys.length * Long.BYTES; i < body.capacity(); i += Float.BYTES)
        {
            body.putFloat(i, 1f, ByteOrder.LITTLE_ENDIAN);
        }
        final ExpandableArrayBuffer frame = new ExpandableArrayBuffer();
        final PushEncoder push = new PushEncoder();
        push.wrapAndApplyHeader(frame, 0, new MessageHeaderEncoder())
            .epoch(epoch).sequence(sequence).acknowledgedThrough(0).incarnation(incarnation).clock(0)
            .partition(partition).slot(3)
            .sectionsCount(1).next()
            .tableId(0).rowCount(keys.length).valuesLength(valuesLength).keyForm((short)1).encoding((short)1);
        push.putBody(body, 0, body.capacity());

        return new PushFrame(frame, MessageHeaderEncoder.ENCODED_LENGTH + push.encodedLength());
    }
}
