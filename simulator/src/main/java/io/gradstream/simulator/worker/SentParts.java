// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.simulator.worker;

import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.ClockDoneDecoder;
import io.gradstream.codecs.wire.MessageHeaderDecoder;
import io.gradstream.codecs.wire.PullDecoder;
import io.gradstream.codecs.wire.PushDecoder;
import io.gradstream.simulator.world.Histories;
import io.gradstream.simulator.world.History;
import io.gradstream.simulator.world.Imports;
import io.gradstream.simulator.world.Violation;
import io.gradstream.simulator.world.Workload;
import io.gradstream.simulator.world.World;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the parts of messages that leave a client, and tells the model of them. It knows every list of keys that the
 * client has ever sent, by its number, which no other list gets.
 */
final class SentParts
{
    private final World world;
    private final Histories histories;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final PushDecoder push = new PushDecoder();
    private final ClockDoneDecoder clockDone = new ClockDoneDecoder();
    private final PullDecoder pull = new PullDecoder();
    private final Sections sections = new Sections();
    /** By partition, then by number. */
    private final Map<Integer, Map<Long, long[]>> lists = new HashMap<>();

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
            case PullDecoder.TEMPLATE_ID ->
            {
                pull.wrapAndApplyHeader(message, 0, header);
                keys(pull.partition(), pull.keyList(), pull.keyForm(), pull.rowCount(), message,
                    pull.limit() + PullDecoder.bodyHeaderLength());
            }
            default ->
            {
                // changes nothing
            }
        }
    }

    /** The keys that a message has, or that the list has which it names. */
    private long[] keys(
        final int partition,
        final long number,
        final int form,
        final int count,
        final UnsafeBuffer message,
        final int offset)
    {
        final Map<Long, long[]> known = lists.computeIfAbsent(partition, (key) -> new HashMap<>());
        if (KeyForm.LISTED == form)
        {
            final long[] keys = known.get(number);
            Violation.check(null != keys && count == keys.length, Violation.Kind.INVARIANT_BROKEN,
                "a list is named that was never sent: partition, number, keys", partition, number, count);
            return keys;
        }
        final long[] keys = new long[count];
        KeyForm.read(form, message, offset, 0, count, keys);
        Violation.check(number <= 0 || null == known.put(number, keys), Violation.Kind.INVARIANT_BROKEN,
            "two lists have one number: partition, number", partition, number);

        return keys;
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
        final long[] keys = keys(push.partition(), push.keyList(), sections.keyForm(), sections.rowCount(), message,
            sections.keysOffset());
        final int[] indices = new int[sections.rowCount()];
        final int[] values = new int[indices.length];
        if (Imports.TABLE.tableId() == sections.tableId())
        {
            return imported(keys, indices, values);
        }
        for (int i = 0; i < indices.length; i++)
        {
            indices[i] = (int)(keys[i] - world.config().firstKey(push.partition()));
            final float value =
                sections.elements().getFloat(sections.elementsOffset() + i * Float.BYTES, ByteOrder.LITTLE_ENDIAN);
            values[i] =
                sections.isRows() ? Float.floatToRawIntBits(value) : Workload.value(world.config(), value);
        }

        return new History.Part(indices, values, false, push.clock(),
            sections.isRows() ? History.Form.MODEL : History.Form.COUNTS);
    }

    private History.Part imported(final long[] keys, final int[] indices, final int[] values)
    {
        final int rowLength = sections.isRows() ? Imports.ROW_LENGTH : Imports.TABLE.valuesLength();
        for (int i = 0; i < indices.length; i++)
        {
            indices[i] = (int)(keys[i] - world.config().firstKey(Imports.TABLE, push.partition()));
            values[i] = (int)sections.buffer().getFloat(
                sections.valuesOffset() + i * rowLength, ByteOrder.LITTLE_ENDIAN);
        }

        return new History.Part(indices, values, false, push.clock(),
            sections.isRows() ? History.Form.ROWS : History.Form.STEPS);
    }
}
