// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.ClockDoneDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.simulator.world.Histories;
import io.gradstream.simulator.world.History;
import io.gradstream.simulator.world.Imports;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.Workload;
import io.gradstream.simulator.world.World;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/** Reads the parts of messages that leave a client, and tells the model of them. */
final class SentParts
{
    private final World world;
    private final Histories histories;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final PushDecoder push = new PushDecoder();
    private final ClockDoneDecoder clockDone = new ClockDoneDecoder();
    private final Sections sections = new Sections();

    SentParts(final World world, final Histories histories)
    {
        this.world = world;
        this.histories = histories;
    }

    /** A process has sent a message. */
    void onSent(final UnsafeBuffer message, final int slot, final long incarnation)
    {
        switch (header.wrap(message, 0).templateId())
        {
            case ClockDoneDecoder.TEMPLATE_ID ->
            {
                clockDone.wrapAndApplyHeader(message, 0, header);
                histories.history(clockDone.partition()).onSent(slot, incarnation, clockDone.sequence(),
                    new History.Part(new int[0], new int[0], false, clockDone.clock()), 0);
            }
            case PushDecoder.TEMPLATE_ID ->
            {
                push.wrapAndApplyHeader(message, 0, header);
                final long hash =
                    message.getLong(message.capacity() - Long.BYTES, ByteOrder.LITTLE_ENDIAN);
                histories.history(push.partition()).onSent(
                    slot, incarnation, push.sequence(), part(message), hash);
            }
            default ->
            {
                // changes nothing
            }
        }
    }

    private History.Part part(final UnsafeBuffer message)
    {
        final int offset = push.offset() + PushDecoder.BLOCK_LENGTH;
        Violation.check(sections.wrap(message, offset, message.capacity() - offset).next(),
            Violation.Kind.INVARIANT_BROKEN, "a push without rows");
        if (TableSpec.AUDIT.tableId() == sections.tableId())
        {
            // an empty part of a slot that is backed up
            return new History.Part(new int[0], new int[0], false, push.clock());
        }
        final int[] indices = new int[sections.rowCount()];
        final int[] values = new int[indices.length];
        if (Imports.TABLE.tableId() == sections.tableId())
        {
            return imported(indices, values);
        }
        for (int i = 0; i < indices.length; i++)
        {
            indices[i] = (int)(sections.key(i) - world.config().firstKey(push.partition()));
            final float value =
                sections.elements().getFloat(sections.elementsOffset() + i * Float.BYTES, ByteOrder.LITTLE_ENDIAN);
            values[i] =
                sections.isRows() ? Float.floatToRawIntBits(value) : Workload.value(world.config(), value);
        }

        return new History.Part(indices, values, false, push.clock(),
            sections.isRows() ? History.Form.MODEL : History.Form.COUNTS);
    }

    private History.Part imported(final int[] indices, final int[] values)
    {
        final int rowLength = sections.isRows() ? Imports.ROW_LENGTH : Imports.TABLE.valuesLength();
        for (int i = 0; i < indices.length; i++)
        {
            indices[i] = (int)(sections.key(i) - world.config().firstKey(Imports.TABLE, push.partition()));
            values[i] = (int)sections.buffer().getFloat(
                sections.valuesOffset() + i * rowLength, ByteOrder.LITTLE_ENDIAN);
        }

        return new History.Part(indices, values, false, push.clock(),
            sections.isRows() ? History.Form.ROWS : History.Form.STEPS);
    }
}
