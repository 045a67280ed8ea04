// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.server.partition;

import io.gradstream.codecs.KeyForm;
import io.gradstream.codecs.PartitionFunction;
import io.gradstream.codecs.Refusal;
import io.gradstream.codecs.Sections;
import io.gradstream.codecs.TableSpec;
import io.gradstream.codecs.wire.MessageHeaderEncoder;
import io.gradstream.codecs.wire.PushEncoder;
import io.gradstream.server.table.InMemoryRowStore;
import io.gradstream.server.table.RowTable;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whether there is room for the rows of a part, whose sections may be of one table.
 */
class RequestRoomTest
{
    private static final int CAPACITY = 10;
    private static final TableSpec SPEC = TableSpec.sparse(3, "rows", 1, "add/1");

    private final PartitionState state = new PartitionState(0, new PartitionFunction(1),
        (number, spec, rowLength) -> new InMemoryRowStore(rowLength, CAPACITY));
    private final RequestValidator validator = new RequestValidator(state);
    private final RowTable table = state.addTable(SPEC);
    private final PushPartHeader part = new PushPartHeader();

    @Test
    void shouldAddUpTheSectionsOfATable()
    {
        assertThat(check(range(0, 6), range(100, 4))).isEqualTo(Refusal.NONE);
        assertThat(check(range(0, 6), range(100, 5))).isEqualTo(Refusal.OUT_OF_ROWS);
        assertThat(check(range(0, 4), range(100, 4), range(200, 3))).isEqualTo(Refusal.OUT_OF_ROWS);
    }

    @Test
    void shouldCountOnlyRowsThatAreMissing()
    {
        for (long key = 0; key < 8; key++)
        {
            table.findOrCreate(key);
        }
        assertThat(check(range(0, 8), range(100, 2))).isEqualTo(Refusal.NONE);
        assertThat(check(range(0, 8), range(100, 3))).isEqualTo(Refusal.OUT_OF_ROWS);
        assertThat(check(range(7, 2), range(100, 1))).isEqualTo(Refusal.NONE);
        assertThat(check(range(7, 2), range(100, 2))).isEqualTo(Refusal.OUT_OF_ROWS);
    }

    private static long[] range(final long first, final int count)
    {
        return new long[]{first, count};
    }

    private Refusal check(final long[]... ranges)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(1024));
        final PushEncoder push = new PushEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        final PushEncoder.SectionsEncoder sections = push.sectionsCount(ranges.length);
        int bodyLength = 0;
        for (final long[] range : ranges)
        {
            final int count = (int)range[1];
            sections.next().tableId(SPEC.tableId()).rowCount(count).valuesLength(count * Float.BYTES)
                .keyForm((short)KeyForm.RANGE).encoding((short)Sections.RAW);
            bodyLength += Long.BYTES + count * Float.BYTES;
        }
        final UnsafeBuffer body = new UnsafeBuffer(new byte[bodyLength]);
        int at = 0;
        for (final long[] range : ranges)
        {
            body.putLong(at, range[0], ByteOrder.LITTLE_ENDIAN);
            at += Long.BYTES + (int)range[1] * Float.BYTES;
        }
        push.putBody(body, 0, bodyLength);
        final int begin = MessageHeaderEncoder.ENCODED_LENGTH + PushEncoder.BLOCK_LENGTH;
        final Sections walk = new Sections().wrap(buffer, begin, push.limit() - begin);
        assertThat(walk.isMalformed()).isFalse();

        return validator.checkContent(part, walk, Integer.MAX_VALUE);
    }
}
